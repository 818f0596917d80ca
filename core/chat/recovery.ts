/**
 * Closes a gap: after a reconnection, or once a slow reader has caught up, delivers missed messages before newer ones.
 * Each conversation is read from the platform's pages in either order: from the newest page back to known messages, or
 * from the page of its position to the newest. What cannot be recovered is reported.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { CallError } from "../kernel/errors/errors.js"
import type { Page } from "../kernel/operation/answer.js"
import { inConversation, isObject } from "./decoding.js"
import { ChatError } from "./errors.js"
import { digest, keyOf } from "./identity.js"
import type { Inbox } from "./inbox.js"
import { type Anchor, Generations, missed, missedOfAll } from "./known.js"
import type { Message } from "./model.js"
import { type Order, oldestFirst, orderOf } from "./order.js"
import { type Policy, pauseBefore } from "./policy.js"
import type { Figures } from "./state.js"

/** Conversations that are read at the same time. */
const concurrency = 4

/** Maximum attempts to read one conversation's missed messages. */
const tries = 3

/** The longest `Retry-After` to wait for while messages are held back, in milliseconds. */
const longestWait = 60_000

/** The source of missed messages. */
export interface History {
  /** One page of a conversation's messages; pages count from 1. A page past the last is empty, or NotFound. */
  readonly page: (conversationId: string, page: number) => Effect.Effect<Page<Message>, CallError>
  /** The platform's order; by default detected from the messages' times. */
  readonly order?: Order
}

/** A page for recovery: entries that are not objects are omitted from its items, but counted. */
interface Read extends Page<Message> {
  /** The number of items in the answer. */
  readonly size: number
  /** Identifies the page by its first item. Undefined if it is empty. */
  readonly mark: string | undefined
}

interface Place {
  readonly conversationId: string
  readonly anchor: Anchor
}

/** The number of pages, if the platform gives it. */
const pagesOf = ({ paging, size }: Read): number | undefined => {
  if (paging.pages !== undefined) return paging.pages
  const { limit = size, total } = paging
  return total === undefined || limit < 1 ? undefined : Math.ceil(total / limit)
}

/** Whether there is certainly no page after this one. */
const isLast = (page: Read, number: number): boolean =>
  page.size === 0 || number >= (pagesOf(page) ?? Number.POSITIVE_INFINITY)

const readOf = ({ items, paging }: Page<Message>, conversationId: string): Read => {
  const [first] = items
  return {
    items: inConversation(items.filter(isObject), conversationId),
    paging,
    size: items.length,
    mark: first === undefined ? undefined : isObject(first) ? keyOf(first) : `#${digest(first)}`
  }
}

/** The next page, unless it is empty or was read before: a platform without paging always answers the same one. */
const isNew = ({ mark }: Read, met: Set<string>): boolean => {
  if (mark === undefined || met.has(mark)) return false
  met.add(mark)
  return true
}

/** Reads one conversation at a time. */
class Reader {
  private order: Order | undefined
  /** The last page of each conversation, if the oldest messages come first. */
  private readonly ends = new Generations<number>(1_000)

  constructor(
    private readonly history: History,
    private readonly inbox: Inbox,
    private readonly longestGap: number
  ) {
    this.order = history.order
  }

  /** Delivers the missed messages of a conversation, oldest first. */
  run(conversationId: string, opened: Date): Effect.Effect<void, CallError | ChatError> {
    const place: Place = { conversationId, anchor: this.inbox.known.anchor(conversationId, opened) }
    const end = this.ends.get(conversationId)
    if (this.order === "oldest-first" && end !== undefined) return this.fromOldest(place, end)
    return Effect.flatMap(this.page(place, 1), (first) => {
      this.order ??= orderOf(first.items)
      if (this.order === "oldest-first") return this.fromOldest(place, Math.max(1, pagesOf(first) ?? 1))
      return this.fromNewest(place, first, this.order === "newest-first")
    })
  }

  private page({ conversationId }: Place, number: number): Effect.Effect<Read, CallError> {
    return this.history.page(conversationId, number).pipe(
      Effect.catchTag("NotFound", () => Effect.succeed({ items: [], paging: {} })),
      Effect.map((page) => {
        const read = readOf(page, conversationId)
        const unreadable = page.items.flatMap((item, index) => (isObject(item) ? [] : index))
        this.inbox.turnPage(read.items, unreadable)
        return read
      })
    )
  }

