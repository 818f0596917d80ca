/** Entries of the content models, for admins. */

import * as Content from "@quartet/sdk/extend/operations/content"
import * as Effect from "effect/Effect"
import { type Handler, handle } from "../platform/handler.js"
import { invalid, type Refusal } from "../platform/refusal.js"
import { Entry, type Field, type Model } from "../state/entities.js"
import { translated } from "../state/news.js"
import { hasOwnStatus, publications } from "../state/publication.js"
import { changed, created, fieldsOf } from "../state/rows.js"
import { select } from "../state/select.js"
import type { State } from "../state/state.js"

type Fields = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)

/** Whether a value is of a field's type. A missing value fits every type. */
const fits = ({ type }: Field, value: unknown): boolean => {
  if (value === null) return true
  switch (type) {
    case "TEXT":
      // A text in the form of a date was decoded to a Date.
      return typeof value === "string" || value instanceof Date
    case "NUMERIC":
      return typeof value === "number"
    case "BOOLEAN":
      return typeof value === "boolean"
    case "DATE":
      return value instanceof Date
    case "FILE":
      return typeof value === "string"
    default:
      return true
  }
}

const checkValues = (model: Model, values: Fields, prefix = ""): Effect.Effect<void, Refusal> => {
  for (const [name, value] of Object.entries(values)) {
    const field = model.fields.find((candidate) => candidate.apiId === name)
    if (field === undefined)
      return Effect.fail(invalid(prefix + name, `is not a field of the model ${model.apiId}`))
    if (!fits(field, value)) return Effect.fail(invalid(prefix + name, `must be of the type ${field.type}`))
  }
  return Effect.void
}

/** Names in a body that are not the model's fields. */
const stamps = new Set(["_id", "modelId", "apiId", "createdAt", "updatedAt"])

/** The values and translations of a body, checked against the model. */
const checked = (state: State, model: Model, payload: unknown): Effect.Effect<Fields, Refusal> =>
  Effect.gen(function* () {
    const { translations, ...rest } = yield* fieldsOf(payload)
    const given = Object.fromEntries(Object.entries(rest).filter(([name]) => !stamps.has(name)))
    const { status, ...own } = given
    const isOurs = status !== undefined && !hasOwnStatus(model)
    if (isOurs && !publications.some((known) => known === status))
      return yield* invalid("status", `must be one of ${publications.join(", ")}`)
    yield* checkValues(model, isOurs ? own : given)
    const values = given
    if (translations === undefined) return values
    if (!isRecord(translations)) return yield* invalid("translations", "must be an object by language")
    for (const [language, translation] of Object.entries(translations)) {
      if (state.project.languages?.includes(language) !== true)
        return yield* invalid(`translations.${language}`, "is not a language of the project")
      if (!isRecord(translation)) return yield* invalid(`translations.${language}`, "must be an object")
      yield* checkValues(model, translation, `translations.${language}.`)
    }
    return { ...values, translations }
  })

/** An entry with the name of its model, for filters of lists. */
const present = (state: State, entry: Entry) => ({
  ...entry,
  apiId: state.models.peek(entry.modelId)?.apiId ?? ""
})

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string")

/** The ids that a body orders: a list of ids or of entries, itself or under `ids`. */
const idsOf = (payload: unknown): Effect.Effect<ReadonlyArray<string>, Refusal> => {
  const order = isRecord(payload) ? payload.ids : payload
  const ids: unknown = Array.isArray(order)
    ? order.map((element: unknown) => (isRecord(element) ? element._id : element))
    : order
  return isTexts(ids) ? Effect.succeed(ids) : Effect.fail(invalid("ids", "must be a list of ids"))
}

export const content: ReadonlyArray<Handler> = [
  handle(Content.paginated, ({ input, state }) =>
    select(
      state.entries.all().map((entry) => present(state, entry)),
      input
    )
  ),

  handle(Content.adminGet, ({ input, state }) =>
    Effect.map(state.entries.get(input.id), (entry) => present(state, entry))
  ),

  handle(
    Content.create,
    ({ input, now, state }) =>
      Effect.gen(function* () {
        const model = yield* state.models.get(input.id)
        const values = yield* checked(state, model, input.payload)
        const defaults = { ...(hasOwnStatus(model) ? {} : { status: "published" }), translations: {} }
        const entry = yield* created(
          Entry,
          { now, state },
          { defaults, values, fixed: { modelId: model._id } }
        )
        return present(state, state.entries.put(entry))
      }),
    { status: 201 }
  ),

  handle(Content.update, ({ input, now, state }) =>
    Effect.gen(function* () {
      const before = yield* state.entries.get(input.id)
      const model = yield* state.models.get(before.modelId)
      const values = yield* checked(state, model, input.payload)
      return present(
        state,
        state.entries.put(yield* changed({ row: Entry, kept: ["modelId"] }, before, now, values))
      )
    })
  ),

  handle(Content.remove, ({ input, state }) => Effect.asVoid(state.entries.remove(input.id))),

  handle(Content.translate, ({ input, state }) => {
    const { key, text } = input
    state.translations.set(key, text)
    return Effect.succeed({ key, text, translations: translated(text) })
  }),

  handle(Content.reorder, ({ input, state }) =>
    Effect.gen(function* () {
      const ids = yield* idsOf(input.payload)
      yield* Effect.forEach(ids, (id) => state.entries.get(id))
      state.entries.reorder(ids)
      return { reordered: ids.length }
    })
  )
]
