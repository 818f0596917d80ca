/** The end of a server on Node. */
import type * as Http from "node:http"
import * as Effect from "effect/Effect"

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
