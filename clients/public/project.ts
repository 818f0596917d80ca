/** The project that the key belongs to. */
import * as Projects from "../../core/projects/operations.js"
import { bind } from "./client.js"

export const self = /*#__PURE__*/ bind(Projects.self)
