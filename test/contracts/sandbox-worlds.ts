// The sandbox's two ways to its chat, with a hub that the ChatSocket suite directs in place of the platform's.
import { createServer } from "node:http"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import type { Hub, Speaker } from "../../adapters/sandbox/chat/hub.js"
import * as InProcess from "../../adapters/sandbox/in-process/socket.js"
import * as Sandbox from "../../adapters/sandbox/index.js"
import { unauthenticated } from "../../adapters/sandbox/platform/refusal.js"
import * as Served from "../../adapters/sandbox/server/chat.js"
import * as SocketChat from "../../adapters/socket/index.js"
import { listen } from "../support/servers.js"
import type { World } from "./chat-socket.js"

interface Member {
  readonly tell: Parameters<Hub["join"]>[1]
  readonly end: () => void
}

const path = "/api_private/v1/chat"
const headers = { "x-api-key": "key" }
const handshakes = {
  accepted: { query: { token: "good" }, headers },
  refused: { query: { token: "bad" }, headers }
}

/** A hub that lets "good" in, and answers whatever is said with what it heard. */
const makeHub = async () => {
  const { control } = await Effect.runPromise(Sandbox.make())
  const user = control.state.users.all()[0]
  if (user === undefined) throw new Error("the sandbox has no end user")
  const speaker: Speaker = { audience: "endUser", user }
  const members = new Set<Member>()
  const heard: Array<unknown> = []
  const hub: Hub = {
    identify: ({ headers, query }) =>
      query.token === "good" && headers["x-api-key"] === "key"
        ? Effect.succeed(speaker)
        : Effect.fail(unauthenticated("who are you?")),
    join: (_speaker, tell, end) => {
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
    sayAs: () => Effect.die("nobody speaks here"),
    disconnectAll: () => {
      for (const { end } of [...members]) end()
    },
    size: () => members.size
  }
  const world = {
    ...handshakes,
    heard: () => heard,
    connections: () => members.size,
    say: (event: "chat" | "history", payload: unknown) => {
      for (const { tell } of members) tell(event, payload)
    },
    drop: () => hub.disconnectAll()
  }
  return { hub, world }
}

/** The in-process socket. */
export const inProcessWorld = async (): Promise<World> => {
  const { hub, world } = await makeHub()
  const origin = "http://sandbox.test"
  return {
    ...world,
    socket: InProcess.make(hub, Runtime.defaultRuntime),
    address: { origin, path, namespace: "/" },
    nowhere: { origin, path: "/somewhere/else", namespace: "/" },
    close: () => Promise.resolve()
  }
}

/** The sandbox's socket.io server, through the socket.io adapter. */
export const servedWorld = async (): Promise<World> => {
  const { hub, world } = await makeHub()
  const http = createServer()
  const scope = Effect.runSync(Scope.make())
  await Effect.runPromise(Scope.extend(Served.serve(http, hub), scope))
  const { close, url: origin } = await listen(http)
  return {
    ...world,
    socket: SocketChat.make(),
    address: { origin, path, namespace: "/" },
    nowhere: { origin: "http://127.0.0.1:1", path, namespace: "/" },
    close: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await close()
    }
  }
}
