/** The filters and sorts of the builder, as the SDK's input and as the query that it sends. */
import { type Filter, filterTypes, operators, type Sort } from "../../../../core/content/query.js"
import * as QueryText from "../../../../core/content/query-text.js"
import type { Field } from "../../app/rows.js"

/** One line of the builder. `find`: any of these must hold; `where`: all must. */
export interface Line {
  readonly kind: "where" | "find" | "sort"
  readonly field: string
  readonly op: string
  readonly value: string
}

export const kinds = [
  { value: "where", label: "All of these" },
  { value: "find", label: "Any of these" },
  { value: "sort", label: "Sort by" }
] as const

const operatorWords: Readonly<Record<string, string>> = {
  "=": "is",
  "!=": "is not",
  ">": "is more than",
  ">=": "is at least",
  "<": "is less than",
  "<=": "is at most",
  like: "contains"
}

export const operatorChoices = operators.map((op) => ({
  value: op as string,
  label: operatorWords[op] ?? op
}))
export const directionChoices = [
  { value: "asc", label: "upwards" },
  { value: "desc", label: "downwards" }
]

const typeOf = (field: Field | undefined): string | undefined =>
  filterTypes.find((type) => type === field?.type)

/** The text of a line as a value of the field's type. */
const typedValue = (text: string, type: string | undefined): string | number | boolean => {
  if (type === "NUMERIC" && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text)
  if (type === "BOOLEAN" && (text === "true" || text === "false")) return text === "true"
  return text
}

export interface Question {
  readonly filter: ReadonlyArray<Filter>
  readonly search: ReadonlyArray<Filter>
  readonly sort: ReadonlyArray<Sort>
}

/** A line as the page's address has it. The value comes last: it may hold dots. */
export const write = ({ field, kind, op, value }: Line): string => [kind, field, op, value].join(".")

/** The line that an address has; none where it is no line. */
export const read = (text: string): ReadonlyArray<Line> => {
  const [, name, field = "", op = "", value = ""] = /^(\w+)\.(\w*)\.([^.]+)\.(.*)$/s.exec(text) ?? []
  return kinds.filter((kind) => kind.value === name).map((kind) => ({ kind: kind.value, field, op, value }))
}

/** What there is without a sort: the newest first, so that a new entry shows. */
const newest: Sort = { k: "createdAt", v: "desc" }

/** The question of all lines. A line without a value is not part of it. */
export const questionOf = (lines: ReadonlyArray<Line>, fields: ReadonlyArray<Field>): Question => {
  const filters = (kind: Line["kind"]): ReadonlyArray<Filter> =>
    lines
      .filter((line) => line.kind === kind && line.value !== "")
      .map(({ field, op, value }) => {
        const t = typeOf(fields.find(({ apiId }) => apiId === field))
        return { k: field, v: typedValue(value, t), op, ...(t === undefined ? {} : { t }) }
      })
  const sorts = lines.filter(({ kind }) => kind === "sort").map(({ field, op }) => ({ k: field, v: op }))
  return {
    filter: filters("where"),
    search: filters("find"),
    sort: sorts.length === 0 ? [newest] : sorts
  }
}

/** The query as it goes over the wire, before percent-encoding, one pair per line. */
export const queryText = ({ filter, search, sort }: Question, lang: string): ReadonlyArray<string> => [
  `lang=${lang}`,
  ...filter.map((one) => `p.${one.k}=${QueryText.v3(one)}`),
  ...search.map((one) => `s.${one.k}=${QueryText.v3(one)}`),
  ...sort.map((one) => `o.${one.k}=${QueryText.sort(one)}`)
]

/** A line of a kind on a field, without a value. */
export const blank = (kind: Line["kind"], field: Field | undefined): Line => ({
  kind,
  field: field?.apiId ?? "",
  op: kind === "sort" ? "desc" : field?.type === "TEXT" ? "like" : "=",
  value: field?.type === "BOOLEAN" && kind !== "sort" ? "true" : ""
})
