/** The signed-in end user, read on demand once (specification, point 1). */
import * as Effect from "effect/Effect"
import type { User } from "../../core/auth/model.js"
import * as Auth from "../../core/auth/operations.js"
import type { CallError } from "../../core/kernel/errors/errors.js"
import * as OnDemand from "../../core/kernel/session/on-demand.js"
import { Client } from "./client.js"

/**
 * The present session: what another client of the same end user is made of, beside the API key. Where a cookie carries it, it has the value
 * that the platform has set last. Nothing is sent.
 * @category operations
 */
export const session: Effect.Effect<
  {
    /** Id of the session. It is a secret. */
    readonly sessionId: string
    /** Cookies beside it, where `platform` names some, and a server runs the client. They are secrets. */
    readonly cookies?: Readonly<Record<string, string>>
  },
  CallError,
  Client
> = /*#__PURE__*/ Effect.flatMap(Client, ({ dispatcher: { settings } }) =>
  Effect.map(Effect.clockWith(settings.credentialsProvider.getCredentials), ({ headers }) => {
    const present = { sessionId: headers[settings.headerNames.session] ?? "" }
    return settings.dialect?.present(present) ?? present
  })
)

/** The signed-in end user. @category operations */
export const me: OnDemand.OnDemand<User, Client> = /*#__PURE__*/ OnDemand.make(Client, ({ dispatcher }) =>
  dispatcher.call(Auth.self, {})
)
