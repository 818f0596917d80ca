// A chat that loses its connection while the platform gets messages, as the tests of recovery have it.
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import type { Message } from "../../../core/chat/model.js"
import type { Problem } from "../../../core/chat/state.js"
import { FakeCredentialsProvider, FakeSocket } from "./fake-socket.js"
import { FakeHistory, optionsOf, scenarios, told, wire } from "./fixtures.js"

/** A chat's options over a socket that accepts and a history, with all that its callbacks hear. */
export const setup = (history = new FakeHistory()) => {
  const socket = new FakeSocket()
  socket.answer = (connection) => connection.accept()
  const heard: Array<Message> = []
  const updates: Array<Message> = []
  const problems: Array<Problem> = []
  const options = optionsOf(new FakeCredentialsProvider(), {
    history,
    onMessage: (message) => heard.push(message),
    onUpdate: (message) => updates.push(message),
    onProblem: (problem) => problems.push(problem)
  })
  /** The platform has messages, whether the chat hears of them or not. */
  const happen = (from: number, to: number, conversationId = "c1") => {
    for (let n = from; n <= to; n++) history.add(told(n, conversationId))
  }
  /** The platform has messages, and tells the chat of them. */
  const say = (from: number, to: number, conversationId = "c1") => {
    for (let n = from; n <= to; n++) {
      history.add(told(n, conversationId))
      socket.last.say("chat", wire(n, conversationId))
    }
  }
  return { heard, happen, history, options, problems, say, socket, updates }
}

/** Loses the connection, and lets the next one come about. */
export const reconnect = (socket: FakeSocket) =>
  Effect.suspend(() => {
    socket.last.lose()
    return TestClock.adjust(1_000)
  })

/** A test with such a chat. Pauses last half of what they may. */
export const scenario = scenarios(setup, 0.5)
