/**
 * The sandbox as a server on Node: HTTP through `node:http`, the chat through socket.io, both on one port.
 *
 * ```ts
 * const program = Effect.gen(function* () {
 *   const { url, control } = yield* SandboxServer.serve({ port: 0 })
 *   // … any client, in any language, with `url` as its base URL
 * }).pipe(Effect.scoped)
 * ```
 */

/** The server cannot listen on its port. `cause` is Node's own error. @category errors */
export { ServeError } from "@quartet/sdk/extend/http"
export type { FetchHandler } from "./app.js"
export { defaultPort, type Served, type ServeOptions, serve } from "./serve.js"
