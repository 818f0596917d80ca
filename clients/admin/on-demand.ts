/** The signed-in admin and the project, read on demand once (specification, point 1). */
import * as Effect from "effect/Effect"
import type { CallError } from "../../core/kernel/errors/errors.js"
import type { Guess } from "../../core/kernel/operation/entity.js"
import * as OnDemand from "../../core/kernel/session/on-demand.js"
import type { AdminIdentity } from "../../core/kernel/session/token.js"
import type { Project } from "../../core/projects/model.js"
import * as Projects from "../../core/projects/operations.js"
import type { Admin } from "../../core/users/model.js"
import { Client } from "./client.js"
import { identityOf } from "./identity.js"

/**
 * The admin, read from the present access token; signs in if necessary. A token that cannot be read, which only
 * `permissions: "off"` admits, leaves what the sign-in said of them; fails with CredentialsError `Malformed` if there
 * was none.
 * @category operations
 */
export const me: Effect.Effect<AdminIdentity, CallError, Client> = /*#__PURE__*/ Effect.flatMap(
  Client,
  identityOf
)

/**
 * The admin as the new service described them when they signed in; signs in if necessary. Undefined if the client was
 * given a session: then use `me`. What the platform says there is assumed, its `_id` too: it may be missing.
 * @category operations
 */
export const user: Effect.Effect<Guess<Partial<Admin>>, CallError, Client> = /*#__PURE__*/ Effect.flatMap(
  Client,
  // It is that of `AdminLogin`, which the session keeps as it came.
  ({ session }) => session.user as Effect.Effect<Guess<Partial<Admin>>, CallError>
)

/**
 * The present session id and access token, after a sign-in if there was none: the credentials of a client without the
 * password. Both are secrets. Where cookies carry them, they have the values that the platform has set last.
 * @category operations
 */
export const session: Effect.Effect<
  {
    /** Id of the session. It is a secret. */
    readonly sessionId: string
    /** The access token. It is a secret. */
    readonly accessToken: string
    /** Cookies beside them, where `platform` names some, and a server runs the client. They are secrets. */
    readonly cookies?: Readonly<Record<string, string>>
  },
  CallError,
  Client
> = /*#__PURE__*/ Effect.flatMap(Client, ({ dispatcher, session }) =>
  Effect.map(session.present, ({ accessToken = "", sessionId }) => {
    const present = { sessionId, accessToken }
    return dispatcher.settings.dialect?.present(present) ?? present
  })
)

/** The client's project. @category operations */
export const project: OnDemand.OnDemand<Project, Client> = /*#__PURE__*/ OnDemand.make(
  Client,
  ({ dispatcher, projectId }) => dispatcher.call(Projects.get, { id: projectId })
)
