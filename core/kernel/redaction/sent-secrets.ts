/** Secrets that a call sends in its input, such as a password, so that a server's text cannot repeat them in an error. */
import * as Either from "effect/Either"
import type { AnyRequest } from "../../ports/transport.js"
import { sentOf } from "../operation/raw.js"
import { percentDecoded } from "../operation/url.js"

/** Parts of names that mark a secret at any position. */
const always =
  /pass(word|wd|code|phrase)|pwd|secret|token|credential|authori[sz]ation|session|cardnumber|codeverifier/

/** Words that only look similar. */
const others = /^(?:possess|obsess|secretar|tokeni[sz])/

/** Words that mark a secret only as separate words: `cardPin`, not `shipping`. A few compounds count too. */
const words =
  /^(?:card|user|sms|e?mail|phone|sim|atm|login|account|auth|app)?(?:t?otp|pin|puk|cvc|cvv|cvn|jwt|pass|pw)s?$/

/** Words that name a secret if they come last. */
const lasts = /^(?:cookie|bearer|sig|signature)s?$/

/** Suffixes that do not change a name's meaning: `privateKeyPem`, `apiKeyV2`. */
const forms = new Set(["v", "pem", "der", "hex", "base", "raw", "text", "value"])

/** Words for a number of things, which is not a secret: `maxTokens`, `sessionCount`. */
const counts = new Set("max min total count limit length size".split(" "))

/** Words that make a code harmless: `countryCode`. The first entries complete other words with this ending. */
const plainCodes = new Set(
  (
    "de en uni geo country currency zip post postal area city region state dial dialing language lang locale status " +
    "error exit reason response http color colour product item article category type unit bar iso tax source message event"
  ).split(" ")
)

/** Words that make a key harmless: `sortKey`. The first entries complete other words with this ending. */
const plainKeys = new Set(
  (
    "mon tur don hoc joc whis sort order filter field group foreign primary partition cache surrogate idempotency public " +
    "translation message label event item category type status error language lang locale source object"
  ).split(" ")
)

const wordsOf = (name: string): ReadonlyArray<string> =>
  (name.match(/\p{Lu}+s?(?!\p{Ll})|\p{Lu}?\p{Ll}+/gu) ?? []).map((word) => word.toLowerCase())

/**
 * Whether a field is named like a secret: a password, token, session, credential, code, key, PIN and the like, in any
 * naming style.
 */
export const isSecret = (name: string): boolean => {
  const nameWords = wordsOf(name)
  const last = nameWords.filter((word) => !forms.has(word)).at(-1) ?? ""
  if (
    nameWords.length > 1 &&
    (counts.has(last) || (last.endsWith("s") && nameWords.some((word) => counts.has(word))))
  )
    return false
  if (always.test(nameWords.filter((word) => !others.test(word)).join(""))) return true
  if (nameWords.some((word) => words.test(word)) || lasts.test(last)) return true
  // The last word decides: `keyId` is an id.
  const [, before, kind] = /^(.*?)(code|key)s?$/.exec(last) ?? []
  if (before === undefined) return false
  const plain = kind === "code" ? plainCodes : plainKeys
  return !plain.has(before === "" ? (nameWords[nameWords.lastIndexOf(last) - 1] ?? "") : before)
}

/** As `isSecret`, where a bare `code` is an error's, and a bare `key` an identifier: in answers, and in what is asked for. */
export const isSecretData = (name: string): boolean => name !== "code" && name !== "key" && isSecret(name)

/** An object or a list as JSON in a text: form fields and whole documents are written this way. */
export const jsonIn = (text: string): object | undefined => {
  if (!/^\s*[[{]/.test(text)) return undefined
  const value = parsed(text)
  return typeof value === "object" && value !== null ? value : undefined
}

/** A number under a plural name is a count: `sessions: 1000`. */
const isCount = (name: string, value: unknown): boolean => typeof value === "number" && /[^s]s$/i.test(name)

/** Whether a field holds a secret, by its name. */
export const isSecretField = (name: string, value: unknown, isNamed = isSecret): boolean =>
  isNamed(name) && !isCount(name, value)

/** Collects the texts and numbers in a value: all of them if `isFound`, else those in fields named like a secret. */
export const textsIn = (
  given: unknown,
  takesAll: boolean,
  texts: Array<string>,
  isNamed = isSecret
): void => {
  const value = sentOf(given)
  if (typeof value === "string") {
    if (takesAll) texts.push(value)
    textsIn(jsonIn(value), takesAll, texts, isNamed)
  } else if (typeof value === "number") {
    if (takesAll) texts.push(String(value))
  } else if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value))
      textsIn(item, takesAll || (!Array.isArray(value) && isSecretField(name, item, isNamed)), texts, isNamed)
  }
}

/** The values of a path whose parameter names a secret. A bare `key` in a path is an identifier. */
const inPath = (path: string, template: string): ReadonlyArray<string> => {
  const names = template.split("/").map((segment) => /\{([^{}]+)\}/.exec(segment)?.[1] ?? "key")
  const segments = path.split("/")
  return segments.length === names.length
    ? segments.filter((_, at) => names[at] !== "key" && isSecret(names[at] ?? "")).map(percentDecoded)
    : []
}

/** The names and values of a query. React Native's URLSearchParams is not whole, so it is not used. */
export const pairsIn = (query: string): ReadonlyArray<readonly [name: string, text: string]> =>
  query.split("&").map((pair) => {
    const [name = "", ...text] = pair.replaceAll("+", " ").split("=")
    return [percentDecoded(name), percentDecoded(text.join("="))]
  })

/** The secrets in a request's path, by its template, in its query, body and headers. Computed only for failures. */
export const sentSecrets = (
  { body, headers, path: target }: Pick<AnyRequest, "body" | "headers" | "path">,
  template = ""
): ReadonlyArray<string> => {
  const [path = "", query = ""] = target.split("?", 2)
  const texts: Array<string> = [...inPath(path, template)]
  textsIn(headers, false, texts)
  // Lists in a query are joined by commas.
  for (const [name, text] of pairsIn(query)) textsIn({ [name]: [text, ...text.split(",")] }, false, texts)
  if (body?._tag === "Json") textsIn(parsed(body.text), false, texts)
  else if (body?._tag === "Form") {
    for (const part of body.parts) if ("text" in part) textsIn({ [part.name]: part.text }, false, texts)
  }
  return texts
}

const parsed = (text: string): unknown => Either.getOrUndefined(Either.try((): unknown => JSON.parse(text)))

/** A client's secrets with those of a request, collected once; the client's own list if the request has none. */
export const withSent = (
  secrets: () => ReadonlyArray<string>,
  sent: () => ReadonlyArray<string>
): (() => ReadonlyArray<string>) => {
  let all: ReadonlyArray<string> | undefined
  return () => {
    if (all !== undefined) return all
    const texts = sent()
    all = texts.length === 0 ? secrets() : [...secrets(), ...texts]
    return all
  }
}
