/** The calls on the signed-in admin's own preferences (specification, point 7). */
import { type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Level from "../permissions/level.js"
import { ByKey, Preference, SetPreference } from "./model.js"

/** Lists the admin's preferences. */
export const list: Operation<
  Entity.Nothing,
  Page<Preference>,
  "admin",
  "read"
> = /*#__PURE__*/ Operation.make("preferences.list", () => ({
  method: "GET",
  path: "auth/admin/preference",
  audiences: ["admin"],
  input: Entity.Nothing,
  success: page(Preference),
  requires: Level.Read
}))

/** Reads the preference with a key. */
export const get: Operation<ByKey, Preference, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "preferences.get",
  () => ({
    method: "GET",
    path: "auth/admin/preference/{key}",
    audiences: ["admin"],
    input: ByKey,
    success: Preference,
    requires: Level.Read
  })
)

/** Stores a preference under a key. */
export const set: Operation<SetPreference, Preference, "admin", "write"> = /*#__PURE__*/ Operation.make(
  "preferences.set",
  () => ({
    method: "POST",
    path: "auth/admin/preference/{key}",
    audiences: ["admin"],
    input: SetPreference,
    success: Preference,
    requires: Level.Write
  })
)
