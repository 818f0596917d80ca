/** Encoders of operations and of calls that differ from a plain GET, and what they make of an input. */

import { type Declared, Encoder, Entity, type Input, type Operation } from "@quartet/sdk/extend"
import * as Either from "effect/Either"

const around: Encoder.Surroundings = { prefix: "", projectId: undefined, projectInQuery: false }
const plain = {
  method: "GET",
  path: "things",
  audiences: ["admin"],
  input: Entity.open({}),
  success: Entity.Anything
} as const

export const make = (declared: Partial<Declared>, own: Partial<Encoder.Surroundings> = {}) =>
  Encoder.make({ ...plain, ...declared }, { ...around, ...own })

export const path = (encode: Encoder.Encode, input: unknown): string => Either.getOrThrow(encode(input)).path

export const refusal = (encode: Encoder.Encode, input: unknown): Input.Refusal =>
  Either.getOrThrow(Either.flip(encode(input)))

/** What an encoder makes of an input: its path with the text of its JSON, or its refusal. */
export const written = (encode: Encoder.Encode, input: unknown) =>
  Either.merge(
    Either.map(encode(input), ({ body, path }) => (body?._tag === "Json" ? [path, body.text] : [path]))
  )

/** What an operation makes of an input. */
export const encode = <I>(
  operation: Operation<I, unknown, never>,
  input: unknown,
  own: Partial<Encoder.Surroundings> = {}
) => Encoder.make(operation.declaration(), { ...around, ...own })(input)
