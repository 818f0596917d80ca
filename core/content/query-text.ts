/**
 * Filters and sorts as the text of a query, both ways: clients write it, and the sandbox reads it.
 *
 * v3 writes a filter as `op|value|type`. Operator and type never hold a bar, so the first and the last bar separate the
 * parts and a value may hold any text. v2 writes the condition (specification, point 7): `<value` for `lt`, `>value` for
 * `gt`, and the value as it is for `contains`. It has no escapes: without a condition, a plain value that begins with `<`
 * or `>` is refused, because it would read as another comparison.
 */
import * as Either from "effect/Either"
import type { Refusal } from "../kernel/operation/input.js"
import { isDate } from "../kernel/operation/schema.js"
import type { Condition, Filter, Operator, Sort, Value } from "./query.js"

/** Filters, searches and sorts that were read from a query. */
export interface Query {
  readonly filter: ReadonlyArray<Filter>
  readonly search: ReadonlyArray<Filter>
  readonly sort: ReadonlyArray<Sort>
}

const operatorOf: Readonly<Record<Condition, Operator>> = { contains: "like", lt: "<", gt: ">" }

const textOf = (value: Value): string => (isDate(value) ? value.toISOString() : String(value))

const typeOf = (value: Value): "TEXT" | "NUMERIC" | "BOOLEAN" =>
  typeof value === "number" ? "NUMERIC" : typeof value === "boolean" ? "BOOLEAN" : "TEXT"

/** A value of the named type, if it is written back as the same text; else the text. */
const readValue = (text: string, type: string): Value => {
  if (type === "NUMERIC") {
    const number = Number(text)
    return Number.isFinite(number) && String(number) === text ? number : text
  }
  if (type === "BOOLEAN" && (text === "true" || text === "false")) return text === "true"
  return text
}

/** A filter in v3: `op|value|type`. Without `op`, the condition's operator; without either, equality. */
export const v3 = ({ condition, op, t, v }: Filter): string =>
  `${op ?? (condition === undefined ? "=" : operatorOf[condition])}|${textOf(v)}|${t ?? typeOf(v)}`

/** Reads a filter of v3. Operator and type are always present; the value has the type's JavaScript type. */
export const parseV3 = (k: string, text: string): Either.Either<Filter, string> => {
  const first = text.indexOf("|")
  const last = text.lastIndexOf("|")
  if (first <= 0 || last === first || last === text.length - 1)
    return Either.left("must be operator|value|type")
  const t = text.slice(last + 1)
  return Either.right({ k, v: readValue(text.slice(first + 1, last), t), op: text.slice(0, first), t })
}

/** The prefix of a value in v2: the condition's, else the operator's; undefined for an operator that v2 lacks. */
const markOf = ({ condition, op }: Filter): "<" | ">" | "" | undefined => {
  switch (condition === undefined ? (op ?? "=") : operatorOf[condition]) {
    case "<":
      return "<"
    case ">":
      return ">"
    case "=":
    case "like":
      return ""
    default:
      return undefined
  }
}

const isMarked = (text: string): boolean => text.startsWith("<") || text.startsWith(">")

/**
 * Whether v2 can express a filter: any condition; without one, `<` and `>`, or `=` and `like` if the value does not
 * begin with `<` or `>`.
 */
export const isSayableInV2 = (filter: Filter): boolean => {
  const mark = markOf(filter)
  return mark !== undefined && (mark !== "" || filter.condition !== undefined || !isMarked(textOf(filter.v)))
}

/**
 * A filter in v2, if v2 can express it: `<value`, `>value`, or the plain value. v2 writes `contains` and equality
 * alike, and no type.
 */
export const v2 = (filter: Filter): string => `${markOf(filter) ?? ""}${textOf(filter.v)}`

/** Reads a filter of v2. The value is text. */
export const parseV2 = (k: string, text: string): Filter =>
  isMarked(text) ? { k, v: text.slice(1), condition: text.startsWith("<") ? "lt" : "gt" } : { k, v: text }

/** A sort in v3: `v`, or `v|t`. */
export const sort = ({ t, v }: Sort): string => (t === undefined ? v : `${v}|${t}`)

/** Reads a sort of v3. */
export const parseSort = (k: string, text: string): Either.Either<Sort, string> => {
  const [v = "", t, ...more] = text.split("|")
  if (v === "" || t === "" || more.length > 0) return Either.left("must be direction, or direction|type")
  return Either.right(t === undefined ? { k, v } : { k, v, t })
}

/** The field in a query's name: `title` of `p.title` under the prefix `p.`. */
const keyAfter = (prefix: string, name: string): string | undefined =>
  name.startsWith(prefix) && name.length > prefix.length ? name.slice(prefix.length) : undefined

/** Reads one kind of item from a query's pairs, in order. */
const collect = <A>(
  pairs: Iterable<readonly [string, string]>,
  prefix: string,
  read: (k: string, text: string) => Either.Either<A, string>
): Either.Either<ReadonlyArray<A>, Refusal> => {
  const entries: Array<Either.Either<A, Refusal>> = []
  for (const [name, text] of pairs) {
    const key = keyAfter(prefix, name)
    if (key !== undefined) entries.push(Either.mapLeft(read(key, text), (rule) => ({ field: name, rule })))
  }
  return Either.all(entries)
}

/** Reads the filters (`f.`) and searches (`s.`) of a query to v2. Other pairs are ignored. */
export const parseQueryV2 = (pairs: Iterable<readonly [string, string]>): Query => {
  const all = [...pairs]
  const read = (prefix: string): ReadonlyArray<Filter> =>
    all.flatMap(([name, text]) => {
      const key = keyAfter(prefix, name)
      return key === undefined ? [] : [parseV2(key, text)]
    })
  return { filter: read("f."), search: read("s."), sort: [] }
}

/** Reads the filters (`p.`), searches (`s.`) and sorts (`o.`) of a query to v3, or returns the invalid pair. */
export const parseQueryV3 = (pairs: Iterable<readonly [string, string]>): Either.Either<Query, Refusal> => {
  const all = [...pairs]
  return Either.all({
    filter: collect(all, "p.", parseV3),
    search: collect(all, "s.", parseV3),
    sort: collect(all, "o.", parseSort)
  })
}
