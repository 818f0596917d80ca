/** Secrets that are told apart from everything else, and the writings in which they may turn up. */

import { hash } from "../../../adapters/sandbox/state/random.js"
import { byCharacter, byOffset } from "./writings.js"

/** One secret that must never be seen. */
export interface Canary {
  /** The field of the configuration or the input that holds it. */
  readonly field: string
  readonly text: string
}

/** 16 digits that no other canary has. */
const mark = (field: string): string =>
  [field, `${field}'`].map((text) => hash(text).toString(16).padStart(8, "0")).join("")

/** With characters that percent-encoding, JSON and both kinds of base64 write otherwise; fit for a header. */
export const canary = (field: string): Canary => ({ field, text: `cnry-${field}-/+="%&???-${mark(field)}` })

/** A password may hold anything. */
export const password = (field: string): Canary => ({
  field,
  text: `cnry-${field}-pässwörd "/\\+%&???-${mark(field)}`
})

/** An access token in the form of a JWT, whose claims hold the canary. */
export const token = (field: string): Canary => {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")
  const claims = { canary: field, sub: "admin", p: { "*": { "*": 9 } } }
  return { field, text: `${part({ alg: "HS256" })}.${part(claims)}.cnry${field}${mark(field)}` }
}

/** The end of a text, and its beginning with the name: each tells it from the others. */
const ends = (text: string): ReadonlyArray<string> => [
  text.slice(-shortest),
  text.slice(0, Math.max(shortest, Math.ceil(text.length * 0.6)))
]

/** Base64 without what depends on the neighbours of the text: up to three characters at either end. */
const kernel = (text: string): string => text.replace(/=*$/, "").slice(3, -3)

/** Parts of a secret that tell it from the others, in all writings. */
const partsOf = ({ text }: Canary): ReadonlyArray<string> => [
  ...[
    text,
    encodeURIComponent(text),
    encodeURI(text),
    JSON.stringify(text).slice(1, -1),
    Buffer.from(text).toString("base64"),
    Buffer.from(text).toString("base64url"),
    ...Array.from(byOffset.values(), (write) => kernel(write(text)))
  ].flatMap(ends),
  ...Object.values(byCharacter).flatMap((write) => ends(text).map(write))
]

/** Shortest part of a secret whose sight counts as a leak, in characters. */
const shortest = 12

const known = new Map<string, ReadonlySet<string>>()

/** The canaries that a text shows, whole or in a telling part. */
export const seenIn = (text: string, canaries: ReadonlyArray<Canary>): ReadonlyArray<Canary> =>
  canaries.filter((one) => {
    const parts = known.get(one.text) ?? new Set(partsOf(one))
    known.set(one.text, parts)
    for (const part of parts) if (text.includes(part)) return true
    return false
  })
