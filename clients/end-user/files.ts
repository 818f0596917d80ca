/** Files, for the end user. */
import * as Files from "../../core/files/operations.js"
import { bind, download as bindDownload } from "./client.js"

export const upload = /*#__PURE__*/ bind(Files.upload)
export const download = /*#__PURE__*/ bindDownload(Files.download)
