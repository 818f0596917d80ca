/** Content by the first version of the API, and how it is built, for visitors. */
import * as Content from "../../core/content/operations.js"
import { bind } from "./client.js"

export const list = /*#__PURE__*/ bind(Content.listV1)
export const get = /*#__PURE__*/ bind(Content.getV1)
export const structure = /*#__PURE__*/ bind(Content.structure)
