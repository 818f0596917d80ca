/** Reads a page out of whatever form a list is answered in, and walks all pages of a list as a Stream. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Page, PageOf, Paging } from "./answer.js"
import { compile, eachItem } from "./compiler.js"
import type { Decode, Failure } from "./decoder.js"
import * as Decoder from "./decoder.js"
import { AnswerError, type CallError } from "./errors.js"
import type { Step } from "./interpreter.js"
import { within } from "./mismatch.js"
import { at, refuseFatally, revive, wrong } from "./walk.js"

/** Fields that commonly hold the items of a list, most telling first. */
const itemFields = ["items", "data", "content", "results", "docs", "list", "rows"]
const pagingFields = ["paging", "pagination", "meta"]

const isList = (value: unknown): value is Array<unknown> => Array.isArray(value)
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const own = (record: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(record, key) ? record[key] : undefined

const findKey = (record: Record<string, unknown>, key: string | undefined): string | undefined => {
  if (key !== undefined && isList(own(record, key))) return key
  const common = itemFields.find((name) => isList(own(record, name)))
  if (common !== undefined) return common
  const lists = Object.keys(record).filter((name) => isList(record[name]))
  return lists.length === 1 ? lists[0] : undefined
}

const counts: ReadonlyArray<string> = ["page", "limit", "total", "pages"]

/** A count, which some platforms write as text. What is no whole number from 0 says nothing: −1 for "not known". */
const readCount = (value: unknown): number | undefined => {
  const count = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

/** The fields of the object that holds the paging; counts may also stand beside the list itself. */
const readPaging = (record: Record<string, unknown>, key: string): Paging => {
  const nested = pagingFields.map((name) => own(record, name)).find(isRecord)
  const source = nested ?? record
  const paging: Record<string, unknown> = {}
  for (const name of Object.keys(source)) {
    if (name !== key && name !== "__proto__" && !counts.includes(name)) paging[name] = source[name]
  }
  for (const name of counts) {
    const count = readCount(own(source, name)) ?? readCount(own(record, name))
    if (count !== undefined) paging[name] = count
  }
  return paging
}

const step =
  (item: Step, key: string | undefined): Step =>
  (value, state) => {
    if (isList(value)) return eachItem(value, item, "answer", state) ? { items: value, paging: {} } : wrong
    if (!isRecord(value)) return refuseFatally(state, "must be a list, or an object that holds one")
    const found = findKey(value, key)
    if (found === undefined) return refuseFatally(state, "must hold one list of items")
    const list = value[found] as Array<unknown>
    const { noted } = state
    if (!eachItem(list, item, "answer", state)) return at(state, found)
    within(state, noted, found)
    const paging = readPaging(value, found)
    return revive(paging, state) === wrong ? wrong : { items: list, paging }
  }

/** Compiles the decoder of a list. */
export const decoder = <A>(answer: PageOf<A>): Decode<A> => {
  let compiled: Step | undefined
  return (value, source, onMismatch): Either.Either<A, Failure> => {
    compiled ??= step(compile(answer.page.ast, "answer"), answer.key)
    return Decoder.run(compiled, value, source, onMismatch)
  }
}

/** How `pages` asks for the next page. The specification names `limit` and `page` (profile followers). */
export interface Walk {
  /** Number of the first page; 1 by default. */
  readonly first?: number
  /** Items a page; the platform decides where it is left out. */
  readonly limit?: number
}

/** Whether nothing follows a page, by the platform's counts or else by a page that is not full. */
export const isLast = (
  page: Page<unknown>,
  number: number,
  first: number,
  seen: number,
  limit: number | undefined
): boolean => {
  const { pages, total } = page.paging
  if (page.items.length === 0) return true
  const most = typeof page.paging.limit === "number" ? page.paging.limit : limit
  // Platforms count from 0 or from 1; a walk that begins later has skipped what is before it.
  const base = Math.min(first, 1)
  if (typeof pages === "number") return number - base + 1 >= pages
  if (typeof total === "number") return (first - base) * (most ?? page.items.length) + seen >= total
  return most === undefined || page.items.length < most
}

/** What tells a page from the one before it: its length and its ends. */
const markOf = (items: ReadonlyArray<unknown>): string =>
  items.length === 0
    ? ""
    : JSON.stringify([items.length, items[0], items.at(-1)], (_, held: unknown) =>
        typeof held === "bigint" ? `${held}n` : held
      )

/**
 * All items of a list, page after page, holding one page at a time. Ends where the platform's counts say so, or at
 * the first page that is not full. A platform that answers one page twice fails with AnswerError `Paging`.
 */
export const stream = <A, R>(
  operation: string,
  get: (paging: { readonly page: number; readonly limit?: number }) => Effect.Effect<Page<A>, CallError, R>,
  { first = 1, limit }: Walk = {}
): Stream.Stream<A, CallError, R> =>
  Stream.paginateChunkEffect({ number: first, seen: 0, last: "" }, ({ last, number, seen }) =>
    Effect.flatMap(get({ page: number, ...(limit === undefined ? {} : { limit }) }), (page) => {
      const mark = markOf(page.items)
      if (mark !== "" && mark === last) {
        const rule = `repeats itself: page ${number} is page ${number - 1} again, so the platform does not page this list`
        return Effect.fail(new AnswerError({ operation, reason: "Paging", rule }))
      }
      const total = seen + page.items.length
      const next = isLast(page, number, first, total, limit)
        ? Option.none()
        : Option.some({ number: number + 1, seen: total, last: mark })
      return Effect.succeed([Chunk.unsafeFromArray([...page.items]), next] as const)
    })
  )
