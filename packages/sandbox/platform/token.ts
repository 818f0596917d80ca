/**
 * The sandbox's access tokens: JSON Web Tokens in form, with the claims of the specification (sub, email, name, p), an
 * expiry, and a keyed checksum for a signature. The checksum finds a token that was altered or comes from another
 * sandbox. It is not cryptography (as its name in the header, `SANDBOX`, says), because this code also runs in browsers
 * and protects only made-up data.
 */
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import { hash } from "../state/random.js"

/** The claims of a token. `exp` and `iat` are seconds since 1970. */
export interface Claims {
  readonly sub: string
  readonly email: string
  readonly name: string
  /** Resource to action to level. */
  readonly p: Grants
  /** Identifies this token, so that it can be revoked. */
  readonly jti: string
  readonly iat: number
  readonly exp: number
}

export type Grants = Readonly<Record<string, Readonly<Record<string, number>>>>

const part = (value: unknown): string => Encoding.encodeBase64Url(JSON.stringify(value))

const signature = (text: string, seed: number): string => {
  let value = hash(`${seed}`)
  let words = ""
  for (let index = 0; index < 8; index++) {
    value = hash(`${seed}.${index}.${text}`, value)
    words += value.toString(16).padStart(8, "0")
  }
  return Encoding.encodeBase64Url(words)
}

/** A token with the sandbox's signature. */
export const sign = (claims: Claims, seed: number): string => {
  const text = `${part({ alg: "SANDBOX", typ: "JWT" })}.${part(claims)}`
  return `${text}.${signature(text, seed)}`
}

/** The claims of a token that this sandbox has signed, or undefined. It may have expired or been revoked. */
export const verify = (token: string, seed: number): Claims | undefined => {
  const at = token.lastIndexOf(".")
  const text = token.slice(0, Math.max(0, at))
  if (at < 0 || token.slice(at + 1) !== signature(text, seed)) return undefined
  const claims = Either.flatMap(Encoding.decodeBase64UrlString(text.slice(text.indexOf(".") + 1)), (json) =>
    Either.try((): unknown => JSON.parse(json))
  )
  // Only `sign` makes texts with this signature, and it writes Claims.
  return Either.getOrUndefined(claims) as Claims | undefined
}
