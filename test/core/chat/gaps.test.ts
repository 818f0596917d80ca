// What could not be recovered is reported, and the chat goes on.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { NetworkError, NotFound, PermissionDenied } from "../../../core/kernel/errors/errors.js"
import { FakeHistory, ids, opened, told } from "./fixtures.js"
import { reconnect, setup } from "./reconnection.js"

describe("a gap that cannot be recovered", () => {
  it.scoped("is reported with its conversation and its error, and the chat goes on", () => {
    const { happen, heard, history, options, problems, say, socket } = setup()
    const error = new PermissionDenied({
      operation: "conversations.messages",
      reason: "Server",
      resource: "conversations",
      action: "messages",
      required: 1
    })
    return Effect.gen(function* () {
      const chat = yield* opened(options)
      say(1, 1)
      happen(2, 3)
      history.failures.push(error)
      yield* reconnect(socket)
      say(4, 4)
      expect(ids(heard)).toEqual(["m1", "m4"])
      expect(problems).toEqual([{ _tag: "Gap", conversationId: "c1", error }])
      expect(yield* chat.figures).toMatchObject({ gaps: 1 })
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("is asked for three times where the fault may pass", () => {
    const { heard, history, options, problems, say, socket } = setup()
    const error = new NetworkError({ operation: "conversations.messages", reason: "Timeout" })
    return Effect.gen(function* () {
      yield* opened(options)
      say(1, 1)
      history.add(told(2))
      history.failures.push(error, error)
      yield* reconnect(socket)
      expect(ids(heard)).toEqual(["m1", "m2"])
      history.add(told(3))
      history.failures.push(error, error, error)
      socket.last.lose()
      yield* TestClock.adjust(2_000)
      expect(ids(heard)).toEqual(["m1", "m2"])
      expect(problems).toHaveLength(1)
    }).pipe(Effect.provide(socket.layer))
  })

  it.scoped("is none where the conversation is gone", () => {
    const { history, options, problems, say, socket } = setup()
    return Effect.gen(function* () {
      const chat = yield* opened(options)
      say(1, 1)
      history.failures.push(new NotFound({ operation: "conversations.messages", status: 404 }))
      yield* reconnect(socket)
      expect(problems).toEqual([])
      expect(yield* chat.state.get).toEqual({ status: "connected" })
    }).pipe(Effect.provide(socket.layer))
  })

  for (const stands of ["newest-first", "oldest-first"] as const) {
    it.scoped(`is reported where it is longer than may be recovered (${stands})`, () => {
      const { happen, options, problems, say, socket } = setup(new FakeHistory({ stands, limit: 5 }))
      return Effect.gen(function* () {
        yield* opened({ ...options, policy: { longestGap: 20 } })
        say(1, 1)
        happen(2, 100)
        yield* reconnect(socket)
        expect(problems).toMatchObject([
          { _tag: "Gap", conversationId: "c1", error: { _tag: "ChatError", reason: "Overflow" } }
        ])
      }).pipe(Effect.provide(socket.layer))
    })
  }
})
