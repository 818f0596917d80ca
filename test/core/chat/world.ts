// A chat whose socket and whose platform the test plays: what happens there, and what the chat tells of it.

import { effect } from "@quartet/support/effect.js"
import { Chunk, Effect, Fiber, Layer, Random, type Scope, Stream, TestClock } from "effect"
import type { TestServices } from "effect/TestServices"
import type { YieldWrap } from "effect/Utils"
import * as Chat from "../../../core/chat/chat.js"
import type { Draft, Message } from "../../../core/chat/model.js"
import type { History } from "../../../core/chat/recovery.js"
import type { Problem } from "../../../core/chat/state.js"
import type { Credentials } from "../../../core/kernel/dispatch/credentials.js"
import type { CallError } from "../../../core/kernel/errors/errors.js"
import type { Page } from "../../../core/kernel/operation/answer.js"
import { type Address, ChatSocket, type Handshake, type Listener } from "../../../core/ports/chat-socket.js"

const start = Date.parse("2024-05-01T10:00:00Z")

/** A message as it stands on the wire; `n` gives its id and its time. */
export const wire = (n: number, conversationId = "c1", more: Record<string, unknown> = {}) => ({
  _id: `m${n}`,
  conversationId,
  text: `text ${n}`,
  createdAt: new Date(start + n * 1_000).toISOString(),
  ...more
})

/** The same message as the chat tells it. */
export const told = (n: number, conversationId = "c1", more: Record<string, unknown> = {}): Message => ({
  ...wire(n, conversationId, more),
  createdAt: new Date(start + n * 1_000)
})

const edit = (n: number, text = `edited ${n}`) => ({ text })
/** A message that was changed, on the wire and as the chat tells it. */
export const edited = (n: number, text?: string) => wire(n, "c1", edit(n, text))
export const editedTold = (n: number, text?: string) => told(n, "c1", edit(n, text))

/** From one number to another. */
export const numbers = (from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)
export const range = (from: number, to: number) => numbers(from, to).map((n) => `m${n}`)
export const wires = (from: number, to: number) => numbers(from, to).map((n) => wire(n))
export const ids = (messages: Iterable<Message>) => Array.from(messages, ({ _id }) => _id)
export const texts = (messages: Iterable<Message>) => Array.from(messages, ({ text }) => text)

export const draft = (text: string, more: Partial<Draft> = {}): Draft => ({
  conversationId: "c1",
  text,
  ...more
})

/** All items of a Stream. */
export const collect = <A>(stream: Stream.Stream<A, unknown>) =>
  Effect.map(Stream.runCollect(stream), Chunk.toReadonlyArray)

/** The ids of the first messages of a Stream. */
export const take = (messages: Stream.Stream<Message, unknown>, count: number) =>
  Effect.map(collect(Stream.take(messages, count)), ids)

export const tick = TestClock.adjust

/** Forks an effect, and lets it run as far as it can. */
export const begin = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.tap(Effect.fork(effect), () => tick(0))

/** What a fiber fails with. */
export const failed = <A, E>(fiber: Fiber.Fiber<A, E>) => Effect.flip(Fiber.join(fiber))

export class FakeConnection {
  isConnected = false
  isClosed = false
  readonly emitted: Array<{
    readonly payload: Record<string, unknown>
    readonly acknowledge: (answer?: unknown) => void
  }> = []

  constructor(
    readonly address: Address,
    readonly handshake: Handshake,
    readonly listener: Listener
  ) {}

  accept(): void {
    this.isConnected = true
  }
  refuse(message = "bad token", data?: unknown): void {
    this.listener.onTrouble({ reason: "Refused", message, ...(data === undefined ? {} : { data }) })
  }
  fail(message = "connection refused"): void {
    this.listener.onTrouble({ reason: "Unreachable", message })
  }
  lose(message = "transport close"): void {
    this.isConnected = false
    this.listener.onTrouble({ reason: "Lost", message })
  }
  say(event: "chat" | "history", payload: unknown): void {
    this.listener.onEvent(event, structuredClone(payload))
  }
}

