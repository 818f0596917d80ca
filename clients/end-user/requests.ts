/** Request actions, for the end user who files them. */
import * as Requests from "../../core/requests/operations.js"
import { bind } from "./client.js"

export const list = /*#__PURE__*/ bind(Requests.list)
export const create = /*#__PURE__*/ bind(Requests.create)
export const get = /*#__PURE__*/ bind(Requests.get)
export const update = /*#__PURE__*/ bind(Requests.update)
const remove = /*#__PURE__*/ bind(Requests.remove)

export { remove as delete }
export const markSeen = /*#__PURE__*/ bind(Requests.markSeen)
export const addComment = /*#__PURE__*/ bind(Requests.addComment)
export const review = /*#__PURE__*/ bind(Requests.review)
export const confirm = /*#__PURE__*/ bind(Requests.confirm)
