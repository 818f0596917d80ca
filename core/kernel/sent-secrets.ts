/** Secrets that a call sends in its input, such as a password, so that a server's text cannot repeat them in an error. */
import * as Either from "effect/Either"
import type { AnyBody } from "./form.js"

/** Names of fields whose texts are secrets. */
export const isSecret = (name: string): boolean =>
  /pass(word|wd|code|phrase)|pwd|secret|token|credential|authori[sz]ation|session|(api|private|access)[_-]?key|\b(otp|pin|cvc|cvv)\b/i.test(
    name
  )

const textsIn = (value: unknown, isFound: boolean, found: Array<string>): void => {
  if (typeof value === "string") {
    if (isFound) found.push(value)
  } else if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      textsIn(item, isFound || (!Array.isArray(value) && isSecret(name)), found)
    }
  }
}

/** The secrets in a request's query and body. Only a failure asks for them. */
export const sentSecrets = (path: string, body: AnyBody | undefined): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const [name, text] of new URLSearchParams(path.split("?", 2)[1] ?? ""))
    textsIn({ [name]: text }, false, found)
  if (body?._tag === "Json") {
    // The kernel has written this text itself.
    textsIn(Either.getOrUndefined(Either.try((): unknown => JSON.parse(body.text))), false, found)
  } else if (body?._tag === "Form") {
    for (const part of body.parts) if ("text" in part) textsIn({ [part.name]: part.text }, false, found)
  }
  return found
}

/** A client's secrets with those of a request, found out once; the client's own list where the request has none. */
export const withSent = (
  secrets: () => ReadonlyArray<string>,
  path: string,
  body: AnyBody | undefined
): (() => ReadonlyArray<string>) => {
  let all: ReadonlyArray<string> | undefined
  return () => {
    if (all !== undefined) return all
    const sent = sentSecrets(path, body)
    all = sent.length === 0 ? secrets() : [...secrets(), ...sent]
    return all
  }
}
