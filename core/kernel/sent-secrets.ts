/** Secrets that a call sends in its input, such as a password, so that a server's text cannot repeat them in an error. */
import * as Either from "effect/Either"
import type { AnyBody } from "./form.js"

/** Names that speak of a secret wherever this stands in them. */
const always = /pass(word|wd|code|phrase)|pwd|secret|token|credential|authori[sz]ation|session|cardnumber/

/** Words that do so only as words of their own: `cardPin`, not `shipping`. */
const words = new Set(["otp", "otps", "totp", "pin", "pins", "puk", "cvc", "cvv", "cvn", "jwt"])

/** What makes a code or a key no secret: `countryCode`, `sortKey`. */
const harmless = new Set(
  (
    "country currency zip post postal area city region state dial dialing phone language lang locale status error " +
    "exit reason response http color colour product item article category type unit bar iso tax source sort order " +
    "filter field group foreign primary partition cache idempotency public translation message label event"
  ).split(" ")
)

/**
 * Whether a field is named like a secret: a password, token, session, credential, code, key, PIN and the like, in any
 * way of writing names.
 */
export const isSecret = (name: string): boolean => {
  const found = (name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+/gu) ?? []).map((word) => word.toLowerCase())
  if (always.test(found.join("")) || found.some((word) => words.has(word))) return true
  // What a name is of stands last in it: `keyId` is an id.
  const last = /^(.*?)(?:code|key)s?$/.exec(found.at(-1) ?? "")
  return last !== null && !harmless.has(last[1] === "" ? (found.at(-2) ?? "") : (last[1] ?? ""))
}

/** An object or a list that a text holds as JSON: fields of a form are written so, and whole documents. */
export const held = (text: string): object | undefined => {
  if (!/^\s*[[{]/.test(text)) return undefined
  const value = Either.getOrUndefined(Either.try((): unknown => JSON.parse(text)))
  return typeof value === "object" && value !== null ? value : undefined
}

const textsIn = (value: unknown, isFound: boolean, found: Array<string>): void => {
  if (typeof value === "string") {
    if (isFound) found.push(value)
    textsIn(held(value), isFound, found)
  } else if (typeof value === "number") {
    if (isFound) found.push(String(value))
  } else if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value))
      textsIn(item, isFound || (!Array.isArray(value) && isSecret(name)), found)
  }
}

/** The values of a path that stand where its template names a secret. A bare `key` there is the name of a thing. */
const inPath = (path: string, template: string): ReadonlyArray<string> => {
  const names = template.split("/").map((segment) => /\{([^{}]+)\}/.exec(segment)?.[1] ?? "key")
  const segments = path.split("/")
  return segments.length === names.length
    ? segments
        .filter((_, at) => names[at] !== "key" && isSecret(names[at] ?? ""))
        .map((text) =>
          Either.getOrElse(
            Either.try(() => decodeURIComponent(text)),
            () => text
          )
        )
    : []
}

/** The secrets in a request's path, by its template, in its query and body. Only a failure asks for them. */
export const sentSecrets = (
  target: string,
  body: AnyBody | undefined,
  template = ""
): ReadonlyArray<string> => {
  const [path = "", query = ""] = target.split("?", 2)
  const found: Array<string> = [...inPath(path, template)]
  // Lists in a query are joined by commas.
  for (const [name, text] of new URLSearchParams(query))
    textsIn({ [name]: [text, ...text.split(",")] }, false, found)
  if (body?._tag === "Json") textsIn(parsed(body.text), false, found)
  else if (body?._tag === "Form") {
    for (const part of body.parts) if ("text" in part) textsIn({ [part.name]: part.text }, false, found)
  }
  return found
}

/** The kernel has written this text itself. */
const parsed = (text: string): unknown => Either.getOrUndefined(Either.try((): unknown => JSON.parse(text)))

/** A client's secrets with those of a request, found out once; the client's own list where the request has none. */
export const withSent = (
  secrets: () => ReadonlyArray<string>,
  sent: () => ReadonlyArray<string>
): (() => ReadonlyArray<string>) => {
  let all: ReadonlyArray<string> | undefined
  return () => {
    if (all !== undefined) return all
    const found = sent()
    all = found.length === 0 ? secrets() : [...secrets(), ...found]
    return all
  }
}
