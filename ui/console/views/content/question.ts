/** What a list of entries is asked for. */
import { filterTypes, operators, type Query, type Sort } from "@quartet/sdk/extend"
import type { Field } from "../../app/rows.js"
import type { ListQuery } from "../../data/list-state.js"

/** The order of a list in which entries stand as the platform has them. */
export const ownOrder = "own"

/** A rule that every entry of the list keeps. */
export interface Rule {
  readonly field: string
  readonly op: string
  readonly value: string
}

const operatorWords: Readonly<Record<string, string>> = {
  "=": "is",
  "!=": "is not",
  ">": "is more than",
  ">=": "is at least",
  "<": "is less than",
  "<=": "is at most",
  like: "contains"
}

export const operatorChoices = operators.map((op: string) => ({ value: op, label: operatorWords[op] ?? op }))

/** The text of a rule as a value of the field's type. */
const typedValue = (text: string, type: string | undefined): string | number | boolean => {
  if (type === "NUMERIC" && text.trim() !== "" && Number.isFinite(Number(text))) return Number(text)
  if (type === "BOOLEAN" && (text === "true" || text === "false")) return text === "true"
  return text
}

/** A rule as the page's address has it. The value comes last: it may hold dots. */
export const write = ({ field, op, value }: Rule): string => [field, op, value].join(".")

/** The rule that an address has; none where it is no rule. */
export const read = (text: string): ReadonlyArray<Rule> => {
  const [, field, op, value] = /^(\w+)\.([^.]+)\.(.*)$/s.exec(text) ?? []
  return field === undefined || op === undefined || value === undefined ? [] : [{ field, op, value }]
}

/** The order of a list; without one the newest come first, so that a new entry shows. */
const sortOf = (sort = "-createdAt"): ReadonlyArray<Sort> => {
  if (sort === ownOrder) return []
  return [sort.startsWith("-") ? { k: sort.slice(1), v: "desc" } : { k: sort, v: "asc" }]
}

/** The rules, a text that any of the text fields holds, and an order. A rule without a value is not part of it. */
export const questionOf = (
  rules: ReadonlyArray<Rule>,
  { search, sort }: ListQuery,
  fields: ReadonlyArray<Field>
): Query => ({
  filter: rules
    .filter(({ value }) => value !== "")
    .map(({ field, op, value }) => {
      const type = fields.find(({ apiId }) => apiId === field)?.type
      const t = filterTypes.find((candidate) => candidate === type)
      return { k: field, v: typedValue(value, t), op, ...(t && { t }) }
    }),
  search: fields
    .filter(({ type }) => search !== undefined && type === "TEXT")
    .map(({ apiId }) => ({ k: apiId, v: search ?? "", op: "like", t: "TEXT" })),
  sort: sortOf(sort)
})

/** A rule on a field, without a value. */
export const blank = (field: Field | undefined): Rule => ({
  field: field?.apiId ?? "",
  op: field?.type === "TEXT" ? "like" : "=",
  value: field?.type === "BOOLEAN" ? "true" : ""
})
