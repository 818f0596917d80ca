/** Values of any schema: arbitraries for property tests, and fixtures that are the same on every run. */
import * as Arbitrary from "effect/Arbitrary"
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
