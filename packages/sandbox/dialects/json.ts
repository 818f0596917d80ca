/** JSON whose whole numbers are exact, however large. */
import * as Either from "effect/Either"
import { invalid, type Refusal } from "../platform/refusal.js"
import { Digits } from "./ids.js"

/** Writes JSON as `JSON.stringify` does, and digits as the number that they are. */
export const write = (value: unknown): string | undefined => {
  if (value instanceof Digits) return value.text
  if (value instanceof Date || typeof value !== "object" || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => write(item) ?? "null").join(",")}]`
  const fields = Object.entries(value).flatMap(([name, item]) => {
    const text = write(item)
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return `{${fields.join(",")}}`
}

/** A text of JSON, or a number. */
const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Reads JSON; whole numbers of 16 digits and more are digits. */
export const read = (text: string): Either.Either<unknown, Refusal> => {
  // No text of the body holds the mark.
  let mark = "#"
  while (text.includes(mark)) mark += "#"
  const marked = text.replace(token, (part) => (/^-?\d{16,}$/.test(part) ? `"${mark}${part}"` : part))
  return Either.try({
    try: (): unknown =>
      JSON.parse(marked, (_, value: unknown) =>
        typeof value === "string" && value.startsWith(mark) ? new Digits(value.slice(mark.length)) : value
      ),
    catch: () => invalid("body", "is not valid JSON")
  })
}
