/** The beginning and the end of a server on Node. */
import type * as Http from "node:http"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { TaggedError } from "../../core/ports/tagged-error.js"

/** Milliseconds for requests in flight to finish when the server stops. */
const grace = 2_000

/** Ends the connections that keep a server open: idle ones at once, others after the grace period. */
export const drain = (server: Http.Server): Effect.Effect<void> =>
  Effect.async((resume) => {
    server.closeIdleConnections()
    const late = setTimeout(() => server.closeAllConnections(), grace)
    server.close(() => {
      clearTimeout(late)
      resume(Effect.void)
    })
  })

/** A server cannot listen on its port. `cause` is Node's own error. @category errors */
export class ServeError extends TaggedError("ServeError")<{
  readonly port: number
  readonly host: string
  readonly cause: Error
}> {
  override get message(): string {
    return `cannot listen on port ${this.port} of ${this.host}: ${this.cause.message}`
  }
}

/** Has a server listen until the scope ends, and answers its port, which is the one asked for or, for 0, any free one. */
export const listen = (
  server: Http.Server,
  { host, port }: { readonly host: string; readonly port: number }
): Effect.Effect<number, ServeError, Scope.Scope> => {
  const listening = Effect.async<number, ServeError>((resume) => {
    const fail = (cause: Error) => resume(new ServeError({ port, host, cause }))
    server.once("error", fail).listen(port, host, () => {
      server.off("error", fail)
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : port))
    })
  })
  return Effect.acquireRelease(listening, () => drain(server))
}
