/** Values as text that may be shown: bounded, with secrets masked. Nothing of the value itself is kept. */

import * as Either from "effect/Either"
import * as Raw from "../../core/kernel/operation/raw.js"
import { mask, maskAll } from "../../core/kernel/redaction/mask.js"
import { isSecret, isSecretData, isSecretField, textsIn } from "../../core/kernel/redaction/sent-secrets.js"
import { isBlob } from "../../core/ports/bytes.js"
import { concealed, shown as masked } from "./mask.js"

type Secrets = ReadonlyArray<string>

/** Answers the secrets that are known by now: the same list until a client has learnt another one. */
export type Known = () => Secrets

/** Most parts of a value that are shown, how deep they may lie, and most characters of a text. */
const [mostParts, deepest, longest] = [5_000, 20, 20_000]

/** What stands for something that is left out. */
const more = "…"

/** What has no structure to look into; undefined where it has one. */
const leafOf = (value: object): string | undefined => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString()
  if (value instanceof Error) return `${value.name}: ${value.message}`
  if (isBlob(value)) return `${"name" in value ? `File ${value.name}` : "Blob"} (${value.size} bytes)`
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} (${value.byteLength} bytes)`
  return value instanceof URL ? value.href : undefined
}

const none: Secrets = []

/** Where no client is looked into. */
const nobodys: Known = () => none

/** A text without the secrets in it, as long as may be shown. It may itself be a document with secrets of its own. */
const hidden = (text: string, secrets: Secrets): string => {
  const hiding =
    secrets.length === 0 ? mask(String(concealed(text)), secrets) : String(concealed(text, secrets))
  return text.length > longest ? `${hiding.slice(0, longest)}${more}` : hiding
}

/** What is hidden of a value. */
interface Hiding {
  /** By the names of fields. */
  readonly isSecret: (name: string) => boolean
  /** In all texts, names among them. */
  readonly hide: (text: string) => string
}

/** A part of a value. It is read when it is asked for: a getter of the app's own may throw. */
type Part = readonly [name: unknown, read: () => unknown]

interface Parts {
  /** Whether the names of the parts are none of the app's. */
  readonly isList: boolean
  readonly size: number
  readonly all: Iterable<Part>
}

const each = function* <A>(items: Iterable<A>, part: (item: A, place: number) => Part): Iterable<Part> {
  let place = 0
  for (const item of items) {
    yield part(item, place)
    place += 1
  }
}

const partsOf = (value: object): Parts => {
  if (Array.isArray(value))
    return { isList: true, size: value.length, all: each(value.keys(), (at) => [at, () => value[at]]) }
  if (value instanceof Set)
    return { isList: true, size: value.size, all: each(value, (item, at) => [at, () => item]) }
  if (value instanceof Map)
    return { isList: false, size: value.size, all: each(value, ([name, item]) => [name, () => item]) }
  const holder: object = Raw.isRaw(value) ? { [Raw.mark]: Raw.sentOf(value) } : value
  const names = Object.keys(holder)
  return {
    isList: false,
    size: names.length,
    all: each(names, (name) => [name, () => Reflect.get(holder, name)])
  }
}

const attempt = <A>(run: () => A, otherwise: (cause: unknown) => A): A =>
  Either.getOrElse(Either.try(run), otherwise)

/** What stands where reading throws. What was thrown may itself be no text. */
const refused = (cause: unknown): string =>
  attempt(
    () => `It cannot be shown: ${String(cause)}`,
    () => "It cannot be shown."
  )

/** The name of a part as text: a key of a Map may be anything. */
const textOf = (name: unknown): string => attempt(() => String(name), refused)

/** A value as plain JSON. */
const plain = (root: unknown, { hide, isSecret }: Hiding): unknown => {
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
    const { all, isList, size } = partsOf(value)
    const walked: Array<readonly [name: string, value: unknown]> = []
    for (const [key, read] of all) {
      const name = textOf(key)
      if (parts > mostParts) {
        const left = `${size - walked.length} more`
        walked.push([more, isList ? `${more} ${left}` : left])
        break
      }
      const inner = attempt(
        () => walk(read(), !isList && isSecret(name), within),
        (cause) => hide(refused(cause))
      )
      walked.push([hide(name), inner])
    }
    return isList ? walked.map(([, inner]) => inner) : Object.fromEntries(walked)
  }
  return attempt(
    () => walk(root, false, []),
    (cause) => hide(refused(cause))
  )
}

const written = (value: unknown, isSecret: Hiding["isSecret"], secrets: Secrets): string =>
  JSON.stringify(plain(value, { isSecret, hide: (text) => hidden(text, secrets) }), null, 2) ?? "undefined"

/** What was answered, without these secrets. */
export const answerText = (value: unknown, secrets: Secrets = none): string =>
  written(value, isSecretData, secrets)

/** An error in a line. Those of calls hold no secret, those of the app may. */
export const errorText = (error: unknown, secrets: Secrets = none): string => {
  const { _tag, message, name } = Object(error)
  if (typeof message !== "string") return answerText(error, secrets)
  return hidden(`${String(_tag ?? name ?? "Error")}: ${message}`, secrets)
}

/** The secrets of an input, in all of it: what is too much to be shown was sent too. */
const secretsOf = (input: unknown): Secrets => {
  const secrets: Array<string> = []
  // What was looked into, as a secret or not: a value may hold itself. A list, not calls: it may be deep.
  const seen = [new Set<object>(), new Set<object>()] as const
  const rest: Array<readonly [value: unknown, isFound: boolean]> = [[input, false]]
  const look = (value: unknown, isFound: boolean): void => {
    if (typeof value === "bigint") textsIn(String(value), isFound, secrets)
    else if (typeof value !== "object" || value === null) textsIn(value, isFound, secrets)
    else {
      const leaf = leafOf(value)
      if (leaf !== undefined) return textsIn(leaf, isFound, secrets)
      const before = seen[isFound ? 1 : 0]
      if (before.has(value)) return
      before.add(value)
      const { all, isList } = partsOf(value)
      for (const [key, read] of all)
        attempt(
          () => {
            const inner = read()
            rest.push([inner, isFound || (!isList && isSecretField(String(key), inner))])
          },
          () => undefined
        )
    }
  }
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [value, isFound] = next
    attempt(
      () => look(value, isFound),
      // It cannot be read, and so was not sent.
      () => undefined
    )
  }
  return secrets
}

/**
 * What was sent as text, and as what came of it: none repeats a secret of the input, nor one that the clients know by then. Of the input
 * itself nothing is kept.
 */
export class Texts {
  private readonly own: Secrets
  /** The input without what was secret when it was sent. */
  private readonly sent: string
  /** What is secret by now, and the input without it. */
  private present: {
    readonly known: Secrets
    readonly all: Secrets
    readonly input: string
    readonly line: string
  }

  constructor(
    input: unknown = {},
    private readonly known: Known = nobodys
  ) {
    this.own = secretsOf(input)
    this.sent = written(input, isSecret, [...this.own, ...known()])
    this.present = this.make(known(), this.sent)
  }

  private make(known: Secrets, input: string): Texts["present"] {
    const all = this.own.length === 0 ? known : [...this.own, ...known]
    return { known, all, input, line: input.replaceAll(/\s+/g, " ") }
  }

  private get now(): Texts["present"] {
    const known = this.known()
    if (this.present.known !== known) this.present = this.make(known, String(maskAll(this.sent, known)))
    return this.present
  }

  get input(): string {
    return this.now.input
  }

  /** The input in one line. */
  get line(): string {
    return this.now.line
  }

  /** All that is hidden: the same list until a client has learnt another secret. */
  get secrets(): Secrets {
    return this.now.all
  }

  answer(value: unknown, secrets = this.secrets): string {
    return answerText(value, secrets)
  }

  error(error: unknown): string {
    return errorText(error, this.secrets)
  }
}

const texts = /*#__PURE__*/ new WeakMap<object, Texts>()

/** The texts of what has an input, which are made once. */
export const textsOf = (of: { readonly input: unknown }, known: Known): Texts => {
  const created = texts.get(of) ?? new Texts(of.input, known)
  texts.set(of, created)
  return created
}
