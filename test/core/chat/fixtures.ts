// What the tests of the chat share: messages, options, and the platform's history in pages.

import { it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { identity } from "effect/Function"
import * as Random from "effect/Random"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import type { YieldWrap } from "effect/Utils"
import { type Chat, type Options, open } from "../../../core/chat/chat.js"
import type { ChatError } from "../../../core/chat/errors.js"
import type { Draft, Message } from "../../../core/chat/model.js"
import type { History } from "../../../core/chat/recovery.js"
import type { CallError, InputError } from "../../../core/kernel/errors/errors.js"
import type { Page } from "../../../core/kernel/operation/answer.js"
import type { ChatSocket } from "../../../core/ports/chat-socket.js"
import { FakeCredentialsProvider, FakeSocket } from "./fake-socket.js"

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

export const ids = (messages: Iterable<Message>): ReadonlyArray<string> =>
  Array.from(messages, ({ _id }) => _id)

/** `m1`, `m2` … from one number to another. */
export const range = (from: number, to: number): ReadonlyArray<string> =>
  Array.from({ length: to - from + 1 }, (_, index) => `m${from + index}`)

export const draft = (text: string, more: Partial<Draft> = {}): Draft => ({
  conversationId: "c1",
  text,
  ...more
})

/** The ids of the first messages of a Stream. */
export const take = (messages: Stream.Stream<Message, unknown>, count: number) =>
  Effect.map(Stream.runCollect(Stream.take(messages, count)), (chunk) => ids(Chunk.toReadonlyArray(chunk)))

/** Chance that always says the same. */
const always = (chance: number) => Effect.withRandom(Random.fixed([chance]))

export const address = { origin: "http://127.0.0.1:1", path: "/api_private/v1/chat", namespace: "/" }

export const optionsOf = (
  credentialsProvider: FakeCredentialsProvider,
  more: Partial<Options> = {}
): Options => ({
  address,
  credentialsProvider,
  start: Effect.runFork,
  handshake: ({ headers }) => ({ query: { token: headers.authorization ?? "" }, headers }),
  ...more
})

/** Opens a chat against a socket that accepts at once. */
export const opened = (
  options: Options
): Effect.Effect<Chat, ChatError | InputError, ChatSocket | Scope.Scope> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(open(options))
    yield* TestClock.adjust(options.policy?.poll ?? 100)
    return yield* Fiber.join(fiber)
  })

/** A socket whose server accepts every attempt, credentials for it, and a chat over both. */
export const setup = () => {
  const socket = new FakeSocket()
  socket.answer = (connection) => connection.accept()
  const credentialsProvider = new FakeCredentialsProvider()
  const open = (more: Partial<Options> = {}) => opened(optionsOf(credentialsProvider, more))
  return { credentialsProvider, open, socket }
}

type Yielded = YieldWrap<Effect.Effect<unknown, unknown, ChatSocket | Scope.Scope>>

type Body<World> = (world: World) => Generator<Yielded, void, never>

/** Plays with a world over its socket; with a `chance`, Random always says that. */
export const play = <World extends { readonly socket: FakeSocket }>(
  world: World,
  body: Body<World>,
  chance?: number
) =>
  Effect.gen(() => body(world)).pipe(
    chance === undefined ? identity : always(chance),
    Effect.provide(world.socket.layer)
  )

/** Makes a kind of tests, each of which plays with a world of its own. */
export const scenarios =
  <World extends { readonly socket: FakeSocket }>(make: () => World, usual?: number) =>
  (title: string, body: Body<World>, chance = usual): void =>
    it.scoped(title, () => play(make(), body, chance))

export const scenario = scenarios(setup)

/** The platform's history of conversations, answered in pages. Counts what was asked for. */
export class FakeHistory implements History {
  readonly conversations = new Map<string, Array<Message>>()
  readonly asked: Array<string> = []
  /** What the next question is answered with, in place of a page. */
  readonly failures: Array<CallError> = []
  order?: "newest-first" | "oldest-first"

  constructor(
    private readonly settings: {
      readonly stands: "newest-first" | "oldest-first"
      readonly limit: number
      /** Whether answers say how many pages there are. */
      readonly counts?: boolean
      /** Whether every page is the whole list, as a platform answers that knows no pages. */
      readonly whole?: boolean
    } = { stands: "newest-first", limit: 3 }
  ) {}

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
