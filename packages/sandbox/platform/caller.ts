/** The caller: the kind of a request's credentials decides its audience, and they are really checked. */

import type { Audience } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import type { Admin, User } from "../state/entities.js"
import type { State } from "../state/state.js"
import { type Refusal, unauthenticated } from "./refusal.js"
import * as Token from "./token.js"

export interface AdminCaller {
  readonly audience: "admin"
  readonly admin: Admin
  /** The token's permission map. */
  readonly grants: Token.Grants
}
export interface EndUserCaller {
  readonly audience: "endUser"
  readonly user: User
}
export interface PublicCaller {
  readonly audience: "public"
}
export interface PrivateCaller {
  readonly audience: "private"
}

export type Caller = AdminCaller | EndUserCaller | PublicCaller | PrivateCaller

/** The callers of the given audiences. */
export type CallerOf<Aud extends Audience> = Extract<Caller, { readonly audience: Aud }>

/** A name of the caller, for logs and idempotency keys. */
export const nameOf = (caller: Caller | undefined): string => {
  if (caller === undefined) return "nobody"
  if (caller.audience === "admin") return `admin ${caller.admin.email}`
  return caller.audience === "endUser" ? `end user ${caller.user.email}` : caller.audience
}

type Headers = Readonly<Record<string, string | undefined>>

/** An admin by access token and session id, which must be the same admin's. */
export const admin = (
  state: State,
  token: string | undefined,
  sessionId: string | undefined,
  now: Date
): Effect.Effect<AdminCaller, Refusal> => {
  if (token === undefined || token === "") return Effect.fail(unauthenticated("the access token is missing"))
  const claims = Token.verify(token, state.seed)
  if (claims === undefined)
    return Effect.fail(unauthenticated("the access token is not one of this platform's"))
  if (claims.exp * 1000 <= now.getTime() || !state.sessions.tokens.has(claims.jti))
    return Effect.fail(unauthenticated("the access token has ended"))
  if (sessionId === undefined || sessionId === "")
    return Effect.fail(unauthenticated("the session id is missing beside the access token"))
  const session = state.sessions.admins.get(sessionId)
  const admin = state.admins.peek(claims.sub)
  if (session === undefined || session.expires <= now.getTime())
    return Effect.fail(unauthenticated("the session has ended"))
  if (admin === undefined || session.owner !== admin._id)
    return Effect.fail(unauthenticated("the session and the access token are not the same admin's"))
  return Effect.succeed({ audience: "admin", admin, grants: claims.p })
}

/** An end user by session id and API key. */
export const endUser = (
  state: State,
  sessionId: string,
  apiKey: string | undefined,
  now: Date
): Effect.Effect<EndUserCaller, Refusal> => {
  if (apiKey === undefined)
    return Effect.fail(unauthenticated("the API key is missing beside the session id"))
  if (apiKey !== state.project.api_key) return Effect.fail(unauthenticated("the API key is wrong"))
  const session = state.sessions.users.get(sessionId)
  const user = session === undefined ? undefined : state.users.peek(session.owner)
  if (session === undefined || user === undefined || session.expires <= now.getTime())
    return Effect.fail(unauthenticated("the session has ended"))
  return Effect.succeed({ audience: "endUser", user })
}

/** The caller of a request, or undefined without credentials. */
export const identify = (
  state: State,
  headers: Headers,
  now: Date
): Effect.Effect<Caller | undefined, Refusal> => {
  const { authorization } = headers
  const sessionId = headers["x-session-id"]
  const apiKey = headers["x-api-key"]
  const privateKey = headers["x-private-key"]
  if (authorization !== undefined) {
    const token = /^bearer +(\S+)$/i.exec(authorization.trim())?.[1]
    return admin(state, token, sessionId, now)
  }
  if (privateKey !== undefined) {
    return privateKey === state.project.private_api_key
      ? Effect.succeed({ audience: "private" })
      : Effect.fail(unauthenticated("the private key is wrong"))
  }
  if (sessionId !== undefined) return endUser(state, sessionId, apiKey, now)
  if (apiKey === undefined) return Effect.succeed(undefined)
  return apiKey === state.project.api_key
    ? Effect.succeed({ audience: "public" })
    : Effect.fail(unauthenticated("the API key is wrong"))
}
