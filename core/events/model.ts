/** Events of the end user (specification, points 3 and 7). */

import { DateTime } from "../kernel/codec/dates.js"
import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/**
 * An event of the end user, such as a viewing: what takes place, where, from when and until when. Other end users do
 * not see it.
 * @category schemas
 */
export const Event = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.Id
  },
  () => ({
    /** Id of the end user. Assumed: the platform may differ. */
    userId: Entity.Id,
    /** What takes place. Assumed: the platform may differ. */
    title: Schema.String,
    /** Where it takes place. Assumed: the platform may differ. */
    place: Entity.maybe(Schema.String),
    /** When it begins. Assumed: the platform may differ. */
    startsAt: DateTime,
    /** When it ends. Assumed: the platform may differ. */
    endsAt: DateTime,
    ...Row.stamps
  })
)
export interface Event extends Schema.Schema.Type<typeof Event> {}

/** What is changed of an event. Assumed: the platform may differ. @category schemas */
export const EventChange = /*#__PURE__*/ Row.change(() => Event, "userId")
export type EventChange = Schema.Schema.Type<typeof EventChange>
