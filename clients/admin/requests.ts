/** Request actions, for admins. */
import * as Requests from "../../core/requests/operations.js"
import { bind } from "./client.js"

export const create = /*#__PURE__*/ bind(Requests.create)
export const list = /*#__PURE__*/ bind(Requests.list)
export const get = /*#__PURE__*/ bind(Requests.get)
export const update = /*#__PURE__*/ bind(Requests.update)
export const addComment = /*#__PURE__*/ bind(Requests.addComment)
export const markSeen = /*#__PURE__*/ bind(Requests.markSeen)
