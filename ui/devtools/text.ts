/** Values as text that may be shown: bounded, with secrets masked. Nothing of the value itself is kept. */
import { concealed, isSecretAnswer, shown as masked } from "../../adapters/tap/mask.js"
import { mask } from "../../core/kernel/redaction/mask.js"
import { isSecret, textsIn } from "../../core/kernel/redaction/sent-secrets.js"

/** Most parts of a value that are shown, how deep they may lie, and most characters of a text. */
const [mostParts, deepest, longest] = [5_000, 20, 20_000]

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

type Secrets = ReadonlyArray<string>

const none: Secrets = []

/** A text without the secrets in it, as long as may be shown. It may itself be a document with secrets of its own. */
const hidden = (text: string, secrets: Secrets): string => {
  const hiding = mask(String(concealed(text)), secrets)
  return text.length > longest ? `${hiding.slice(0, longest)}${more}` : hiding
}

/** What is hidden of a value. */
interface Hiding {
  /** By the names of fields. */
  readonly isSecret: (name: string) => boolean
  /** In all texts, names among them. */
  readonly hide: (text: string) => string
}

/** A value as plain JSON. */
const plain = (given: unknown, { hide, isSecret }: Hiding): unknown => {
  let parts = 0
  const walk = (value: unknown, isFound: boolean, parents: ReadonlyArray<object>): unknown => {
    parts += 1
    if (value === undefined || value === null || typeof value === "boolean") return value
    if (isFound) return masked
    if (typeof value === "string") return hide(value)
    if (typeof value === "number") {
      const text = String(value)
      return Number.isFinite(value) && hide(text) === text ? value : hide(text)
    }
    if (typeof value === "function") return `function ${value.name}`
    if (typeof value !== "object") return hide(String(value))
    const leaf = leafOf(value)
    if (leaf !== undefined) return hide(leaf)
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
      walked.push([hide(String(name)), walk(inner, isSecret(String(name)), within)])
    }
    return Object.fromEntries(walked)
  }
  return walk(given, false, [])
}

const written = (value: unknown, isSecret: Hiding["isSecret"], secrets: Secrets): string => {
  try {
    return (
      JSON.stringify(plain(value, { isSecret, hide: (text) => hidden(text, secrets) }), null, 2) ??
      "undefined"
    )
  } catch (cause) {
    // A getter of the app's own may throw.
    return hidden(`It cannot be shown: ${String(cause)}`, secrets)
  }
}

/** What was answered, without these secrets. */
export const answerText = (value: unknown, secrets: Secrets = none): string =>
  written(value, isSecretAnswer, secrets)

/** An error in a line. Those of calls hold no secret, those of the app may. */
export const errorText = (error: unknown, secrets: Secrets = none): string => {
  const { _tag, message, name } = Object(error)
  if (typeof message !== "string") return answerText(error, secrets)
  return hidden(`${String(_tag ?? name ?? "Error")}: ${message}`, secrets)
}

/** The secrets of an input. */
const secretsOf = (input: unknown): Secrets => {
  const found: Array<string> = []
  try {
    textsIn(plain(input, { isSecret: () => false, hide: (text) => text }), false, found)
  } catch {
    // It cannot be read, and so was not sent.
  }
  return found
}

/** What was sent as text, and as what came of it: none repeats a secret of the input. Of the input itself nothing is kept. */
export class Texts {
  readonly input: string
  /** The input in one line. */
  readonly line: string
  private readonly secrets: Secrets

  constructor(input: unknown = {}) {
    this.secrets = secretsOf(input)
    this.input = written(input, isSecret, this.secrets)
    this.line = this.input.replaceAll(/\s+/g, " ")
  }

  answer(value: unknown): string {
    return answerText(value, this.secrets)
  }

  error(error: unknown): string {
    return errorText(error, this.secrets)
  }
}

const known = /*#__PURE__*/ new WeakMap<object, Texts>()

/** The texts of what has an input, which are made once. */
export const textsOf = (of: { readonly input: unknown }): Texts => {
  const texts = known.get(of) ?? new Texts(of.input)
  known.set(of, texts)
  return texts
}
