/** CMS models and their fields (specification, points 3 and 7). */

import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/** The kinds of values of a field, as far as they are assumed. @category constants */
export const fieldTypes = /*#__PURE__*/ Object.freeze([
  "TEXT",
  "NUMERIC",
  "BOOLEAN",
  "DATE",
  "FILE",
  "JSON"
] as const)

/**
 * A field of a content model: under which name entries have it, and the kind of its values. The sandbox refuses an
 * entry with a value of another kind.
 * @category schemas
 */
export const Field = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.maybe(Entity.Id)
  },
  () => ({
    /** Its name in the content and in queries. Assumed: the platform may differ. */
    apiId: Schema.NonEmptyString,
    /** Its name for people. Assumed: the platform may differ. */
    name: Schema.String,
    /** Kind of its values, such as `TEXT`, `NUMERIC`, `BOOLEAN`, `DATE`, `FILE`, `JSON`. Assumed: the platform may differ. */
    type: Entity.openLiteral(...fieldTypes)
  })
)
export interface Field extends Schema.Schema.Type<typeof Field> {}

/** What all models are assumed to hold. @category models */
export const modelled = () => ({
  /** Its name in paths and queries, such as `news`. Assumed: the platform may differ. */
  apiId: Schema.NonEmptyString,
  /** Its name for people. Assumed: the platform may differ. */
  name: Schema.String,
  ...Row.stamps
})

/**
 * A content model with its fields: what its entries hold, and their kinds. `quartet generate` makes types of the
 * models of a project.
 * @category schemas
 */
export const Model = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.Id,
    /** The fields of its entries. */
    fields: Entity.maybe(Schema.Array<Field, Schema.Schema.Encoded<typeof Field>>(Field))
  },
  modelled
)
export interface Model extends Schema.Schema.Type<typeof Model> {}

/** One field of a CMS model. @category schemas */
export const ByField = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Id of the model. */
    id: Entity.Id,
    /** Id of the field. */
    fieldId: Entity.Id
  }))()
export interface ByField extends Schema.Schema.Type<typeof ByField> {}

/** What a field is added with. Assumed: the platform may differ. @category schemas */
export const NewField = /*#__PURE__*/ Entity.body(() => ({
  /** Its name in entries, such as `title`. */
  apiId: Schema.NonEmptyString,
  /** Its name for people. */
  name: Schema.optional(Schema.String),
  /** Kind of its values, such as `TEXT`. */
  type: Schema.optional(Entity.openLiteral(...fieldTypes))
}))
export type NewField = Schema.Schema.Type<typeof NewField>

/** What a model is created with. Assumed: the platform may differ. @category schemas */
export const NewModel = /*#__PURE__*/ Entity.body(() => ({
  /** Its name in paths, such as `news`. */
  apiId: Schema.NonEmptyString,
  /** Its name for people. */
  name: Schema.optional(Schema.String),
  /** Its first fields. */
  fields: Schema.optional(Schema.Array(NewField))
}))
export type NewModel = Schema.Schema.Type<typeof NewModel>

/** What is changed of a model: its fields have calls of their own. Assumed: the platform may differ. @category schemas */
export const ModelChange = /*#__PURE__*/ Row.change(() => Model, "fields")
export type ModelChange = Schema.Schema.Type<typeof ModelChange>

/** What is changed of a field. Assumed: the platform may differ. @category schemas */
export const FieldChange = /*#__PURE__*/ Row.change(() => Field)
export type FieldChange = Schema.Schema.Type<typeof FieldChange>

/** One field of a CMS model, and what is changed of it. @category schemas */
export const UpdateField = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Id of the model. */
    id: Entity.Id,
    /** Id of the field. */
    fieldId: Entity.Id,
    /** What of the field changes. */
    payload: FieldChange
  }))()
export interface UpdateField extends Schema.Schema.Type<typeof UpdateField> {}
