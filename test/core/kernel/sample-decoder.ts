// Decodes an answer that a test gives, into a value or a failure.
import * as Either from "effect/Either"
import * as Decoder from "../../../core/kernel/codec/decoder.js"
import type { Typed } from "../../../core/kernel/operation/answer.js"

/** Decodes JSON text as an answer of the schema. */
export const decode = <A>(schema: Typed<A>, source: string): Either.Either<A, Decoder.Failure> =>
  Either.flatMap(Decoder.json(source), (value) => Decoder.make(schema)(value, source))

export const value = <A>(schema: Typed<A>, source: unknown): A =>
  Either.getOrThrow(decode(schema, JSON.stringify(source)))

export const failure = <A>(schema: Typed<A>, source: unknown): Decoder.Failure =>
  Either.getOrThrow(Either.flip(decode(schema, JSON.stringify(source))))

export const when = "2024-02-29T10:00:00.000Z"

export const date = new Date(when)
