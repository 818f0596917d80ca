// What every ChatSocket must do. An adapter brings a world: the port, and a server that the suite can direct.
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { Address, Connection, Handshake, Service, Trouble } from "../../core/ports/chat-socket.js"
import { aWhile, eventually } from "../support/eventually.js"

export interface World {
  readonly socket: Service
  readonly address: Address
  /** A place where no server is. */
  readonly nowhere: Address
  readonly accepted: Handshake
  /** The server refuses it with the message "who are you?". */
  readonly refused: Handshake
  /** Connections that stand, as the server sees them. */
  readonly connections: () => number
  /** What the server heard under `chat`. It answers each with `{ got: payload }`. */
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

export const chatSocketContract = (name: string, make: () => Promise<World>): void => {
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
      const one = open()
      await eventually(() => expect(one.connection.connected()).toBe(true))
      return one
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
      const one = await connected()
      const two = await connected()
      await eventually(() => expect(world.connections()).toBe(2))
      const said = { _id: "m1", at: { time: "2024-01-01T00:00:00Z" } }
      world.say("chat", said)
      await eventually(() => expect([one.events, two.events].map(({ length }) => length)).toEqual([1, 1]))
      const mine = one.events[0]?.[1] as { at: { time: unknown } }
      mine.at.time = "changed"
      expect(two.events[0]?.[1]).toEqual({ _id: "m1", at: { time: "2024-01-01T00:00:00Z" } })
      expect(said.at.time).toBe("2024-01-01T00:00:00Z")
    })

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
      const one = await connected()
      const two = await connected()
      one.connection.close()
      await eventually(() => expect(world.connections()).toBe(1))
      expect(two.connection.connected()).toBe(true)
      world.say("chat", { _id: "m1" })
      await eventually(() => expect(two.events).toHaveLength(1))
      expect(one.events).toEqual([])
    })
  })
}
