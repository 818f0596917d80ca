/** A call's input as a model writes it in JSON. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import { fieldsOf, isFile } from "../../../adapters/openapi/fields.js"
import type { Declared } from "../../../core/kernel/operation/operation.js"
import { Failure } from "./failure.js"

export type Input = Readonly<Record<string, unknown>>

const contentOf = ({ base64, text }: Input): Uint8Array | undefined => {
  if (typeof text === "string") return new TextEncoder().encode(text)
  return typeof base64 === "string" ? Either.getOrUndefined(Encoding.decodeBase64(base64)) : undefined
}

/**
 * The input with the files that its JSON describes. A file's content stands in the input: a path of this machine would let a
 * model send any file of it.
 */
export const inputOf = (declared: Declared, given: Input): Effect.Effect<Input, Failure> =>
  Effect.gen(function* () {
    const input: Record<string, unknown> = { ...given }
    for (const { ast, name } of fieldsOf(declared)) {
      if (!isFile(ast) || input[name] === undefined) continue
      const described: Input = Object(input[name])
      const content = contentOf(described)
      if (content === undefined || typeof described.name !== "string")
        return yield* new Failure({
          message: `The field "${name}" is a file: { "name": "a.txt", "text": "…" } or { "name": "a.png", "base64": "…" }.`,
          advice: "Give its content as text or as base64."
        })
      const { type } = described
      input[name] = { name: described.name, content, ...(typeof type === "string" ? { type } : {}) }
    }
    return input
  })
