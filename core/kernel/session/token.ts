/** Reads an access token's claims. The platform checks the signature; a client only reads the token. */

import * as Either from "effect/Either"
import { isRecord } from "effect/Predicate"
import * as Utf8 from "../../ports/utf8.js"
import * as Json from "../codec/json.js"
import type { AdminIdentity } from "../dispatch/credentials.js"
import { CredentialsError } from "../errors/errors.js"

export type { AdminIdentity } from "../dispatch/credentials.js"

/** Longest token that is read, in characters. */
const longest = 65_536

const malformed = (rule: string): Either.Either<never, CredentialsError> =>
  Either.left(
    new CredentialsError({ operation: "client", reason: "Malformed", advice: `the access token ${rule}` })
  )

const part = (text: string): unknown => {
  const decoded = Either.try((): unknown => {
    const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"))
    const json = Utf8.makeDecode()(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
    const claims: unknown = JSON.parse(json)
    // An id of 64 bits is read as its digits, as it is in answers.
    return Json.parse(json)?.value ?? claims
  })
  return Either.getOrUndefined(decoded)
}

const text = (claims: Record<string, unknown>, name: string): string | undefined => {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined
  return typeof value === "string" && value !== "" ? value : undefined
}

/** An id as text: a platform may count its admins, beyond ±2⁵³ too. */
const idOf = (claims: Record<string, unknown>, name: string): string | undefined => {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined
  return Number.isSafeInteger(value) ? String(value) : text(claims, name)
}

/** A time claim, in seconds since 1970, if it is a valid number. */
export const timeOf = (claims: Readonly<Record<string, unknown>>, name: "exp" | "iat"): Date | undefined => {
  const seconds = Object.hasOwn(claims, name) ? claims[name] : undefined
  if (typeof seconds !== "number" || !(seconds > 0) || seconds * 1000 > 8.64e15) return undefined
  return new Date(seconds * 1000)
}

/** The claims of a token. */
export const claimsOf = (token: string): Either.Either<Record<string, unknown>, CredentialsError> => {
  if (token.length > longest) return malformed(`is longer than ${longest} characters`)
  const parts = token.split(".")
  if (parts.length !== 3) return malformed("must have three parts")
  const header = part(parts[0] ?? "")
  const claims = part(parts[1] ?? "")
  if (!isRecord(header) || !isRecord(claims)) return malformed("must hold two parts of base64url JSON")
  if (String(text(header, "alg")).toLowerCase() === "none" || parts[2] === "")
    return malformed("must be signed")
  return Either.right(claims)
}

/** Reads the admin's identity: `_id` from `sub`, `email`, `fullName` from `name`, permissions from `p`. */
export const read = (token: string): Either.Either<AdminIdentity, CredentialsError> =>
  Either.flatMap(claimsOf(token), (claims) => {
    const subject = idOf(claims, "sub")
    if (subject === undefined) return malformed("must name its subject (sub)")
    return Either.right({
      _id: subject,
      email: text(claims, "email"),
      fullName: text(claims, "name"),
      permissions: Object.hasOwn(claims, "p") ? claims.p : {},
      issuedAt: timeOf(claims, "iat"),
      expiresAt: timeOf(claims, "exp")
    })
  })

/** The admin as a sign-in described them, if it named them: for a token that cannot be read. */
export const described = (user: unknown): Either.Either<AdminIdentity> | undefined => {
  const id = isRecord(user) ? idOf(user, "_id") : undefined
  if (!isRecord(user) || id === undefined) return undefined
  return Either.right({
    _id: id,
    email: text(user, "email"),
    fullName: text(user, "fullName") ?? text(user, "name"),
    permissions: {},
    issuedAt: undefined,
    expiresAt: undefined
  })
}
