/** Events of the end user (specification, points 3 and 7). */

import { DateTime } from "../kernel/codec/dates.js"
import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/** An event of the end user. @category schemas */
export const Event = Entity.open({ _id: Entity.Id })
export interface Event extends Schema.Schema.Type<typeof Event> {}

/** What an event holds, as far as it is assumed. @category schemas */
export const EventRow = /*#__PURE__*/ Row.row(() => ({
  userId: Entity.Id,
  title: Schema.String,
  startsAt: DateTime,
  endsAt: DateTime
}))
