import * as Either from "effect/Either"
import type { AdminIdentity } from "../kernel/dispatch/credentials.js"
import type { Dialect, OpenedSession } from "../kernel/dispatch/dialect.js"
import { CredentialsError } from "../kernel/errors/errors.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Schema from "../kernel/operation/schema.js"
import * as Token from "../kernel/session/token.js"
import { own } from "../permissions/own.js"
import { cookieOf } from "./carriers.js"
import type { Claim, Claims, Definition, Place, SessionPlaces, Token as TokenRules } from "./definition.js"
import { at } from "./places.js"

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
    (name) => isNone[name] || signIn.admin?.[name] === false
  )
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : Number.isSafeInteger(value) ? String(value) : undefined

const claimAt = (claim: Claim, claims: Claims): unknown =>
  typeof claim === "function" ? claim(claims) : at(claim, claims)

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
export const readerOf = (definition: Definition): Dialect["readToken"] => {
  const rules = rulesOf(definition)
  const isOpaque = rules.kind === "opaque"
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
        const id = textOf(claimAt(subject, claims))
        if (id === undefined) return undefined
        return {
          _id: id,
          email: textOf(claimAt(email, claims)),
          fullName: textOf(claimAt(name, claims)),
          permissions: leveled(claimAt(permissions, claims), rules.levels) ?? {},
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
export const refreshName = "auth.refresh"

/** What asks for a new session by a refresh token. */
export const refreshOf = (definition: Definition): Dialect["refresh"] => {
  const rules = definition.signIn?.refresh
  if (rules === undefined) return undefined
  const { field = "refreshToken", host = "api", method = "POST", path } = rules
  const operation: Operation<{ readonly payload: unknown }, OpenedSession, "admin"> = Operation.make(
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
  return (session, call) => {
    const refreshToken = own(session, "refreshToken")
    return refreshToken === undefined ? undefined : call(operation, { payload: { [field]: refreshToken } })
  }
}
