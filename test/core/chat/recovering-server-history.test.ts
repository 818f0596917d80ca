// The history that the server sends of itself after a reconnection, beside what the chat recovers.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import type { Message } from "../../../core/chat/model.js"
import { always, ids, opened, range, wire } from "./fixtures.js"
import { reconnect, setup } from "./reconnection.js"

describe("the server's own history after a reconnection", () => {
  it.scoped("is merged with what was recovered, and is not told as history again", () => {
    const { happen, heard, history, options, say, socket } = setup()
    const histories: Array<ReadonlyArray<Message>> = []
    return Effect.gen(function* () {
      happen(1, 3)
      socket.answer = (connection) => {
        connection.accept()
        connection.say("history", history.conversations.get("c1")?.slice(-5) ?? [])
      }
      yield* opened({ ...options, onHistory: (messages) => histories.push(messages) })
      say(4, 4)
      happen(5, 12)
      yield* reconnect(socket)
      expect(ids(heard)).toEqual(range(4, 12))
      expect(histories.map(ids)).toEqual([range(1, 3)])
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("closes the gap alone where there is nothing to recover from, as far as it goes", () => {
    const { happen, heard, history, options, say, socket } = setup()
    const { history: _, ...bare } = options
    return Effect.gen(function* () {
      happen(1, 3)
      socket.answer = (connection) => {
        connection.accept()
        connection.say("history", [...(history.conversations.get("c1") ?? [])].reverse().slice(0, 20))
      }
      yield* opened(bare)
      say(4, 4)
      happen(5, 12)
      yield* reconnect(socket)
      expect(ids(heard)).toEqual(range(4, 12))
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("is waited for, up to a second, where the server sent one before", () => {
    const { heard, options, socket } = setup()
    const { history: _, ...bare } = options
    return Effect.gen(function* () {
      socket.answer = (connection) => {
        connection.accept()
      }
      const chat = yield* opened(bare)
      socket.last.say("history", [wire(1)])
      socket.last.lose()
      yield* TestClock.adjust(300)
      socket.last.say("chat", wire(4))
      yield* TestClock.adjust(300)
      expect(heard).toEqual([])
      socket.last.say("history", [wire(1), wire(2), wire(3)])
      yield* TestClock.adjust(0)
      expect(ids(heard)).toEqual(range(2, 4))
      socket.last.lose()
      yield* TestClock.adjust(200)
      socket.last.say("chat", wire(5))
      yield* TestClock.adjust(1_100)
      expect(ids(heard)).toEqual(range(2, 5))
      expect(yield* chat.state.get).toEqual({ status: "connected" })
    }).pipe(always(0.5), Effect.provide(socket.layer))
  })

  it.scoped("is used where it comes late, after the chat went on without it", () => {
    const { heard, options, socket } = setup()
    const { history: _, ...bare } = options
    return Effect.gen(function* () {
      yield* opened(bare)
      socket.last.say("chat", wire(1))
      yield* reconnect(socket)
      socket.last.say("chat", wire(4))
      socket.last.say("history", [wire(0), wire(1), wire(2), wire(3), wire(4)])
      expect(ids(heard)).toEqual(["m1", "m4", "m2", "m3"])
    }).pipe(Effect.provide(socket.layer))
  })
})
