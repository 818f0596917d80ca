/** Content as visitors read it, by the three versions of the API: filtered, searched, sorted, and in their language. */

import { type Filter, parseQueryV2, parseQueryV3, type Query, type Sort } from "@quartet/sdk/extend"
import * as Content from "@quartet/sdk/extend/operations/content"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Handler, handle } from "../platform/handler.js"
import { invalid, notFound, type Refusal } from "../platform/refusal.js"
import type { Entry, Model } from "../state/entities.js"
import { isShown } from "../state/publication.js"
import { compare, paged, select } from "../state/select.js"
import type { State } from "../state/state.js"

type Fields = Readonly<Record<string, unknown>>
type Visible = Fields & { readonly _id: string }

/** An entry for a visitor: in their language, if translated. */
const visible = (entry: Entry, lang: string | undefined): Visible => {
  const { modelId: _, translations, ...values } = entry
  if (lang === undefined) return { ...values, _id: entry._id }
  return { ...values, ...translations[lang], _id: entry._id, lang }
}

const modelOf = (state: State, apiId: string): Effect.Effect<Model, Refusal> => {
  const model = state.models.find((candidate) => candidate.apiId === apiId)
  return model === undefined ? Effect.fail(notFound("the content model")) : Effect.succeed(model)
}

const entriesOf = (state: State, model: Model, lang?: string): ReadonlyArray<Visible> =>
  state.entries
    .filter((entry) => entry.modelId === model._id && isShown(entry, model))
    .map((entry) => visible(entry, lang))

const checkLanguage = (state: State, lang: string | undefined): Effect.Effect<void, Refusal> => {
  return lang === undefined || state.project.languages?.includes(lang) === true
    ? Effect.void
    : Effect.fail(invalid("lang", "is not a language of the project"))
}

const textOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value))

/** A value converted for a filter's type. */
const typed = (value: unknown, type: string | undefined): unknown => {
  if (type === "NUMERIC") return Number(value)
  return value === null || value === undefined ? value : textOf(value).toLowerCase()
}

/** Whether a field passes a filter, or undefined for an unknown operator. */
const passes = (row: Fields, { k, op, t, v }: Filter): boolean | undefined => {
  const field = row[k]
  const isThere = field !== undefined && field !== null
  // `contains` is `like` in v3, so neither knows a wildcard: `100%` finds what contains it.
  if (op === "like") return isThere && textOf(field).toLowerCase().includes(textOf(v).toLowerCase())
  const order = compare(typed(field, t), typed(v, t))
  switch (op) {
    case "=":
      return order === 0
    case "!=":
      return order !== 0
    case ">":
      return isThere && order > 0
    case ">=":
      return isThere && order >= 0
    case "<":
      return isThere && order < 0
    case "<=":
      return isThere && order <= 0
    default:
      return undefined
  }
}

/** A filter of v2 as one of v3: numbers compare as numbers, text as text; a plain value means `contains`. */
const inV3 = (model: Model, { condition, k, v }: Filter): Filter => {
  const type = model.fields.find((field) => field.apiId === k)?.type
  const t = type === "NUMERIC" ? "NUMERIC" : "TEXT"
  const op = condition === "lt" ? "<" : condition === "gt" ? ">" : type === "TEXT" ? "like" : "="
  return { k, v, op, t }
}

const checkKeys = (
  model: Model,
  items: ReadonlyArray<Filter | Sort>,
  prefix: string
): Effect.Effect<void, Refusal> => {
  const known = new Set(["_id", "createdAt", "updatedAt", ...model.fields.map((field) => field.apiId)])
  const unknown = items.find(({ k }) => !known.has(k))
  return unknown === undefined
    ? Effect.void
    : Effect.fail(invalid(`${prefix}${unknown.k}`, `is not a field of the model ${model.apiId}`))
}

/** The entries that pass every filter and, if there are searches, at least one of them, in the order of the sorts. */
const runQuery = (
  rows: ReadonlyArray<Visible>,
  { filter, search, sort }: Query
): Effect.Effect<ReadonlyArray<Visible>, Refusal> =>
  Effect.gen(function* () {
    const strange = [...filter, ...search].find((condition) => passes({}, condition) === undefined)
    if (strange !== undefined) return yield* invalid(strange.k, `cannot be compared by ${strange.op}`)
    const wrong = sort.find(({ v }) => !["asc", "desc", "1", "-1"].includes(v.toLowerCase()))
    if (wrong !== undefined) return yield* invalid(`o.${wrong.k}`, "must be asc or desc")
    const matches = rows.filter(
      (row) =>
        filter.every((condition) => passes(row, condition)) &&
        (search.length === 0 || search.some((condition) => passes(row, condition)))
    )
    return [...matches].sort((a, b) => {
      for (const { k, t, v } of sort) {
        const order = t === undefined ? compare(a[k], b[k]) : compare(typed(a[k], t), typed(b[k], t))
        if (order !== 0) return v.toLowerCase() === "desc" || v === "-1" ? -order : order
      }
      return 0
    })
  })

/** The paging of a query; its other fields belong to the content. */
const paging = ({ limit, page }: Fields): Fields => ({ limit, page })

export const visitorContent: ReadonlyArray<Handler> = [
  handle(Content.listV1, ({ input, state }) =>
    Effect.gen(function* () {
      const { apiId, ...query } = input
      const model = yield* modelOf(state, apiId)
      return yield* select(entriesOf(state, model), query)
    })
  ),

  handle(Content.getV1, ({ input, state }) =>
    Effect.gen(function* () {
      const model = yield* modelOf(state, input.apiId)
      const entry = yield* state.entries.get(
        input.id,
        (entry) => entry.modelId === model._id && isShown(entry, model)
      )
      return visible(entry, undefined)
    })
  ),

  handle(Content.listV2, ({ input, query, state }) =>
    Effect.gen(function* () {
      const model = yield* modelOf(state, input.apiId)
      const { filter, search } = parseQueryV2(query)
      yield* checkKeys(model, filter, "f.")
      yield* checkKeys(model, search, "s.")
      const v3Query = {
        filter: filter.map((condition) => inV3(model, condition)),
        search: search.map((condition) => inV3(model, condition)),
        sort: []
      }
      return yield* paged(yield* runQuery(entriesOf(state, model), v3Query), paging(input))
    })
  ),

  handle(Content.list, ({ input, query, state }) =>
    Effect.gen(function* () {
      const model = yield* modelOf(state, input.apiId)
      yield* checkLanguage(state, input.lang)
      const parsed = parseQueryV3(query)
      if (Either.isLeft(parsed)) return yield* invalid(parsed.left.field, parsed.left.rule)
      const { filter, search, sort } = parsed.right
      yield* checkKeys(model, filter, "p.")
      yield* checkKeys(model, search, "s.")
      yield* checkKeys(model, sort, "o.")
      return yield* paged(yield* runQuery(entriesOf(state, model, input.lang), parsed.right), paging(input))
    })
  ),

  handle(Content.get, ({ input, state }) =>
    Effect.gen(function* () {
      yield* checkLanguage(state, input.lang)
      return visible(
        yield* state.entries.get(input.id, (entry) => isShown(entry, state.models.peek(entry.modelId))),
        input.lang
      )
    })
  ),

  handle(Content.structure, ({ state }) =>
    Effect.succeed({
      languages: state.project.languages ?? [],
      models: state.models.all().map(({ _id, apiId, fields, name }) => ({ _id, apiId, name, fields }))
    })
  )
]
