/**
 * Reads what was missed in one conversation from the platform's pages, whichever way they are ordered: from the newest
 * page back to what is known, or from the page where the conversation stood on to the newest.
 */
import * as Effect from "effect/Effect"
import type { CallError } from "../kernel/errors/errors.js"
import type { Page } from "../kernel/operation/answer.js"
import { inConversation, isObject } from "./decoding.js"
import { ChatError } from "./errors.js"
import { digest, keyOf } from "./identity.js"
import { type Anchor, Generations, type Known, missed, missedOfAll } from "./known.js"
import type { Message } from "./model.js"
import { type Order, oldestFirst, orderOf } from "./order.js"

/** Where missed messages are read. */
export interface History {
  /** One page of a conversation's messages; pages count from 1. A page past the last is empty, or NotFound. */
  readonly page: (conversationId: string, page: number) => Effect.Effect<Page<Message>, CallError>
  /** How the platform orders them. Found out from the messages' times where it is left out. */
  readonly order?: Order
}

/** Tells messages in their order; waits for readers that are behind. */
export type Tell = (messages: ReadonlyArray<Message>) => Effect.Effect<void>

/** A page as it is worked with: what is no object is left out of its items, and counts. */
interface Read extends Page<Message> {
  /** How many items the platform answered. */
  readonly size: number
  /** Tells it from other pages: by its first item. Undefined where it is empty. */
  readonly mark: string | undefined
}

interface Place {
  readonly conversationId: string
  readonly anchor: Anchor
}

/** How many pages there are, where the platform says so. */
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

/** The next page, unless it is empty or was met before: a platform that knows no pages answers one again and again. */
const isNew = ({ mark }: Read, met: Set<string>): boolean => {
  if (mark === undefined || met.has(mark)) return false
  met.add(mark)
  return true
}

export class Recovery {
  private order: Order | undefined
  /** The page where each conversation last ended, where the oldest come first. */
  private readonly ends = new Generations<number>(1_000)

  constructor(
    private readonly history: History,
    private readonly known: Known,
    private readonly tell: Tell,
    private readonly longestGap: number,
    /** Told of each page: its messages, and the places of items that are no objects. */
    private readonly onPage: (messages: ReadonlyArray<Message>, unreadable: ReadonlyArray<number>) => void
  ) {
    this.order = history.order
  }

  /** Tells what was missed in a conversation, oldest first. */
  run(conversationId: string, opened: Date): Effect.Effect<void, CallError | ChatError> {
    const place: Place = { conversationId, anchor: this.known.anchor(conversationId, opened) }
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
        this.onPage(read.items, unreadable)
        return read
      })
    )
  }

  /** Walks from the newest page until it meets what is known. Without an order to go by, it reads all pages. */
  private fromNewest(
    place: Place,
    first: Read,
    isOrdered: boolean
  ): Effect.Effect<void, CallError | ChatError> {
    const { known, longestGap, tell } = this
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
      yield* tell(messages)
      if (count > longestGap) return yield* tooLong(longestGap)
    })
  }

  /** Walks back from a page until it meets what is known, then on to the newest, holding one page at a time. */
  private fromOldest(place: Place, start: number): Effect.Effect<void, CallError | ChatError> {
    const { ends, known, longestGap, tell } = this
    const at = (number: number) => this.page(place, number)
    return Effect.gen(function* () {
      let number = start
      let page = yield* at(number)
      let found = missed(page.items, known, place.anchor)
      while (!found.reached && number > 1) {
        number -= 1
        page = yield* at(number)
        found = missed(page.items, known, place.anchor)
      }
      const met = new Set(page.mark === undefined ? [] : [page.mark])
      let count = found.messages.length
      let hasMet = found.met
      yield* tell(found.messages)
      while (!isLast(page, number)) {
        const after = yield* at(number + 1)
        if (!isNew(after, met)) break
        number += 1
        page = after
        // What stands before the first told message was there before the chat was opened.
        found = missed(page.items, known, place.anchor)
        const messages = hasMet ? page.items.filter((item) => known.compare(item) !== "told") : found.messages
        hasMet ||= found.met
        count += messages.length
        if (count > longestGap) return yield* tooLong(longestGap)
        yield* tell(messages)
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
