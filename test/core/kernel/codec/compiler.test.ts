// The compiled decoder says what Schema says: the same values accepted, the same refused, the same answer.
import { describe, expect, it } from "@effect/vitest"
import { patient } from "@quartet/support/patience.js"
import { Either, FastCheck as FC, Schema } from "effect"
import * as Decoder from "../../../../core/kernel/codec/decoder.js"
import { cases } from "./arbitrary-schema.js"

const oracle = (schema: Schema.Schema<unknown>, source: string) =>
  Schema.decodeUnknownEither(schema, { onExcessProperty: "preserve" })(JSON.parse(source))

const ours = (schema: Schema.Schema<unknown>, source: string) =>
  Decoder.make(schema)(JSON.parse(source), source)

describe("the compiled decoder", () => {
  it.prop(
    "accepts what Schema accepts, with the same value, and refuses the rest",
    [cases],
    ([{ schema, source }]) => {
      const expected = oracle(schema, source)
      const actual = ours(schema, source)
      expect(Either.isRight(actual)).toBe(Either.isRight(expected))
      if (Either.isRight(expected)) expect(Either.getOrThrow(actual)).toEqual(expected.right)
    },
    { fastCheck: { numRuns: 2_000 }, timeout: patient(60_000) }
  )

  it("has cases of both kinds to judge by", () => {
    const verdicts = FC.sample(cases, 500).map(({ schema, source }) => Either.isRight(oracle(schema, source)))
    expect(verdicts.filter((accepted) => accepted).length).toBeGreaterThan(150)
    expect(verdicts.filter((accepted) => !accepted).length).toBeGreaterThan(100)
  })
})
