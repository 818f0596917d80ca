/** Who is signed in and where, read on demand once (specification, point 1). */
import * as Effect from "effect/Effect"
import type { CallError } from "../../core/kernel/errors/errors.js"
import * as OnDemand from "../../core/kernel/session/on-demand.js"
import type { AdminIdentity } from "../../core/kernel/session/token.js"
import * as Token from "../../core/kernel/session/token.js"
import type { Project } from "../../core/projects/model.js"
import * as Projects from "../../core/projects/operations.js"
import { Client } from "./client.js"

/** The admin, read from the present access token; signs in where that has not happened yet. */
export const me: Effect.Effect<AdminIdentity, CallError, Client> = /*#__PURE__*/ Effect.flatMap(
  Client,
  ({ headerNames, session }) =>
    Effect.flatMap(Effect.clockWith(session.getCredentials), ({ headers }) =>
      Token.read((headers[headerNames.authorization] ?? "").replace(/^Bearer /, ""))
    )
)

/**
 * The admin as the new service described them when they signed in; signs in where that has not happened yet. Undefined
 * where the client was given a session: then `me` alone tells.
 */
export const user: Effect.Effect<unknown, CallError, Client> = /*#__PURE__*/ Effect.flatMap(
  Client,
  ({ session }) => session.user
)

/** The client's project. */
export const project: OnDemand.OnDemand<Project, Client> = /*#__PURE__*/ OnDemand.make(
  Client,
  ({ dispatcher, projectId }) => dispatcher.call(Projects.get, { id: projectId })
)
