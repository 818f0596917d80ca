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
  platform((around) => Dialect.make(definition, around))
