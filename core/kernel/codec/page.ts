/** Reads a page from any form in which a platform answers a list. */
import type * as Either from "effect/Either"
import { isRecord } from "effect/Predicate"
import { own } from "../../permissions/own.js"
import type { PageOf, Paging } from "../operation/answer.js"
import { compile, eachItem, type Step } from "./compiler.js"
import type { Decode, Failure } from "./decoder.js"
import * as Decoder from "./decoder.js"
import { at, kindOf, note, refuseFatally, revive, within, wrong } from "./state.js"

/** A count, which some platforms write as text. −1 ("unknown") for anything but a whole number from 0. */
export const readCount = (value: unknown): number | undefined => {
  const count = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

/** Fields that commonly hold the items of a list, most telling first. */
const itemFields = ["items", "data", "content", "results", "docs", "list", "rows"]
const pagingFields = ["paging", "pagination", "meta"]

const isList = (value: unknown): value is Array<unknown> => Array.isArray(value)
const findKey = (record: Record<string, unknown>, key: string | undefined): string | undefined => {
  if (key !== undefined && isList(own(record, key))) return key
  const common = itemFields.find((name) => isList(own(record, name)))
  if (common !== undefined) return common
  const lists = Object.keys(record).filter((name) => isList(record[name]))
  return lists.length === 1 ? lists[0] : undefined
}

const counts: ReadonlyArray<string> = ["page", "limit", "total", "pages"]

/** The fields around a list, and the invalid counts among them. */
interface Around {
  readonly paging: Paging
  readonly odd: ReadonlyArray<readonly [path: string, value: unknown]>
}

/** The fields beside a list, with those of the paging object merged in. */
const readPaging = (record: Record<string, unknown>, key: string): Around => {
  const nested = pagingFields.find((name) => name !== key && isRecord(own(record, name)))
  const held = nested === undefined ? undefined : own(record, nested)
  const paging: Record<string, unknown> = {}
  const odd: Array<readonly [path: string, value: unknown]> = []
  for (const name of Object.keys(record)) {
    if (name !== key && name !== nested && name !== "__proto__") paging[name] = record[name]
  }
  if (isRecord(held))
    for (const name of Object.keys(held)) if (name !== "__proto__") paging[name] = held[name]
  for (const name of counts) {
    const inner = isRecord(held) ? own(held, name) : undefined
    const outer = name === key ? undefined : own(record, name)
    const count = readCount(inner) ?? readCount(outer)
    if (count !== undefined) paging[name] = count
    else if (Object.hasOwn(paging, name))
      odd.push([nested !== undefined && inner !== undefined ? `${nested}.${name}` : name, paging[name]])
  }
  return { paging, odd }
}

/** A list as received, with the field that holds it (none for a bare list) and the fields around it. */
interface Found {
  readonly items: Array<unknown>
  readonly field: string
  readonly paging: Paging
  readonly odd: Around["odd"]
}

/** Finds the list in an answer, or the rule that is broken. */
export const find = (value: unknown, key: string | undefined): Found | string => {
  if (isList(value)) return { items: value, field: "", paging: {}, odd: [] }
  if (!isRecord(value)) return "must be a list, or an object that holds one"
  const field = findKey(value, key)
  const items = field === undefined ? undefined : value[field]
  if (field === undefined || !isList(items)) return "must hold one list of items"
  return { items, field, ...readPaging(value, field) }
}

const step =
  (item: Step, key: string | undefined): Step =>
  (value, state) => {
    // Some platforms answer this for an empty list, others after the last page.
    if (value === null) return refuseFatally(state, "is null, and holds no list", "Empty")
    const found = find(value, key)
    if (typeof found === "string") return refuseFatally(state, found)
    const { field, items, odd, paging } = found
    const { noted } = state
    if (eachItem(items, item, "answer", state) === wrong) return field === "" ? wrong : at(state, field)
    if (field !== "") within(state, noted, field)
    if (state.isTolerant) for (const [path, value] of odd) note(state, path, "a count", kindOf(value))
    return revive(paging, state) === wrong ? wrong : { items, paging }
  }

/** Compiles the decoder of a list. */
export const decoder = <A>(answer: PageOf<A>): Decode<A> => {
  let compiled: Step | undefined
  return (value, source, onMismatch): Either.Either<A, Failure> => {
    compiled ??= step(compile(answer.page.ast, "answer"), answer.key)
    return Decoder.run(compiled, value, source, onMismatch)
  }
}