  /** Reads from the newest page until a known message. Without a known order, it reads all pages. */
  private fromNewest(
    place: Place,
    first: Read,
    isOrdered: boolean
  ): Effect.Effect<void, CallError | ChatError> {
    const { inbox, longestGap } = this
    const { known } = inbox
    const next = (number: number) => this.page(place, number)
    return Effect.gen(function* () {
      const runs: Array<ReadonlyArray<Message>> = []
      const met = new Set<string>()
      let page = first
      let count = 0
      for (let number = 1; ; number++) {
        if (!isNew(page, met)) break
        const run = missed([...page.items].reverse(), known, place.anchor)
        runs.push(isOrdered ? run.messages : page.items)
        count += page.size
        if ((isOrdered && run.reached) || isLast(page, number) || count > longestGap) break
        page = yield* next(number + 1)
      }
      const messages = isOrdered
        ? runs.reverse().flat()
        : missedOfAll(oldestFirst(runs.flat()), known, place.anchor)
      yield* inbox.tellAll(messages)
      if (count > longestGap) return yield* tooLong(longestGap)
    })
  }

  /** Reads back from a page until a known message, then on to the newest, holding one page at a time. */
  private fromOldest(place: Place, start: number): Effect.Effect<void, CallError | ChatError> {
    const { ends, inbox, longestGap } = this
    const { known } = inbox
    const at = (number: number) => this.page(place, number)
    return Effect.gen(function* () {
      let number = start
      let page = yield* at(number)
      let unseen = missed(page.items, known, place.anchor)
      while (!unseen.reached && number > 1) {
        number -= 1
        page = yield* at(number)
        unseen = missed(page.items, known, place.anchor)
      }
      const met = new Set(page.mark === undefined ? [] : [page.mark])
      let count = unseen.messages.length
      let hasMet = unseen.met
      yield* inbox.tellAll(unseen.messages)
      while (!isLast(page, number)) {
        const after = yield* at(number + 1)
        if (!isNew(after, met)) break
        number += 1
        page = after
        // Messages before the first delivered one are older than the chat.
        unseen = missed(page.items, known, place.anchor)
        const messages = hasMet
          ? page.items.filter((item) => known.compare(item) !== "told")
          : unseen.messages
        hasMet ||= unseen.met
        count += messages.length
        if (count > longestGap) return yield* tooLong(longestGap)
        yield* inbox.tellAll(messages)
      }
      ends.set(place.conversationId, number)
    })
  }
}

const tooLong = (most: number): ChatError =>
  new ChatError({
    operation: "chat.recover",
    reason: "Overflow",
    detail: `a gap is longer than the ${most} messages that may be recovered`
  })

/** Closes the present gap. It may be interrupted; the next run continues where it stopped. */
export type Recover = (isReconnected: boolean) => Effect.Effect<void>

export const make = (options: {
  readonly policy: Policy
  readonly inbox: Inbox
  readonly figures: Figures
  readonly history: History | undefined
  /** Conversations that are read even if nothing of them was received yet. */
  readonly conversations: ReadonlyArray<string>
  readonly opened: Date
}): Recover => {
  const { figures, history, inbox, opened, policy } = options

  const reader = history && new Reader(history, inbox, policy.longestGap)

  const read = (reader: Reader, conversationId: string, failures = 0): Effect.Effect<void> =>
    Effect.catchAll(reader.run(conversationId, opened), (error: CallError | ChatError) => {
      const wait = error._tag === "ChatError" ? undefined : error.retryAfter
      const mayPass = error._tag !== "ChatError" && error.retryable && (wait ?? 0) <= longestWait
      if (mayPass && failures + 1 < tries) {
        return Effect.flatMap(Random.next, (chance) => {
          const pause = wait ?? pauseBefore(policy, failures, chance)
          return Effect.zipRight(
            Effect.sleep(Duration.millis(pause)),
            read(reader, conversationId, failures + 1)
          )
        })
      }
      return Effect.sync(() => {
        figures.gaps += 1
        inbox.report({ _tag: "Gap", conversationId, error })
      })
    })

  const readAll: Effect.Effect<void> = Effect.suspend(() => {
    inbox.beginReading()
    if (reader === undefined) return Effect.void
    const ids = new Set([...inbox.conversations(), ...options.conversations])
    return Effect.forEach(ids, (id) => read(reader, id), { concurrency, discard: true })
  })

  /** A server that sends a history on connection may need a moment. */
  const waitForHistory: Effect.Effect<void> = Effect.suspend(() =>
    inbox.historyCame === undefined
      ? Effect.void
      : Effect.timeoutOption(inbox.historyCame.await, Duration.millis(policy.historyWait))
  )

  const close: Effect.Effect<void> = readAll.pipe(
    Effect.zipRight(Effect.suspend(() => inbox.tellAll(inbox.takeHistories()))),
    Effect.zipRight(inbox.closeGap),
    Effect.flatMap((isClosed) => (isClosed ? Effect.void : close))
  )

  return (isReconnected) => (isReconnected ? Effect.zipRight(waitForHistory, close) : close)
}
