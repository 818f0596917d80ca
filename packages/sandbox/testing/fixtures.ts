/** Values for tests: of any schema, and access tokens. */

import type { Level } from "@quartet/sdk/extend"
import * as Arbitrary from "effect/Arbitrary"
import * as Encoding from "effect/Encoding"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"

/** All values of a schema, for `fc.property` and `it.prop`. @category testing */
export const arbitrary = <A, I>(schema: Schema.Schema<A, I>): FastCheck.Arbitrary<A> => Arbitrary.make(schema)

/**
 * One value of a schema, decided by the seed, with the fields that a test cares about set. Throws Schema's ParseError,
 * which names the field, if a set field is not valid.
 * @category testing
 */
export const fixture = <A, I>(schema: Schema.Schema<A, I>, set: Partial<A> = {}, seed = 1): A => {
  const [sample] = FastCheck.sample(Arbitrary.make(schema), { seed, numRuns: 1 })
  // A sample of one always holds one.
  if (Object.keys(set).length === 0) return sample as A
  const whole: unknown = Object.assign(Object.create(Object.getPrototypeOf(sample)), sample, set)
  return Schema.validateSync(schema, { onExcessProperty: "error" })(whole)
}

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
