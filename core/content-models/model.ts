/** Content models of the legacy service, which it calls custom types (specification, points 3 and 7). */

import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"
import { Field, modelled } from "../models/model.js"

/** A content model. @category schemas */
export const ContentModel = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.Id
  },
  () => ({
    ...modelled(),
    /** The fields of its entries. Assumed: the platform may differ. */
    fields: Schema.Array<Field, Schema.Schema.Encoded<typeof Field>>(Field)
  })
)
export interface ContentModel extends Schema.Schema.Type<typeof ContentModel> {}
