/** Rows of the content management: models with their fields, entries, and files with their bytes. */
import * as Schema from "effect/Schema"
import { Entity } from "@quartet/sdk/extend"
import { stamps } from "./fields.js"

export const Field = Entity.open({
  _id: Entity.Id,
  apiId: Schema.NonEmptyString,
  name: Schema.String,
  type: Schema.String
})
export interface Field extends Schema.Schema.Type<typeof Field> {}

export const Model = Entity.open({
  ...stamps,
  apiId: Schema.NonEmptyString,
  name: Schema.String,
  fields: Schema.Array(Field)
})
export interface Model extends Schema.Schema.Type<typeof Model> {}

/** What a model is created with. */
export const NewModel = Entity.open({
  apiId: Schema.NonEmptyString,
  name: Schema.optional(Schema.String),
  fields: Schema.optional(Schema.Array(Entity.open({})))
})

/** What a field is added with. */
export const NewField = Entity.open({
  apiId: Schema.NonEmptyString,
  name: Schema.optional(Schema.String),
  type: Schema.optional(Schema.String)
})

/** The entries in their new order. */
export const NewOrder = Entity.open({ ids: Schema.Array(Entity.Id) })

/** An entry: the model's fields in the project's own language, and their translations. */
export const Entry = Entity.open({
  ...stamps,
  modelId: Entity.Id,
  translations: Schema.Record({ key: Schema.String, value: Entity.open({}) })
})
export interface Entry extends Schema.Schema.Type<typeof Entry> {}

/** The metadata of a file. Its bytes are stored separately. */
export const File = Entity.open({
  ...stamps,
  name: Schema.NonEmptyString,
  type: Schema.String,
  size: Schema.Number,
  url: Schema.String,
  isPrivate: Schema.Boolean,
  userId: Entity.maybe(Entity.Id)
})
export interface File extends Schema.Schema.Type<typeof File> {}
