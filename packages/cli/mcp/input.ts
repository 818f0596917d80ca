/** A call's input as a model writes it in JSON. */

import type { Declared } from "@quartet/sdk/extend"
import { type Described, fieldsOf, isFile, passed, takesRaw } from "@quartet/sdk/extend/description"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import { Failure } from "./failure.js"

export type Input = Readonly<Record<string, unknown>>

const parts = ["name", "type", "text", "base64"]

/** The file that a model gives by one of the two contents; undefined where it gives something else, or more. */
const fileOf = (input: Input) => {
  const { base64, name, text, type } = input
  const isText = Object.entries(input).every(
    ([part, value]) => parts.includes(part) && typeof value === "string"
  )
  if (!isText || name === undefined || (text === undefined) === (base64 === undefined)) return undefined
  const content =
    text === undefined
      ? Either.getOrUndefined(Encoding.decodeBase64(String(base64)))
      : new TextEncoder().encode(String(text))
  return content === undefined ? undefined : { name, content, ...(type === undefined ? {} : { type }) }
}

/** The input that a model asks for, with what it passes as it is. */
export const askedOf = (
  { fields, key }: Pick<Described, "fields" | "key">,
  input: Input,
  isRaw: boolean
): Effect.Effect<Input, Failure> => {
  if (!isRaw) return Effect.succeed(input)
  return fields.some(takesRaw)
    ? Effect.succeed(passed(fields, input))
    : new Failure({
        message: `${key} has no names that "raw" would pass. Nothing was sent.`,
        advice: 'Leave "raw" out, and read the input\'s schema with `describe`.'
      })
}

/**
 * The input with the files that its JSON describes. A file's content stands in the input: a path of this machine would let a
 * model send any file of it.
 */
export const inputOf = (declared: Declared, rawInput: Input): Effect.Effect<Input, Failure> =>
  Effect.gen(function* () {
    const input: Record<string, unknown> = { ...rawInput }
    for (const { ast, name } of fieldsOf(declared)) {
      if (!isFile(ast) || input[name] === undefined) continue
      const file = fileOf(Object(input[name]))
      if (file === undefined)
        return yield* new Failure({
          message: `The field "${name}" is a file: { "name": "a.txt", "text": "…" } or { "name": "a.png", "base64": "…" }, and its "type".`,
          advice: "Give its content as text or as base64, one of them, and nothing else."
        })
      input[name] = file
    }
    return input
  })
