/** The chat socket in the same process keeps the contract of every ChatSocket. */
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import { chatPath, type Hub, type Speaker, type Tell } from "../../adapters/sandbox/chat/hub.js"
import * as InProcess from "../../adapters/sandbox/in-process/socket.js"
import { unauthenticated } from "../../adapters/sandbox/platform/refusal.js"
import * as State from "../../adapters/sandbox/state/state.js"
import { chatSocketContract, type World } from "../contracts/chat-socket.js"

/** A chat that the suite directs: it knows one key, hears everything and says what it is told to say. */
const world = async (): Promise<World> => {
  const members = new Set<{ readonly tell: Tell; readonly end: () => void }>()
  const heard: Array<unknown> = []
  const user = State.make(1).users.all()[0]
  if (user === undefined) throw new Error("the seeded state has no user")
  const speaker: Speaker = { audience: "endUser", user }
  const hub: Hub = {
    identify: ({ headers }) =>
      headers["x-api-key"] === "known"
        ? Effect.succeed(speaker)
        : Effect.fail(unauthenticated("who are you?")),
    join: (_, tell, end) => {
      const member = { tell, end }
      members.add(member)
      return {
        say: (payload) =>
          Effect.sync(() => {
            heard.push(payload)
            return { got: payload }
          }),
        leave: () => members.delete(member)
      }
    },
    sayAs: () => Effect.fail(unauthenticated("nobody speaks without a connection here")),
    disconnectAll: () => undefined,
    size: () => members.size
  }
  const address = { origin: "http://sandbox.test", path: chatPath, namespace: "/" }
  return {
    socket: InProcess.make(hub, Runtime.defaultRuntime),
    address,
    nowhere: { ...address, path: "/no/chat" },
    accepted: { query: {}, headers: { "X-Api-Key": "known" } },
    refused: { query: {}, headers: { "X-Api-Key": "unknown" } },
    connections: () => members.size,
    heard: () => heard,
    say: (event, payload) => {
      for (const { tell } of members) tell(event, payload)
    },
    drop: () => {
      for (const { end } of [...members]) end()
    },
    close: async () => undefined
  }
}

chatSocketContract("the sandbox, in the same process", world)
