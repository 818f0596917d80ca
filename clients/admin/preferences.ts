/** The signed-in admin's own preferences. */
import * as Preferences from "../../core/users/preferences.js"
import { bind } from "./client.js"

export const list = /*#__PURE__*/ bind(Preferences.list)
export const get = /*#__PURE__*/ bind(Preferences.get)
export const set = /*#__PURE__*/ bind(Preferences.set)