/** A ChatSocket whose attempts to connect are there to be accepted, refused, lost and looked at. */
export class FakeSocket {
  readonly connections: Array<FakeConnection> = []
  /** Decides on each attempt as it is made. */
  answer: (connection: FakeConnection, number: number) => void = (connection) => connection.accept()

  readonly layer = Layer.succeed(ChatSocket, {
    open: (address, handshake, listener) => {
      const connection = new FakeConnection(address, handshake, listener)
      this.connections.push(connection)
      this.answer(connection, this.connections.length)
      return {
        connected: () => connection.isConnected && !connection.isClosed,
        emit: (_event, payload, acknowledge) => {
          connection.emitted.push({ payload: payload as Record<string, unknown>, acknowledge })
        },
        close: () => {
          connection.isClosed = true
        }
      }
    }
  })

  /** The connection made last. */
  get last(): FakeConnection {
    const last = this.connections.at(-1)
    if (last === undefined) throw new Error("nothing was opened")
    return last
  }

  get open(): number {
    return this.connections.filter(({ isClosed }) => !isClosed).length
  }
}

/** Credentials that count how often they were asked for. */
class FakeCredentialsProvider {
  obtained = 0
  renewed = 0
  /** What the next one to ask is answered with, in place of credentials. */
  readonly failures: Array<CallError> = []
  private version = 1

  private readonly answer = (): Effect.Effect<Credentials, CallError> => {
    const failure = this.failures.shift()
    const [token, session] = this.secrets()
    return failure === undefined
      ? Effect.succeed({
          headers: { authorization: `Bearer ${token}`, "x-session-id": `${session}` },
          grants: {}
        })
      : Effect.fail(failure)
  }

  readonly secrets = () => [`token-${this.version}`, `session-${this.version}`]

  readonly getCredentials = () =>
    Effect.suspend(() => {
      this.obtained += 1
      return this.answer()
    })

  readonly accepted = (): void => undefined

  renew: ((refused: Credentials) => Effect.Effect<Credentials | undefined, CallError>) | undefined = () =>
    Effect.suspend(() => {
      this.renewed += 1
      if (this.failures.length === 0) this.version += 1
      return this.answer()
    })
}

interface Paging {
  readonly stands: "newest-first" | "oldest-first"
  readonly limit: number
  /** Whether answers say how many pages there are. */
  readonly counts?: boolean
  /** Whether every page is the whole list, as a platform answers that knows no pages. */
  readonly whole?: boolean
}

/** The platform's history of conversations, answered in pages. Counts what was asked for. */
class FakeHistory implements History {
  readonly conversations = new Map<string, Array<Message>>()
  readonly asked: Array<string> = []
  /** What the next question is answered with, in place of a page. */
  readonly failures: Array<CallError> = []
  order?: "newest-first" | "oldest-first"

  constructor(readonly settings: Paging = { stands: "newest-first", limit: 3 }) {}

  add(...messages: ReadonlyArray<Message>): void {
    for (const message of messages) {
      const id = message.conversationId ?? ""
      this.conversations.set(id, [...(this.conversations.get(id) ?? []), message])
    }
  }

  /** A message has another content from now on. */
  change(message: Message): void {
    const id = message.conversationId ?? ""
    const all = this.conversations.get(id) ?? []
    this.conversations.set(
      id,
      all.map((other) => (other._id === message._id ? message : other))
    )
  }

  readonly page = (conversationId: string, page: number): Effect.Effect<Page<Message>, CallError> =>
    Effect.suspend(() => {
      this.asked.push(`${conversationId}/${page}`)
      const failure = this.failures.shift()
      if (failure !== undefined) return Effect.fail(failure)
      const { counts = false, limit, stands, whole = false } = this.settings
      const all = this.conversations.get(conversationId) ?? []
      const list = stands === "newest-first" ? [...all].reverse() : all
      const items = whole ? [...list] : list.slice((page - 1) * limit, page * limit)
      return Effect.succeed({ items, paging: counts ? { pages: Math.ceil(list.length / limit) } : {} })
    })
}

