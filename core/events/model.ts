/** Events of the end user (specification, points 3 and 7). */

import * as Entity from "../kernel/operation/entity.js"
import type * as Schema from "../kernel/operation/schema.js"

/** An event of the end user. @category schemas */
export const Event = Entity.open({ _id: Entity.Id })
export interface Event extends Schema.Schema.Type<typeof Event> {}
