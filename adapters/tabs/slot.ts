/** What is kept of the session that tabs share: the session or its end, and which of two is newer. */

import * as Either from "effect/Either"
import { isRecord } from "effect/Predicate"
import { makeState, revive, wrong } from "../../core/kernel/codec/state.js"
import * as Token from "../../core/kernel/session/token.js"
import type { StoredSession } from "../../core/ports/session-store.js"

/** A session, or that there is none, as some tab has made it. */
export interface Slot {
  /** One more than all that the tab had seen before; 0 for `nothing` alone. */
  readonly version: number
  /** Undefined after a sign-out. */
  readonly session: StoredSession | undefined
  /** The key of the client that signed in; undefined where the app has kept the session. */
  readonly key: string | undefined
}

export const nothing: Slot = { version: 0, session: undefined, key: undefined }

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

/** The Dates of a user are texts in a storage. */
const userOf = (user: unknown): { readonly user?: unknown } => {
  const read = user === undefined ? wrong : revive(user, makeState())
  return read === wrong ? {} : { user: read }
}

const sessionOf = (value: unknown): StoredSession | undefined => {
  if (!isRecord(value) || !isText(value.sessionId)) return undefined
  const { accessToken, expiresAt, refreshToken, sessionId, user } = value
  return {
    sessionId,
    ...(isText(accessToken) ? { accessToken } : {}),
    ...(isText(refreshToken) ? { refreshToken } : {}),
    ...(typeof expiresAt === "number" ? { expiresAt } : {}),
    ...userOf(user)
  }
}

/** The count goes on from 2³² − 1 to 1: whatever a storage holds, there is one that is newer. */
export const next = ({ version }: Slot): number => (version + 1) >>> 0 || 1

export const write = (slot: Slot): string => JSON.stringify(slot)

/** Reads what another tab, an earlier version of the app, or anybody else has written: `nothing` where it is no slot. */
export const read = (text: unknown): Slot => {
  const value = isText(text) ? Either.getOrUndefined(Either.try((): unknown => JSON.parse(text))) : undefined
  if (!isRecord(value)) return nothing
  const { key, version } = value
  const session = sessionOf(value.session)
  if (typeof version !== "number" || version !== version >>> 0 || version === 0) return nothing
  if (session === undefined && value.session !== undefined) return nothing
  return { version, session, key: isText(key) ? key : undefined }
}

/**
 * Whether one slot replaces another. All tabs order any two alike: by version, then a sign-out before a sign-in that knew
 * nothing of it, then by session id.
 */
export const isNewer = (self: Slot, that: Slot): boolean => {
  if (self === nothing || that === nothing) return self !== that && that === nothing
  const ahead = (self.version - that.version) | 0
  if (ahead !== 0) return ahead > 0
  if (self.session === undefined || that.session === undefined)
    return self.session === undefined && that.session !== undefined
  return self.session.sessionId > that.session.sessionId
}

/** Who a session is of: by its token, or else as the platform described them at the sign-in. */
const personOf = ({ accessToken = "", user }: StoredSession): unknown =>
  Either.match(Token.read(accessToken), {
    onLeft: () => (isRecord(user) ? user._id : undefined),
    onRight: ({ _id }) => _id
  })

/** Whether two sessions are of the same person: where that is not known, the same session. */
export const isSamePerson = (self: StoredSession | undefined, that: StoredSession | undefined): boolean => {
  if (self === undefined || that === undefined) return false
  const person = personOf(self)
  // A platform may count its people.
  return isText(person) || typeof person === "number"
    ? person === personOf(that)
    : self.sessionId === that.sessionId
}
