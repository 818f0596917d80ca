/** Sessions of a platform: what its tokens say, where its sign-ins answer what, and how it renews them. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { AdminIdentity } from "../kernel/dispatch/credentials.js"
import { type Dialect, type OpenedSession, type PlatformClock, unseen } from "../kernel/dispatch/dialect.js"
import { isBlank, openedSession } from "../kernel/dispatch/settings.js"
import { type CallError, CredentialsError } from "../kernel/errors/errors.js"
import * as Entity from "../kernel/operation/entity.js"
import { type Audience, Operation } from "../kernel/operation/operation.js"
import * as Schema from "../kernel/operation/schema.js"
import { rejected } from "../kernel/session/admin-session.js"
import * as Token from "../kernel/session/token.js"
import { own } from "../permissions/own.js"
import type { StoredSession } from "../ports/session-store.js"
import { refreshName } from "./calls.js"
import { credentialsOf, refreshCookieOf } from "./carriers.js"
import { cookieOf } from "./cookies.js"
import type {
  Claim,
  Claims,
  Definition,
  Place,
  Refresh,
  SessionPlaces,
  Token as TokenRules
} from "./definition.js"
import { Fault } from "./faults.js"
import { at } from "./places.js"
import * as Rules from "./rules.js"
import { ourNameOf } from "./rules.js"

/** A cookie that carries a credential is read where the answer sets it, unless somebody says otherwise. */
const placeOf = (place: Place | false | undefined, cookie: string | undefined): Place | false | undefined =>
  place ?? (cookie === undefined ? undefined : { cookie })

/** An admin's refresh token that is a cookie is read there in each answer that opens a session. */
const refreshPlaceOf = (definition: Definition, audience: Audience): Place | undefined => {
  const cookie = audience === "admin" ? refreshCookieOf(definition) : undefined
  return cookie === undefined ? undefined : { cookie }
}

/** Where the parts of a session stand in the answer of a sign-in. */
export const placesOf = (definition: Definition, audience: Audience, call: string): SessionPlaces => {
  const { signIn = {} } = definition
  const credentials = credentialsOf(definition, audience)
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
  const renewal = said?.refreshToken ?? refreshPlaceOf(definition, audience)
  return {
    ...said,
    ...(token === undefined ? {} : { accessToken: token }),
    ...(session === undefined ? {} : { sessionId: session }),
    ...(renewal === undefined ? {} : { refreshToken: renewal })
  }
}

/** The parts of a session that are never sent, by whose client it is. */
export const unsentOf = (
  definition: Definition,
  audience: Audience
): ReadonlyArray<"accessToken" | "sessionId"> => {
  const { signIn = {} } = definition
  const credentials = credentialsOf(definition, audience)
  if (audience !== "admin")
    return credentials.session === false || signIn.endUser?.sessionId === false ? ["sessionId"] : []
  const isNone = { accessToken: credentials.accessToken === false, sessionId: credentials.session === false }
  return (["accessToken", "sessionId"] as const).filter(
    // Beside a second sign-in, the answer of the first one may well have no session id.
    (name) =>
      isNone[name] || (signIn.admin?.[name] === false && (name === "accessToken" || signIn.legacy === false))
  )
}

/**
 * Whether a configuration says that there is a session: an admin's gives a part of it, or with nobody who is to sign in empty text for one. An end
 * user has one always.
 */
const hasSession = (audience: Audience, config: object): boolean => {
  const isNobody = isBlank(own(config, "email")) && isBlank(own(config, "password"))
  return (
    audience !== "admin" ||
    (["sessionId", "accessToken"] as const).some((part) =>
      isNobody ? own(config, part) !== undefined : !isBlank(own(config, part))
    )
  )
}

/** A configuration with what a program need not give: the parts of a session that are never sent, and in a page those that the browser keeps. */
export const completed = <C extends object>(
  definition: Definition,
  audience: Audience,
  isPage: boolean,
  config: C
): C => {
  if (!hasSession(audience, config)) return config
  const { accessToken, session: sessionId } = credentialsOf(definition, audience)
  const kept = (["accessToken", "sessionId"] as const).filter(
    (part) => isPage && cookieOf({ accessToken, sessionId }[part]) !== undefined
  )
  const absent = [...unsentOf(definition, audience), ...kept].filter((part) => isBlank(own(config, part)))
  // Without a prototype, as configurations are read.
  return Object.assign(Object.create(null), config, Object.fromEntries(absent.map((part) => [part, unseen])))
}

const idOrText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : Number.isSafeInteger(value) ? String(value) : undefined

const malformed = (advice: string): CredentialsError =>
  new CredentialsError({ operation: "client", reason: "Malformed", advice })

/**
 * What a claim is, or which function of the value has failed: its own words may hold what it has read. A path of an opaque token's user may
 * have the platform's names: the user has ours by then.
 */
