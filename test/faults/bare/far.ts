/** The far end in this process, where a line of the table meets it without messages. */
import type { Far } from "../far/far.js"
import { Side } from "../far/side.js"

/** A far end; one of a class of its own may lie. */
export const near = (side: Side = new Side()): Far => Object.assign(side, { end: () => side.stop() })
