/** The far end in this process, where a line of the table meets it without messages. */
import * as Clock from "../clock.js"
import type { Far } from "../far/far.js"
import { Side } from "../far/side.js"

/** A far end; one of a class of its own may lie. */
export const near = (side: Side = new Side()): Far => {
  Clock.use(() => side.beat())
  return Object.assign(side, { end: () => side.stop() })
}
