/** Values as text that may be shown: bounded, with secrets masked. Nothing of the value itself is kept. */
import { concealed, isSecretAnswer, shown as masked } from "../../adapters/tap/mask.js"
import { isSecret } from "../../core/kernel/redaction/sent-secrets.js"

/** Most parts of a value that are shown, and how deep they may lie. */
const [mostParts, deepest] = [5_000, 20]

/** What stands for something that is left out. */
const more = "…"

/** What has no structure to look into; undefined where it has one. */
const leafOf = (value: object): string | undefined => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString()
  if (value instanceof Error) return `${value.name}: ${value.message}`
  if (value instanceof Blob)
    return `${value instanceof File ? `File ${value.name}` : "Blob"} (${value.size} bytes)`
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} (${value.byteLength} bytes)`
  return value instanceof URL ? value.href : undefined
}

/** A value as plain JSON, without what `isHidden` says of fields' names. */
const plain = (given: unknown, isHidden: (name: string) => boolean): unknown => {
  let parts = 0
  const walk = (value: unknown, isFound: boolean, parents: ReadonlyArray<object>): unknown => {
    parts += 1
    if (value === undefined || value === null || typeof value === "boolean") return value
    if (isFound) return masked
    // A text may itself be a document with secrets in it.
    if (typeof value === "string") return concealed(value)
    if (typeof value === "number") return Number.isFinite(value) ? value : String(value)
    if (typeof value === "function") return `function ${value.name}`
    if (typeof value !== "object") return String(value)
    const leaf = leafOf(value)
    if (leaf !== undefined) return leaf
    if (parents.includes(value) || parents.length > deepest || parts > mostParts) return more
    const within = [...parents, value]
    const some = (items: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
      const walked: Array<unknown> = []
      for (const item of items) {
        if (parts > mostParts) return [...walked, `${more} ${items.length - walked.length} more`]
        walked.push(walk(item, false, within))
      }
      return walked
    }
    if (Array.isArray(value) || value instanceof Set) return some([...value])
    const fields: ReadonlyArray<readonly [unknown, unknown]> =
      value instanceof Map ? [...value] : Object.entries(value)
    const walked: Array<readonly [name: string, value: unknown]> = []
    for (const [name, inner] of fields) {
      if (parts > mostParts) {
        walked.push([more, `${fields.length - walked.length} more`])
        break
      }
      walked.push([String(name), walk(inner, isHidden(String(name)), within)])
    }
    return Object.fromEntries(walked)
  }
  return walk(given, false, [])
}

const written = (value: unknown, isHidden: (name: string) => boolean): string => {
  try {
    return JSON.stringify(plain(value, isHidden), null, 2) ?? "undefined"
  } catch (cause) {
    // A getter of the app's own may throw.
    return `It cannot be shown: ${String(cause)}`
  }
}

/** What was sent. */
export const inputText = (value: unknown): string => written(value, isSecret)

/** What was answered. */
export const answerText = (value: unknown): string => written(value, isSecretAnswer)

/** An error in a line. Those of calls hold no secret. */
export const errorText = (error: unknown): string => {
  const { _tag, message, name } = Object(error)
  if (typeof message !== "string") return answerText(error)
  return `${String(_tag ?? name ?? "Error")}: ${message}`
}
