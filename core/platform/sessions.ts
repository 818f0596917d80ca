/** Sessions of a platform: what its tokens say, where its sign-ins answer what, and how it renews them. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { AdminIdentity } from "../kernel/dispatch/credentials.js"
import type { Dialect, OpenedSession, PlatformClock } from "../kernel/dispatch/dialect.js"
import { openedSession } from "../kernel/dispatch/settings.js"
import { type CallError, CredentialsError } from "../kernel/errors/errors.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Schema from "../kernel/operation/schema.js"
import { rejected } from "../kernel/session/admin-session.js"
import * as Token from "../kernel/session/token.js"
import { own } from "../permissions/own.js"
import type { StoredSession } from "../ports/session-store.js"
import { cookieOf } from "./carriers.js"
import type {
  Claim,
  Claims,
  Definition,
  Place,
  Refresh,
  SessionPlaces,
  Token as TokenRules
} from "./definition.js"
import { at } from "./places.js"
import * as Rules from "./rules.js"
import { ourNameOf } from "./rules.js"

/** A cookie that carries a credential is read where the answer sets it, unless somebody says otherwise. */
const placeOf = (place: Place | false | undefined, cookie: string | undefined): Place | false | undefined =>
  place ?? (cookie === undefined ? undefined : { cookie })

/** Where the parts of a session stand in the answer of a sign-in. */
export const placesOf = (
  { credentials = {}, signIn = {} }: Definition,
  audience: string,
  call: string
): SessionPlaces => {
  const refresh = signIn.refresh?.answer
  const said =
    call === refreshName && refresh !== undefined
      ? refresh
      : audience !== "admin"
        ? signIn.endUser
        : call === "auth.legacyLogin" && signIn.legacy !== false
          ? signIn.legacy
          : signIn.admin
  const token = placeOf(said?.accessToken, cookieOf(credentials.accessToken))
  const session = placeOf(said?.sessionId, cookieOf(credentials.session))
  return {
    ...said,
    ...(token === undefined ? {} : { accessToken: token }),
    ...(session === undefined ? {} : { sessionId: session })
  }
}

