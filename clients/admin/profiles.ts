/** Profiles, for admins. */
import * as Profiles from "../../core/profiles/operations.js"
import { bind } from "./client.js"

export const search = /*#__PURE__*/ bind(Profiles.adminSearch)
export const get = /*#__PURE__*/ bind(Profiles.adminGet)
export const getBasic = /*#__PURE__*/ bind(Profiles.adminGetBasic)
export const update = /*#__PURE__*/ bind(Profiles.adminUpdate)