/** Pages as they were when they were asked for, which arrive half a second later. */
export const slow = ({ page }: History, order?: "newest-first" | "oldest-first"): History => ({
  ...(order && { order }),
  page: (id, number) => Effect.flatMap(page(id, number), (found) => Effect.delay(Effect.succeed(found), 500))
})

const address = { origin: "http://127.0.0.1:1", path: "/api_private/v1/chat", namespace: "/" }

/** A socket that accepts every attempt, a platform with its history, and all that a chat's callbacks hear. */
const makeWorld = (history = new FakeHistory()) => {
  const socket = new FakeSocket()
  const credentialsProvider = new FakeCredentialsProvider()
  const heard: Array<Message> = []
  const histories: Array<ReadonlyArray<Message>> = []
  const updates: Array<Message> = []
  const problems: Array<Problem> = []
  /** All of these in the order in which they are told, as in `message m1 text 1`. */
  const log: Array<string> = []
  const note = (kind: string) => (message: Message) => log.push(`${kind} ${message._id} ${message.text}`)
  const callbacks = {
    onMessage: (message: Message) => {
      heard.push(message)
      note("message")(message)
    },
    onUpdate: (message: Message) => {
      updates.push(message)
      note("update")(message)
    },
    onHistory: (messages: ReadonlyArray<Message>) => {
      histories.push(messages)
      messages.forEach(note("history"))
    },
    onProblem: (problem: Problem) => problems.push(problem)
  }
  /** Opens a chat as its program does: it waits for its connection, for as long as the clock stands. */
  const connect = (more: Partial<Chat.Options> = {}) =>
    Chat.open({
      address,
      credentialsProvider,
      start: Effect.runFork,
      handshake: ({ headers }) => ({ query: { token: headers.authorization ?? "" }, headers }),
      ...more
    })
  /** Opens a chat against a socket that accepts at once. */
  const open = (more: Partial<Chat.Options> = {}) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(connect(more))
      yield* tick(more.policy?.poll ?? 100)
      return yield* Fiber.join(fiber)
    })
  /** The platform tells the chat of messages, or of whatever it takes for one. */
  const tell = (...payloads: ReadonlyArray<unknown>) => {
    for (const payload of payloads) socket.last.say("chat", payload)
  }
  /** The platform has messages, whether the chat hears of them or not. */
  const happen = (from: number, to: number, conversationId = "c1") =>
    history.add(...numbers(from, to).map((n) => told(n, conversationId)))
  return {
    connect,
    credentialsProvider,
    happen,
    heard,
    histories,
    history,
    log,
    open,
    problems,
    socket,
    tell,
    updates,
    /** Opens a chat with all callbacks. */
    listen: (more: Partial<Chat.Options> = {}) => open({ ...callbacks, ...more }),
    /** The platform has messages, and tells the chat of each. */
    say: (from: number, to = from, conversationId = "c1") => {
      for (const n of numbers(from, to)) {
        happen(n, n, conversationId)
        tell(wire(n, conversationId))
      }
    },
    tellHistory: (payload: unknown) => socket.last.say("history", payload),
    /** Loses the connection, and lets the next one come about. */
    reconnect: () =>
      Effect.suspend(() => {
        socket.last.lose()
        return tick(1_000)
      })
  }
}

type World = ReturnType<typeof makeWorld>
type Needs = ChatSocket | Scope.Scope | TestServices
type Body = (world: World) => Generator<YieldWrap<Effect.Effect<unknown, unknown, Needs>>, unknown, never>

/** Tests that play with a world of their own, over this history. */
export const over = (settings?: Paging) =>
  effect.within<[World], Needs>((use) => {
    const world = makeWorld(new FakeHistory(settings))
    return Effect.provide(use(world), world.socket.layer)
  })

export const scenario = over()

/** Tests in which Random always says this. */
export const random = (chance: number) =>
  scenario.within<[], Needs>((use) => Effect.withRandom(use(), Random.fixed([chance])))

/** One test for each order in which a platform's pages may stand. */
export const inBothOrders = (title: string, limit: number, body: Body): void => {
  for (const stands of ["newest-first", "oldest-first"] as const)
    over({ stands, limit })(`${title} (${stands})`, body)
}
