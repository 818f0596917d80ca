/** CMS models and their fields (specification, points 3 and 7). */

import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/** A field of a CMS model. @category schemas */
const Field = Entity.open({ _id: Entity.maybe(Entity.Id) })
export interface Field extends Schema.Schema.Type<typeof Field> {}

/** A CMS model with its fields. @category schemas */
export const Model = Entity.open({ _id: Entity.Id, fields: Entity.maybe(Schema.Array(Field)) })
export interface Model extends Schema.Schema.Type<typeof Model> {}

/** One field of a CMS model. @category schemas */
export const ByField = Schema.Struct({ id: Entity.Id, fieldId: Entity.Id })
export interface ByField extends Schema.Schema.Type<typeof ByField> {}

/** One field of a CMS model, and its new content. @category schemas */
export const ByFieldWithPayload = Schema.Struct({
  id: Entity.Id,
  fieldId: Entity.Id,
  payload: Schema.Unknown
})
export interface ByFieldWithPayload extends Schema.Schema.Type<typeof ByFieldWithPayload> {}

/** What a field of a model holds, as far as it is assumed. @category schemas */
export const FieldRow = /*#__PURE__*/ Row.part(() => ({
  _id: Entity.Id,
  apiId: Schema.NonEmptyString,
  name: Schema.String,
  type: Schema.String
}))

/** What a model, with its fields, holds, as far as it is assumed. @category schemas */
export const ModelRow = /*#__PURE__*/ Row.row(() => ({
  apiId: Schema.NonEmptyString,
  name: Schema.String,
  fields: Schema.Array(FieldRow)
}))

/** What a model is created with. Assumed. @category schemas */
export const NewModel = /*#__PURE__*/ Row.part(() => ({
  apiId: Schema.NonEmptyString,
  name: Schema.optional(Schema.String),
  fields: Schema.optional(Schema.Array(Entity.open({})))
}))

/** What a field is added with. Assumed. @category schemas */
export const NewField = /*#__PURE__*/ Row.part(() => ({
  apiId: Schema.NonEmptyString,
  name: Schema.optional(Schema.String),
  type: Schema.optional(Schema.String)
}))
