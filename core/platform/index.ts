/**
 * A platform that nobody here wrote: one value says how yours differs from what the SDK assumes. `import * as Platform from
 * "@quartet/sdk/platform"`.
 */
import { type Platform, platform } from "../kernel/dispatch/dialect.js"
import type { Definition } from "./definition.js"
import * as Dialect from "./dialect.js"

export type { Platform } from "../kernel/dispatch/dialect.js"
export type * from "./definition.js"
export type { CallName, FieldName } from "./names.js"

/** Under which a platform keeps what it was made of, for tools that hold it against a platform's answers. */
const Said: unique symbol = Symbol.for("@quartet/sdk/Platform/definition")

/**
 * Says how a platform differs, for the option `platform` of every client. Nothing is read before a client is made: that one
 * refuses what is misspelt or of a wrong kind with an InputError that names the field.
 *
 * @example
 * ```ts
 * import * as Platform from "@quartet/sdk/platform"
 * import { createAdminClient } from "@quartet/sdk/promise"
 *
 * const platform = Platform.make({
 *   lists: { items: "data", total: "meta.total" },
 *   entities: { id: "id", names: "snake_case" },
 *   dates: "seconds"
 * })
 * const admin = createAdminClient({
 *   baseUrl: "https://api.example.com",
 *   projectId: "p1",
 *   email: "ada@example.com",
 *   password: "…",
 *   platform
 * })
 * ```
 * @category constructors
 */
export const make = (definition: Definition): Platform =>
  Object.assign(
    platform((around) => Dialect.make(definition, around)),
    { [Said]: definition }
  )

/** What a platform was made of; undefined for a value that `make` has not made. @category getters */
export const definitionOf = (value: unknown): Definition | undefined => {
  const said: unknown = typeof value === "object" && value !== null && Said in value ? value[Said] : undefined
  // Only `make` sets it.
  return typeof said === "object" && said !== null ? (said as Definition) : undefined
}
