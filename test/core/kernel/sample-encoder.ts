// Encoders of calls that differ from a plain GET, and what they make of an input.
import * as Either from "effect/Either"
import * as Encoder from "../../../core/kernel/codec/encoder.js"
import * as Entity from "../../../core/kernel/operation/entity.js"
import type * as Input from "../../../core/kernel/operation/input.js"
import type { Declared } from "../../../core/kernel/operation/operation.js"

export const make = (declared: Partial<Declared>, around: Partial<Encoder.Surroundings> = {}) =>
  Encoder.make(
    {
      method: "GET",
      path: "things",
      audiences: ["admin"],
      input: Entity.AnyQuery,
      success: Entity.Anything,
      ...declared
    },
    { prefix: "", projectId: undefined, projectInQuery: false, ...around }
  )

export const path = (encode: Encoder.Encode, input: unknown): string => Either.getOrThrow(encode(input)).path

export const refusal = (encode: Encoder.Encode, input: unknown): Input.Refusal =>
  Either.getOrThrow(Either.flip(encode(input)))

export const jsonOf = (encode: Encoder.Encode, input: unknown): string | undefined => {
  const { body } = Either.getOrThrow(encode(input))
  return body?._tag === "Json" ? body.text : undefined
}
