// What every ChatSocket must do. An adapter brings a world: the port, and a server that the suite can direct.
import { createServer } from "node:http"
import * as Sandbox from "@quartet/sandbox"
import {
  type Hub,
  Socket as InProcess,
  Chat as Served,
  type Speaker,
  unauthenticated
} from "@quartet/sandbox/extend"
import { aWhile, eventually } from "@quartet/support/eventually.js"
import { listen } from "@quartet/support/servers.js"
import { Effect, Exit, Runtime, Scope } from "effect"
import { Server } from "socket.io"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import * as SocketChat from "../../adapters/socket/index.js"
import {
  type Address,
  type Connection,
  defaultEvents,
  type Handshake,
  type Service,
  type Trouble
} from "../../core/ports/chat-socket.js"

const place = { path: "/api_private/v1/chat", namespace: "/", events: defaultEvents }
const { path } = place
/** A place of other names. */
const elsewhere = {
  path: "/live",
  namespace: "/desk",
  events: { message: "message.created", history: "message.backlog", send: "message.create" }
}

interface World {
  readonly socket: Service
  readonly address: Address
  /** A place where no server is. */
  readonly nowhere: Address
  readonly accepted: Handshake
  /** The server refuses it with the message "who are you?". */
  readonly refused: Handshake
  /** Connections that stand, as the server sees them. */
  readonly connections: () => number
  /** What the server heard under its name of a message that is sent. It answers each with `{ got: payload }`. */
  readonly heard: () => ReadonlyArray<unknown>
  /** The server says something to all connections. */
  readonly say: (event: "chat" | "history", payload: unknown) => void
  /** The server ends all connections. */
  readonly drop: () => void
  readonly close: () => Promise<void>
}

interface Open {
  readonly connection: Connection
  readonly events: Array<readonly [event: string, payload: unknown]>
  readonly troubles: Array<Trouble>
}

const chatSocketContract = (name: string, make: () => Promise<World>): void => {
  describe(`the ChatSocket of ${name}`, () => {
    let world: World
    const opened: Array<Connection> = []
    beforeEach(async () => {
      world = await make()
    })
    afterEach(async () => {
      for (const connection of opened.splice(0)) connection.close()
      await world.close()
    })

    const open = (handshake = world.accepted, address = world.address): Open => {
      const events: Open["events"] = []
      const troubles: Open["troubles"] = []
      const connection = world.socket.open(address, handshake, {
        onEvent: (event, payload) => events.push([event, payload]),
        onTrouble: (trouble) => troubles.push(trouble)
      })
      opened.push(connection)
      return { connection, events, troubles }
    }

    const connected = async (): Promise<Open> => {
      const opened = open()
      await eventually(() => expect(opened.connection.connected()).toBe(true))
      return opened
    }

    test("connects with the credentials that the server expects", async () => {
      const { troubles } = await connected()
      await eventually(() => expect(world.connections()).toBe(1))
      expect(troubles).toEqual([])
    })

    test("tells a refusal, with the server's words, and does not connect", async () => {
      const { connection, events, troubles } = open(world.refused)
      await eventually(() => expect(troubles).toHaveLength(1))
      expect(troubles[0]).toMatchObject({ reason: "Refused" })
      expect(troubles[0]?.message).toContain("who are you?")
      await aWhile()
      expect(connection.connected()).toBe(false)
      expect(world.connections()).toBe(0)
      expect(troubles).toHaveLength(1)
      expect(events).toEqual([])
    })

    test("tells that nobody is there, once", async () => {
      const { connection, troubles } = open(world.accepted, world.nowhere)
      await eventually(() => expect(troubles).toHaveLength(1))
      await aWhile()
      expect(troubles).toMatchObject([{ reason: "Unreachable" }])
      expect(connection.connected()).toBe(false)
    })

    // Spec 4.10
    test("relays chat and history in the order in which the server says them", async () => {
      const { events } = await connected()
      await eventually(() => expect(world.connections()).toBe(1))
      world.say("history", [{ _id: "m1" }])
      for (let n = 2; n <= 50; n++) world.say("chat", { _id: `m${n}` })
      await eventually(() => expect(events).toHaveLength(50))
      expect(events).toEqual([
        ["history", [{ _id: "m1" }]],
        ...Array.from({ length: 49 }, (_, index) => ["chat", { _id: `m${index + 2}` }])
      ])
    })

    test("hands every listener a payload of its own", async () => {
      const first = await connected()
      const second = await connected()
      await eventually(() => expect(world.connections()).toBe(2))
      const said = { _id: "m1", at: { time: "2024-01-01T00:00:00Z" } }
      world.say("chat", said)
      await eventually(() =>
        expect([first.events, second.events].map(({ length }) => length)).toEqual([1, 1])
      )
      const mine = first.events[0]?.[1] as { at: { time: unknown } }
      mine.at.time = "changed"
      expect(second.events[0]?.[1]).toEqual({ _id: "m1", at: { time: "2024-01-01T00:00:00Z" } })
      expect(said.at.time).toBe("2024-01-01T00:00:00Z")
    })

    // Spec 7.16
    test("emits, and tells once that the server has acknowledged it", async () => {
      const { connection } = await connected()
      const answers: Array<unknown> = []
      const payload = { text: "ünïcödé 🎉", list: [1, null, true] }
      connection.emit("chat", payload, (answer) => answers.push(answer))
      await eventually(() => expect(answers).toHaveLength(1))
      expect(world.heard()).toEqual([payload])
      expect(answers).toEqual([{ got: payload }])
    })

    test("keeps the order of what is emitted", async () => {
      const { connection } = await connected()
      for (let n = 0; n < 100; n++) connection.emit("chat", { n }, () => undefined)
      await eventually(() => expect(world.heard()).toHaveLength(100))
      expect(world.heard()).toEqual(Array.from({ length: 100 }, (_, n) => ({ n })))
    })

    test("tells that the connection was lost, once, and makes no other by itself", async () => {
      const { connection, troubles } = await connected()
      await eventually(() => expect(world.connections()).toBe(1))
      world.drop()
      await eventually(() => expect(troubles).toHaveLength(1))
      expect(troubles).toMatchObject([{ reason: "Lost" }])
      expect(connection.connected()).toBe(false)
      await aWhile(300)
      expect(world.connections()).toBe(0)
      expect(troubles).toHaveLength(1)
    })

    test("emits nothing while there is no connection, neither then nor later", async () => {
      const { connection } = await connected()
      await eventually(() => expect(world.connections()).toBe(1))
      world.drop()
      await eventually(() => expect(connection.connected()).toBe(false))
      connection.emit("chat", { text: "lost" }, () => expect.unreachable("nobody can have heard it"))
      connection.close()
      connection.emit("chat", { text: "closed" }, () => expect.unreachable("nobody can have heard it"))
      const another = await connected()
      another.connection.emit("chat", { text: "mine" }, () => undefined)
      await eventually(() => expect(world.heard()).toEqual([{ text: "mine" }]))
    })

    test("leaves the server and tells nothing more once it is closed", async () => {
      const { connection, events, troubles } = await connected()
      await eventually(() => expect(world.connections()).toBe(1))
      connection.close()
      connection.close()
      world.say("chat", { _id: "late" })
      await eventually(() => expect(world.connections()).toBe(0))
      await aWhile()
      expect(connection.connected()).toBe(false)
      expect(events).toEqual([])
      expect(troubles).toEqual([])
    })

    test("can be closed while it is connecting", async () => {
      const { connection, events, troubles } = open()
      connection.close()
      await aWhile(300)
      expect(world.connections()).toBe(0)
      expect([...events, ...troubles]).toEqual([])
    })

    test("keeps connections apart", async () => {
      const first = await connected()
      const second = await connected()
      first.connection.close()
      await eventually(() => expect(world.connections()).toBe(1))
      expect(second.connection.connected()).toBe(true)
      world.say("chat", { _id: "m1" })
      await eventually(() => expect(second.events).toHaveLength(1))
      expect(first.events).toEqual([])
    })
  })
}

