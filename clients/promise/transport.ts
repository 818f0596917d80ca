/** The transport of a Promise client: the caller's own, or the default one, which closes with the client. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as DefaultTransport from "../../adapters/transport/index.js"
import type { Bindable } from "../../core/kernel/dispatch/dispatcher.js"
import { type Service, Transport } from "../../core/ports/transport.js"

/** Makes a client over a transport. */
export const over = <A extends Bindable, E>(
  make: Effect.Effect<A, E, Transport>,
  transport: Service | undefined
): Effect.Effect<A, E> => {
  if (transport !== undefined) return Effect.provideService(make, Transport, transport)
  return Effect.flatMap(Scope.make(), (scope) => {
    const close = Scope.close(scope, Exit.void)
    return Effect.flatMap(Scope.extend(DefaultTransport.make, scope), (transport) =>
      Effect.provideService(make, Transport, transport)
    ).pipe(
      Effect.tap(({ dispatcher }) => Effect.sync(() => dispatcher.lifetime.enter(() => close))),
      Effect.onError(() => close)
    )
  })
}
