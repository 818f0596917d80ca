/** Fields to the parts of multipart form data. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Body, Part } from "../ports/transport.js"
import * as Input from "./input.js"
import * as Json from "./json.js"
import { isWellFormed } from "./path.js"

/** A file to upload. */
export interface File {
  /** The bytes, with their media type in `content.type`. */
  readonly content: Blob
  /** Its name on the platform. */
  readonly name: string
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
const control = /[\u0000-\u001f\u007f]/

const isFile = (value: unknown): value is File =>
  typeof value === "object" &&
  value !== null &&
  "content" in value &&
  value.content instanceof Blob &&
  "name" in value

const nameRule = (name: unknown): string | undefined => {
  if (typeof name !== "string" || name === "") return "must not be empty"
  if (control.test(name) || !isWellFormed(name))
    return "must not hold line breaks or other control characters"
  if (name === "." || name === ".." || /[/\\]/.test(name)) return "must be a bare file name, without folders"
  return undefined
}

/** A file with a name that is safe to send. */
export const FileSchema: Schema.Schema<File> = Schema.declare(isFile, {
  identifier: "File",
  description: "a file: { content: Blob, name: string }"
})

const part = (name: string, value: unknown): Either.Either<Part, Input.Refusal> => {
  if (isFile(value)) {
    const rule = nameRule(value.name)
    return rule === undefined
      ? Either.right({ name, file: value.content, fileName: value.name })
      : Either.left({ field: `${name}.name`, rule })
  }
  if (typeof value === "object" && value !== null && !(value instanceof Date)) {
    return Either.map(Json.encode(value, name), (text) => ({ name, text }))
  }
  const said = Either.filterOrLeft(
    Input.scalar(value),
    isWellFormed,
    () => "must not hold half of a surrogate pair"
  )
  return Either.mapBoth(said, {
    onLeft: (rule) => ({ field: name, rule }),
    // As all forms have it; otherwise some transports would write line breaks so, and others would not.
    onRight: (text) => ({ name, text: text.replaceAll(/\r\n|\r|\n/g, "\r\n") })
  })
}

/** The parts of a form, files last, in the order of the fields. */
export const encode = (fields: Readonly<Record<string, unknown>>): Either.Either<Body, Input.Refusal> => {
  const parts = Either.all(Object.keys(fields).map((name) => part(name, fields[name])))
  return Either.map(parts, (all) => ({
    _tag: "Form",
    parts: [...all.filter((item) => "text" in item), ...all.filter((item) => "file" in item)]
  }))
}
