/** Reads a page from any form in which a platform answers a list. */
import type * as Either from "effect/Either"
import { isRecord } from "effect/Predicate"
import { own } from "../../permissions/own.js"
import type { Page, PageOf, Paging } from "../operation/answer.js"
import { compile } from "./compiler/compile.js"
import type { Step } from "./compiler/step.js"
import { eachItem } from "./compiler/structures.js"
import type { Decode, Failure } from "./decoder.js"
import * as Decoder from "./decoder.js"
import { at, kindOf, note, refuse, revive, within, wrong } from "./state.js"

/** A count, which some platforms write as text. −1 ("unknown") for anything but a whole number from 0. */
export const readCount = (value: unknown): number | undefined => {
  const count = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

/** Fields that commonly hold the items of a list, most telling first. */
const itemFields = ["items", "data", "content", "results", "docs", "list", "rows"]
const pagingFields = ["paging", "pagination", "meta"]

/** Fields that commonly hold the whole answer, with the list inside. */
const wrapperFields = ["result", "response", "payload", "body", "page", "_embedded"]

const isList = (value: unknown): value is Array<unknown> => Array.isArray(value)
const findKey = (record: Record<string, unknown>, key: string | undefined): string | undefined => {
  if (key !== undefined && isList(own(record, key))) return key
  const common = itemFields.find((name) => isList(own(record, name)))
  if (common !== undefined) return common
  // Errors that come with a status of success are no items.
  const lists = Object.keys(record).filter((name) => isList(record[name]) && name !== "errors")
  return lists.length === 1 ? lists[0] : undefined
}

const counts: ReadonlyArray<string> = ["page", "limit", "total", "pages"]

/** The fields around a list, and the invalid counts among them. */
interface Around {
  readonly paging: Paging
  readonly odd: ReadonlyArray<readonly [path: string, value: unknown]>
}

/** The fields beside a list, with those of the paging object merged in. */
const readPaging = (record: Record<string, unknown>, key?: string): Around => {
  const nested = pagingFields.find((name) => name !== key && isRecord(own(record, name)))
  const nestedPaging = nested === undefined ? undefined : own(record, nested)
  const paging: Record<string, unknown> = {}
  const odd: Array<readonly [path: string, value: unknown]> = []
  for (const name of Object.keys(record)) {
    if (name !== key && name !== nested && name !== "__proto__") paging[name] = record[name]
  }
  if (isRecord(nestedPaging))
    for (const name of Object.keys(nestedPaging)) if (name !== "__proto__") paging[name] = nestedPaging[name]
  for (const name of counts) {
    const inner = isRecord(nestedPaging) ? own(nestedPaging, name) : undefined
    const outer = name === key ? undefined : own(record, name)
    const count = readCount(inner) ?? readCount(outer)
    if (count !== undefined) paging[name] = count
    else if (Object.hasOwn(paging, name))
      odd.push([nested !== undefined && inner !== undefined ? `${nested}.${name}` : name, paging[name]])
  }
  return { paging, odd }
}

/** A list as received, with the field that holds it (none for a bare list) and the fields around it. */
interface Found extends Around {
  readonly items: Array<unknown>
  readonly field: string
}

const listOrHolder = "must be a list, or an object that holds one"

const hasText = (value: unknown, names: ReadonlyArray<string>): boolean =>
  names.some((name) => /^(string|number)$/.test(typeof own(value, name)))

/** The list of an object. One with an id of the platform is an item, and a list in it is its own. */
const findIn = (record: Record<string, unknown>, key: string | undefined): Found | undefined => {
  const field = hasText(record, ["_id"]) ? undefined : findKey(record, key)
  const items = field === undefined ? undefined : record[field]
  return field === undefined || !isList(items) ? undefined : { items, field, ...readPaging(record, field) }
}

/** Finds the list in an answer, or the rule that is broken. */
export const find = (value: unknown, key: string | undefined): Found | string => {
  if (isList(value)) return { items: value, field: "", paging: {}, odd: [] }
  return (isRecord(value) ? findIn(value, key) : undefined) ?? listOrHolder
}

/** Finds the list of an answer that wraps it in up to two objects more than it should. */
const findBelow = (value: unknown, key: string | undefined, depth = 2): Found | undefined => {
  if (!isRecord(value) || depth === 0 || hasText(value, ["_id"])) return undefined
  for (const name of [...itemFields, ...wrapperFields]) {
    const wrapper = own(value, name)
    const list = isRecord(wrapper) ? (findIn(wrapper, key) ?? findBelow(wrapper, key, depth - 1)) : undefined
    if (list === undefined) continue
    const outer = readPaging(value, name)
    return {
      items: list.items,
      field: `${name}.${list.field}`,
      paging: { ...outer.paging, ...list.paging },
      odd: [...outer.odd, ...list.odd.map(([path, odd]) => [`${name}.${path}`, odd] as const)]
    }
  }
  return undefined
}

/** What an answer without a list comes to: an object with an id, or a text, is the one item; others have none. */
const withoutList = (value: unknown): Found => {
  if (value === undefined || value === null) return { items: [], field: "", paging: {}, odd: [] }
  return isRecord(value) && !hasText(value, ["_id", "id"])
    ? { items: [], field: "", ...readPaging(value) }
    : { items: [value], field: "", paging: {}, odd: [] }
}

/** Pages of answers that held no list, not even an empty one. */
const listless = /*#__PURE__*/ new WeakSet<object>()

/** Whether the answer of a page held no list: it says nothing of what the platform has. */
export const isListless = (page: Page<unknown>): boolean => listless.has(page)

const step =
  (item: Step, key: string | undefined): Step =>
  (value, state) => {
    const declared = find(value, key)
    const isDeclared = typeof declared !== "string"
    if (!isDeclared) {
      // Some platforms answer null for an empty list, others after the last page.
      if (!state.isTolerant)
        return value === null ? refuse(state, "is null, and holds no list", "Empty") : refuse(state, declared)
      note(state, "", declared, kindOf(value))
    }
    const list = isDeclared ? declared : findBelow(value, key)
    const { field, items, odd, paging } = list ?? withoutList(value)
    const { noted } = state
    if (eachItem(items, item, "answer", state) === wrong) return field === "" ? wrong : at(state, field)
    if (field !== "") within(state, noted, field)
    if (state.isTolerant) for (const [path, value] of odd) note(state, path, "a count", kindOf(value))
    if (revive(paging, state) === wrong) return wrong
    const page = { items, ...(key === undefined ? {} : { [key]: items }), paging }
    if (list === undefined) listless.add(page)
    return page
  }

/** Compiles the decoder of a list. */
export const decoder = <A>(answer: PageOf<A>): Decode<A> => {
  let compiled: Step | undefined
  return (value, source, onMismatch, isTolerant): Either.Either<A, Failure> => {
    compiled ??= step(compile(answer.page.ast, "answer"), answer.key)
    return Decoder.run(compiled, value, source, onMismatch, isTolerant)
  }
}
