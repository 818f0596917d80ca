/** CMS models and their fields (specification, points 3 and 7). */

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
