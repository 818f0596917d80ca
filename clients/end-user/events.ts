/** The end user's events. */
import * as Events from "../../core/events/operations.js"
import { bind } from "./client.js"

export const list = /*#__PURE__*/ bind(Events.list)
export const update = /*#__PURE__*/ bind(Events.update)

const remove = /*#__PURE__*/ bind(Events.remove)

export { remove as delete }