const claimAt = (
  field: keyof TokenRules,
  claim: Claim,
  claims: Claims,
  ourName: (name: string) => string
): Either.Either<unknown, CredentialsError> =>
  typeof claim === "function"
    ? Either.try({
        try: () => claim(claims),
        catch: (cause) =>
          malformed(
            `token.${field} of the platform ${cause instanceof Fault ? cause.did : "threw"}: it is a function of the token's claims, or of the user whom the sign-in answers`
          )
      })
    : Either.right(at(claim, claims) ?? at(claim.split(".").map(ourName).join("."), claims))

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

/** What an admin may do. What is said of it and answers something else is refused: it would deny all that is asked for. */
const permissionsOf = (value: unknown, rules: TokenRules): Either.Either<unknown, CredentialsError> => {
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value) && !("then" in value)
  if (rules.permissions !== undefined && value !== undefined && value !== null && !isMap)
    return Either.left(malformed(noMap))
  return Either.try({
    try: () => leveled(value, rules.levels) ?? {},
    catch: () => malformed(noMap)
  })
}

const noMap =
  "token.permissions of the platform must be an object of resource to action to level, such as { orders: { list: 1 } }: give a function that makes one of what is there"

const rulesOf = ({ token }: Definition): TokenRules =>
  typeof token === "object" ? token : { kind: token ?? "jwt" }

/**
 * What holds in a page whose browser keeps the token as a cookie: nobody reads it there, so that who the admin is stands in what the sign-in
 * answers, and the platform alone decides what they may do.
 */
export const inPage = (definition: Definition): Definition =>
  cookieOf(definition.credentials?.accessToken) === undefined || rulesOf(definition).kind === "opaque"
    ? definition
    : { ...definition, token: "opaque" }

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
      const said = (field: keyof TokenRules, claim: Claim) => claimAt(field, claim, claims, ourName)
      const all = Either.all({
        subject: said("subject", subject),
        email: said("email", email),
        name: said("name", name),
        permissions: Either.flatMap(said("permissions", permissions), (found) => permissionsOf(found, rules))
      })
      return Either.flatMap(all, (found): Either.Either<AdminIdentity, CredentialsError> => {
        const id = idOrText(found.subject)
        if (id === undefined) return Either.left(unnamed(isOpaque, user === undefined))
        return Either.right({
          _id: id,
          email: idOrText(found.email),
          fullName: idOrText(found.name),
          permissions: found.permissions,
          issuedAt: isOpaque ? undefined : Token.timeOf(claims, "iat"),
          expiresAt: isOpaque ? undefined : Token.timeOf(claims, "exp")
        })
      })
    })
  }
}

const unnamed = (isOpaque: boolean, isGiven: boolean): CredentialsError =>
  malformed(
    isOpaque && isGiven
      ? 'an opaque token does not say who the admin is, and a client that is given a session has no answer of a sign-in: pass permissions: "off", or email and password'
      : isOpaque
        ? "the sign-in does not say who the admin is: say where with token.subject and signIn.admin.user of the platform"
        : "the access token does not name its subject where token.subject of the platform says"
  )

/** What a new session is asked for by. */
interface Renewal {
  readonly refreshToken: string
}

/** The call that asks for a new session by a refresh token, which stands in the body until something else carries it. */
const refreshCall = ({
  host = "api",
  method = "POST",
  path
}: Refresh): Operation<{ readonly payload: Renewal }, OpenedSession, "admin"> =>
  Operation.make(refreshName, () => ({
    // A session is obtained, whatever the method is.
    method: method as "POST",
    path,
    host,
    audiences: ["admin"],
    input: Schema.Struct({ payload: Schema.Struct({ refreshToken: Schema.String }) }),
    success: Entity.open({ accessToken: Entity.essential(Schema.NonEmptyString) }),
    credentials: "none",
    isReadOnly: true
  }))

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
          const refreshToken = idOrText(own(opened, "refreshToken")) ?? idOrText(own(last, "refreshToken"))
          const seconds = Number(own(opened, "expiresIn"))
          return {
            accessToken: opened.accessToken,
            sessionId: id,
            ...(user === undefined ? {} : { user }),
            ...(refreshToken === undefined ? {} : { refreshToken }),
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
    refresh: ({ once }, last, platformClock) => {
      const refreshToken = own(last, "refreshToken")
      // Somebody else's store may hold anything.
      if (renewal === undefined || typeof refreshToken !== "string" || refreshToken === "") return undefined
      // A refresh token may be good for one answer alone: it is not sent again where that was lost.
      return Effect.mapError(
        Effect.flatMap(once(renewal, { payload: { refreshToken } }), (opened) =>
          kept(refreshName, opened, own(opened, "sessionId") ?? last.sessionId, platformClock, last)
        ),
        rejected
      )
    }
  }
}
