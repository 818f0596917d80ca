/** Files, for visitors. */
import * as Files from "../../core/files/operations.js"
import { bind } from "./client.js"

export const upload = /*#__PURE__*/ bind(Files.uploadWithForm)
