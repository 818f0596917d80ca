/**
 * The sandbox: the whole platform in memory, with seeded data and real state. It checks credentials, permissions and
 * input as a platform does, and later calls see all changes.
 *
 * ```ts
 * import * as Sandbox from "@quartet/sandbox"
 *
 * // Tests and demonstrations: the platform in this process, also in a browser.
 * program.pipe(Effect.provide(Admin.layer({
 * baseUrl: "http://sandbox.test",
 * projectId: Sandbox.accounts.projectId,
 * ...Sandbox.accounts.admin
 * })), Effect.provide(Sandbox.layer({ seed: 7 })))
 *
 * // With a handle to control it and to see its requests, for programs with Promises:
 * const sandbox = await Sandbox.start({ seed: 7 })
 * const admin = createAdminClient({ ...sandbox.options.admin, ...Sandbox.accounts.admin })
 * sandbox.control.failNext(1, 503)
 *
 * // The same for programs with Effects:
 * const { control, transport } = yield* Sandbox.make()
 * ```
 *
 * On Node, `@quartet/sandbox/server` serves the same platform over HTTP and socket.io, and `npx @quartet/cli sandbox`
 * does so from the command line.
 *
 * Lists take `page` and `limit`, `search`, `sort` (`price`, `-price`), `from` and `to`, `minPrice` and `maxPrice`, the
 * specification's list parameters, and any field of the items as a filter. Errors are `{ error: { code, message, field } }`.
 * Writes honour `idempotency-key`. Access tokens are in the form of JWTs; their signature is a keyed checksum, not
 * cryptography.
 */
export { accounts } from "./accounts.js"
export type { Hub, Saying } from "./chat/hub.js"
export { type Axis, axes as dialectAxes, type Dialect } from "./dialects/axes.js"
export { type DialectInput, type DialectName, dialectNames, dialectOf } from "./dialects/dialect.js"
export type { Control, Received } from "./platform/control.js"
export type { Platform } from "./platform/platform.js"
export { type ClientOptions, layer, layerOf, make, type Options, type Sandbox } from "./sandbox.js"
export { type Started, start } from "./start.js"
export type { State } from "./state/state.js"