/** The credentials of an admin that are never sent. */
export const unsentOf = ({
  credentials = {},
  signIn = {}
}: Definition): ReadonlyArray<"accessToken" | "sessionId"> => {
  const isNone = { accessToken: credentials.accessToken === false, sessionId: credentials.session === false }
  return (["accessToken", "sessionId"] as const).filter(
    // Beside a second sign-in, the answer of the first one may well have no session id.
    (name) =>
      isNone[name] || (signIn.admin?.[name] === false && (name === "accessToken" || signIn.legacy === false))
  )
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : Number.isSafeInteger(value) ? String(value) : undefined

/** What a claim is. A path of an opaque token's user may have the platform's names: the user has ours by then. */
const claimAt = (claim: Claim, claims: Claims, ourName: (name: string) => string): unknown =>
  typeof claim === "function"
    ? claim(claims)
    : (at(claim, claims) ?? at(claim.split(".").map(ourName).join("."), claims))

/** A permission map whose levels are the platform's words or numbers. */
const leveled = (map: unknown, levels: Readonly<Record<string, number>> | undefined): unknown => {
  if (levels === undefined || typeof map !== "object" || map === null) return map
  return Object.fromEntries(
    Object.entries(map).map(([resource, actions]) => [
      resource,
      typeof actions === "object" && actions !== null
        ? Object.fromEntries(
            Object.entries(actions).map(([action, level]) => [action, own(levels, String(level)) ?? level])
          )
        : (own(levels, String(actions)) ?? actions)
    ])
  )
}

const rulesOf = ({ token }: Definition): TokenRules =>
  typeof token === "object" ? token : { kind: token ?? "jwt" }

/** Whether nothing says what an admin may do. */
export const isUnchecked = (definition: Definition): boolean => {
  const { kind, permissions } = rulesOf(definition)
  return kind === "opaque" && permissions === undefined
}

/** Reads who an admin is, and what they may do. */
const readerOf = (definition: Definition): Dialect["readToken"] => {
  const rules = rulesOf(definition)
  const isOpaque = rules.kind === "opaque"
  const ourName = ourNameOf(Rules.make(definition))
  const {
    email = "email",
    name = isOpaque ? (claims) => claims.fullName ?? claims.name : "name",
    permissions = "p",
    subject = isOpaque ? "_id" : "sub"
  } = rules
  return ({ accessToken = "", user }) => {
    const claimed: Either.Either<Claims, CredentialsError> = isOpaque
      ? Either.right(Object(user) as Claims)
      : Token.claimsOf(accessToken)
    return Either.flatMap(claimed, (claims) => {
      const said = Either.try((): AdminIdentity | undefined => {
        const id = textOf(claimAt(subject, claims, ourName))
        if (id === undefined) return undefined
        return {
          _id: id,
          email: textOf(claimAt(email, claims, ourName)),
          fullName: textOf(claimAt(name, claims, ourName)),
          permissions: leveled(claimAt(permissions, claims, ourName), rules.levels) ?? {},
          issuedAt: isOpaque ? undefined : Token.timeOf(claims, "iat"),
          expiresAt: isOpaque ? undefined : Token.timeOf(claims, "exp")
        }
      })
      const identity = Either.isRight(said) ? said.right : undefined
      return identity === undefined ? Either.left(unnamed(isOpaque)) : Either.right(identity)
    })
  }
}

const unnamed = (isOpaque: boolean): CredentialsError =>
  new CredentialsError({
    operation: "client",
    reason: "Malformed",
    advice: isOpaque
      ? "the sign-in does not say who the admin is: say where with token.subject and signIn.admin.user of the platform"
      : "the access token does not name its subject where token.subject of the platform says"
  })

/** The name of the call that renews a session. It is no call of the platform's list, and stands in errors alone. */
const refreshName = "auth.refresh"

/** The call that asks for a new session by a refresh token. */
const refreshCall = ({
  host = "api",
  method = "POST",
  path
}: Refresh): Operation<{ readonly payload: unknown }, OpenedSession, "admin"> =>
  Operation.make(
    refreshName,
    // A session is obtained, whatever the method is.
    () => ({
      method: method as "POST",
      path,
      host,
      audiences: ["admin"],
      input: Schema.Struct({ payload: Schema.Unknown }),
      success: Entity.open({ accessToken: Entity.essential(Schema.NonEmptyString) }),
      credentials: "none",
      isReadOnly: true
    })
  )

/** What signs admins in, and renews and ends their sessions. */
export const make = (definition: Definition): Pick<Dialect, "signIn" | "refresh" | "endOf" | "readToken"> => {
  const readToken = readerOf(definition)
  const { legacy, refresh: rules } = definition.signIn ?? {}
  const renewal = rules === undefined ? undefined : refreshCall(rules)

  const timeIn = (session: StoredSession, claim: "issuedAt" | "expiresAt"): number | undefined =>
    Either.getOrUndefined(readToken(session))?.[claim]?.getTime()

  /** A session of what opened it. What it does not have is as it was in the last one. */
  const kept = (
    call: string,
    opened: OpenedSession,
    sessionId: unknown,
    platformClock: PlatformClock,
    last?: StoredSession
  ): Effect.Effect<StoredSession, CallError> =>
    Effect.zipRight(
      platformClock.set(timeIn({ sessionId: "", accessToken: opened.accessToken }, "issuedAt")),
      Effect.clockWith((clock) =>
        Either.map(openedSession(call, sessionId), (id): StoredSession => {
          const user = own(opened, "user") ?? own(last, "user")
          const refreshToken = own(opened, "refreshToken") ?? own(last, "refreshToken")
          const seconds = Number(own(opened, "expiresIn"))
          return {
            accessToken: opened.accessToken,
            sessionId: id,
            ...(user === undefined ? {} : { user }),
            ...(typeof refreshToken === "string" && refreshToken !== "" ? { refreshToken } : {}),
            ...(seconds > 0 ? { expiresAt: platformClock.time(clock) + seconds * 1_000 } : {})
          }
        })
      )
    )

  return {
    readToken,
    endOf: (session) => {
      const end = own(session, "expiresAt")
      return typeof end === "number" ? end : timeIn(session, "expiresAt")
    },
    signIn: ({ legacyLogin, login }, input, platformClock) => {
      const both = Effect.all(
        [login(input), legacy === false ? Effect.succeed(undefined) : legacyLogin(input)],
        { concurrency: 2 }
      )
      return Effect.mapError(
        Effect.flatMap(both, ([opened, old]) =>
          old === undefined
            ? kept("auth.login", opened, own(opened, "sessionId"), platformClock)
            : kept("auth.legacyLogin", opened, old.sessionId, platformClock)
        ),
        rejected
      )
    },
    refresh: ({ call }, last, platformClock) => {
      const refreshToken = own(last, "refreshToken")
      // Somebody else's store may hold anything.
      if (renewal === undefined || typeof refreshToken !== "string" || refreshToken === "") return undefined
      const { field = "refreshToken" } = rules ?? {}
      return Effect.mapError(
        Effect.flatMap(call(renewal, { payload: { [field]: refreshToken } }), (opened) =>
          kept(refreshName, opened, own(opened, "sessionId") ?? last.sessionId, platformClock, last)
        ),
        rejected
      )
    }
  }
}
