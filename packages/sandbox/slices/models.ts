/** CMS models with their fields, and the same models in the legacy service. */

import { Content } from "@quartet/sdk/extend/models/content"
import { fieldTypes } from "@quartet/sdk/extend/models/models"
import * as ContentModels from "@quartet/sdk/extend/operations/content-models"
import * as Models from "@quartet/sdk/extend/operations/models"
import * as Effect from "effect/Effect"
import { type Handler, handle } from "../platform/handler.js"
import { conflict, invalid, notFound, type Refusal } from "../platform/refusal.js"
import { Field, Model } from "../state/entities.js"
import { changed, created, fieldsOf, type RowContext, row, textOf } from "../state/rows.js"
import { paged, select } from "../state/select.js"
import type { State } from "../state/state.js"
import { subjects } from "../state/subjects.js"

type Fields = Readonly<Record<string, unknown>>

/** Names that every entry has, and no field can have: a title is a field of those models that have one. */
const reservedNames = new Set(Object.keys(Content.fields).filter((name) => name !== "title"))

const apiName = /^[a-zA-Z][a-zA-Z0-9_]*$/

const checkField = (field: Field, others: ReadonlyArray<Field>): Effect.Effect<Field, Refusal> => {
  if (!apiName.test(field.apiId)) return Effect.fail(invalid("apiId", "must be letters, digits and _"))
  if (!fieldTypes.some((type) => type === field.type))
    return Effect.fail(invalid("type", `must be one of ${fieldTypes.join(", ")}`))
  if (
    reservedNames.has(field.apiId) ||
    others.some((existing) => existing._id !== field._id && existing.apiId === field.apiId)
  )
    return Effect.fail(conflict(`there is a field ${field.apiId} already`))
  return Effect.succeed(field)
}

const fieldOf = (state: State, values: Fields, others: ReadonlyArray<Field>): Effect.Effect<Field, Refusal> =>
  Effect.flatMap(
    row(Field, { type: "TEXT", name: values.apiId, ...values, _id: state.random.id() }),
    (field) => checkField(field, others)
  )

const checkName = (state: State, model: Model): Effect.Effect<Model, Refusal> => {
  if (!apiName.test(model.apiId)) return Effect.fail(invalid("apiId", "must be letters, digits and _"))
  const duplicate = state.models.find(
    (candidate) => candidate._id !== model._id && candidate.apiId === model.apiId
  )
  return duplicate === undefined
    ? Effect.succeed(model)
    : Effect.fail(conflict(`there is a model ${model.apiId} already`))
}

const create = ({ now, state }: RowContext, payload: unknown): Effect.Effect<Model, Refusal> =>
  Effect.gen(function* () {
    const values = yield* fieldsOf(payload)
    const apiId = yield* textOf(values, "apiId")
    const definitions: ReadonlyArray<unknown> = [values.fields ?? []].flat()
    const fields: Array<Field> = []
    for (const definition of definitions)
      fields.push(yield* fieldOf(state, yield* fieldsOf(definition), fields))
    const model = yield* created(
      Model,
      { now, state },
      { defaults: { name: apiId }, values, fixed: { fields } }
    )
    return state.models.put(yield* checkName(state, model))
  })

const update = ({ now, state }: RowContext, id: string, payload: unknown): Effect.Effect<Model, Refusal> =>
  Effect.gen(function* () {
    const before = yield* state.models.get(id)
    const model = yield* changed(subjects.models, before, now, yield* fieldsOf(payload))
    return state.models.put(yield* checkName(state, model))
  })

/** Removes a model and its entries. */
const remove = (state: State, id: string): Effect.Effect<undefined, Refusal> =>
  Effect.map(state.models.remove(id), ({ _id }) => {
    state.entries.drop((entry) => entry.modelId === _id)
    return undefined
  })

const fieldById = (model: Model, fieldId: string): Effect.Effect<Field, Refusal> => {
  const field = model.fields.find((candidate) => candidate._id === fieldId)
  return field === undefined ? Effect.fail(notFound("the field")) : Effect.succeed(field)
}

export const models: ReadonlyArray<Handler> = [
  handle(Models.list, ({ input, state }) => select(state.models.all(), input)),
  handle(Models.create, (call) => create(call, call.input.payload), { status: 201 }),
  handle(Models.get, ({ input, state }) => state.models.get(input.id)),
  handle(Models.update, (call) => update(call, call.input.id, call.input.payload)),
  handle(Models.remove, ({ input, state }) => remove(state, input.id)),

  handle(
    Models.addField,
    ({ input, now, state }) =>
      Effect.gen(function* () {
        const model = yield* state.models.get(input.id)
        const field = yield* fieldOf(state, yield* fieldsOf(input.payload), model.fields)
        return state.models.put({ ...model, fields: [...model.fields, field], updatedAt: now })
      }),
    { status: 201 }
  ),

  handle(Models.updateField, ({ input, now, state }) =>
    Effect.gen(function* () {
      const model = yield* state.models.get(input.id)
      const before = yield* fieldById(model, input.fieldId)
      const changes = yield* fieldsOf(input.payload)
      const after = yield* row(Field, { ...before, ...changes, _id: before._id })
      const field = yield* checkField(after, model.fields)
      const fields = model.fields.map((existing) => (existing._id === field._id ? field : existing))
      return state.models.put({ ...model, fields, updatedAt: now })
    })
  ),

  handle(Models.deleteField, ({ input, now, state }) =>
    Effect.gen(function* () {
      const model = yield* state.models.get(input.id)
      const { _id } = yield* fieldById(model, input.fieldId)
      state.models.put({
        ...model,
        fields: model.fields.filter((existing) => existing._id !== _id),
        updatedAt: now
      })
      return undefined
    })
  )
]

export const contentModels: ReadonlyArray<Handler> = [
  handle(ContentModels.list, ({ state }) => paged(state.models.all(), { limit: 500 }), { bare: true }),
  handle(ContentModels.create, (call) => create(call, call.input.payload), { status: 201 }),
  handle(ContentModels.get, ({ input, state }) => state.models.get(input.id)),
  handle(ContentModels.update, (call) => update(call, call.input.id, call.input.payload)),
  handle(ContentModels.remove, ({ input, state }) => remove(state, input.id))
]