/** A real socket.io server that the suite directs. */
const socketIoWorld =
  (options: SocketChat.Options = {}, { events, namespace, path } = place) =>
  async (): Promise<World> => {
    const http = createServer()
    const io = new Server(http, { path })
    const chat = io.of(namespace)
    const heard: Array<unknown> = []
    chat.use((socket, next) => {
      const { auth, headers, query } = socket.handshake
      const sentKeys = [query.token, headers["x-api-key"] ?? auth["x-api-key"], auth["x-session-id"]]
      next(sentKeys.join() === "good,key,session" ? undefined : new Error("who are you?"))
    })
    chat.on("connection", (socket) => {
      socket.on(events.send, (payload: unknown, acknowledge?: (answer: unknown) => void) => {
        heard.push(payload)
        acknowledge?.({ got: payload })
      })
    })
    const { close, url } = await listen(http)
    const headers = { authorization: "Bearer good", "x-api-key": "key", "x-session-id": "session" }
    return {
      socket: SocketChat.make(options),
      address: { origin: url, path, namespace, events },
      nowhere: { origin: "http://127.0.0.1:1", path, namespace, events },
      accepted: { query: { token: "good" }, headers },
      refused: { query: { token: "bad" }, headers },
      connections: () => chat.sockets.size,
      heard: () => heard,
      say: (event, payload) => {
        chat.emit(event === "chat" ? events.message : events.history, payload)
      },
      drop: () => {
        chat.disconnectSockets(true)
      },
      close: async () => {
        const closing = io.close()
        await close()
        await closing
      }
    }
  }

interface Member {
  readonly tell: Parameters<Hub["join"]>[1]
  readonly end: () => void
}

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
const inProcessWorld = async (): Promise<World> => {
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
const servedWorld = async (): Promise<World> => {
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

chatSocketContract("socket.io, polling and then WebSocket", socketIoWorld())
chatSocketContract("socket.io, polling alone", socketIoWorld({ transports: ["polling"] }))
chatSocketContract("socket.io, WebSocket alone", socketIoWorld({ transports: ["websocket"] }))
chatSocketContract("socket.io, by other names", socketIoWorld({}, elsewhere))
chatSocketContract("the sandbox in this process", inProcessWorld)
chatSocketContract("socket.io, to the sandbox's server", servedWorld)

test.each([
  ["of the sandbox in this process", inProcessWorld],
  ["over socket.io", servedWorld]
])("what a chat calls otherwise is neither heard nor acknowledged (%s)", async (_, make) => {
  const { accepted, address, close, connections, heard, say, socket } = await make()
  const events: Array<unknown> = []
  const answers: Array<unknown> = []
  const connection = socket.open({ ...address, events: elsewhere.events }, accepted, {
    onEvent: (event) => events.push(event),
    onTrouble: () => undefined
  })
  await eventually(() => expect(connections()).toBe(1))
  say("history", [])
  say("chat", { _id: "m1" })
  connection.emit("chat", { text: "hello" }, (answer) => answers.push(answer))
  await aWhile(50)
  expect([events, answers, heard()]).toEqual([[], [], []])
  connection.close()
  await close()
})
