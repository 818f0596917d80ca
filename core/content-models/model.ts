/** Content models of the legacy service, which it calls custom types (specification, points 3 and 7). */

import * as Entity from "../kernel/operation/entity.js"
import type * as Schema from "../kernel/operation/schema.js"

/** A content model. Only `_id` is known. @category schemas */
export const ContentModel = Entity.open({ _id: Entity.Id })
export interface ContentModel extends Schema.Schema.Type<typeof ContentModel> {}
