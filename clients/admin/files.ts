/** Files, for admins. */
import * as Files from "../../core/files/operations.js"
import { bind, download as bindDownload } from "./client.js"

export const list = /*#__PURE__*/ bind(Files.list)
export const get = /*#__PURE__*/ bind(Files.get)
const remove = /*#__PURE__*/ bind(Files.remove)

export { remove as delete }
export const download = /*#__PURE__*/ bindDownload(Files.download)
