/** Access tokens for admin clients that a test gives a session, so that they need not sign in. */
import * as Encoding from "effect/Encoding"
import type { Level } from "../../core/permissions/level.js"

/** Who a token is for, and what it grants. @category testing */
export interface TokenClaims {
  /** `admin-1` by default. */
  readonly id?: string
  readonly email?: string
  readonly fullName?: string
  /** Resource to action to level; everything by default: `{ "*": { "*": 9 } }`. */
  readonly permissions?: Readonly<Record<string, Readonly<Record<string, Level>>>>
}

const part = (value: unknown): string => Encoding.encodeBase64Url(JSON.stringify(value))

/**
 * An access token as the platform issues them, without an end and without a true signature: a client reads tokens and
 * never verifies them, a platform refuses this one.
 * @category testing
 */
export const token = ({
  email,
  fullName,
  id = "admin-1",
  permissions = { "*": { "*": 9 } }
}: TokenClaims = {}): string =>
  [{ alg: "HS256", typ: "JWT" }, { sub: id, email, name: fullName, p: permissions }, "unsigned"]
    .map(part)
    .join(".")
