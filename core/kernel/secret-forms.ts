/**
 * What a secret looks like where others repeat it: plain, percent-encoded, escaped for JSON or HTML, in hexadecimal,
 * in base64.
 */
import * as Encoding from "effect/Encoding"

const utf8 = /*#__PURE__*/ new TextEncoder()

type Write = (character: string) => string

const percent: Write = (character) =>
  Array.from(utf8.encode(character), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")

const unicode: Write = (character) =>
  Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index)
    return `\\u${unit.toString(16).padStart(4, "0")}`
  }).join("")

const upper =
  (write: Write): Write =>
  (character) =>
    write(character).replace(/[\da-f]{2,}/g, (digits) => digits.toUpperCase())

const entity =
  (apostrophe: string): Write =>
  (character) =>
    ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[character] ?? apostrophe

/** What is written otherwise: everything, or all but what a standard leaves as it is. */
const everything = /./gsu
const reserved = /[^\w.~-]/gu
const reservedByBrowsers = /[^\w.~!*'()-]/gu
const reservedInForms = /[^\w.*-]/gu
const notAscii = /[^ -~]/gu
const markup = /[&<>"']/g

/** The part of a text's base64 that does not depend on what stands around it, at each of the three positions. */
const base64 = (bytes: Uint8Array): ReadonlyArray<string> =>
  [0, 1, 2].map((offset) => {
    const shifted = new Uint8Array(offset + bytes.length)
    shifted.set(bytes, offset)
    return Encoding.encodeBase64(shifted).slice(
      offset === 0 ? 0 : offset + 1,
      Math.floor((shifted.length * 8) / 6)
    )
  })

/** UTF-8 that is read as Latin-1. */
const asLatin1 = (text: string): string =>
  Array.from(utf8.encode(text), (byte) => String.fromCharCode(byte)).join("")

/** Shorter texts cannot be told from others. */
const shortest = 4

/** All forms of a secret that can be told from other text. */
export const formsOf = (secret: string): ReadonlyArray<string> => {
  const bytes = utf8.encode(secret)
  const json = JSON.stringify(secret).slice(1, -1)
  const sextets = base64(bytes)
  const hexadecimal = Encoding.encodeHex(bytes)
  const escaped = [(write: Write) => write, upper].flatMap((inCase) => [
    secret.replace(reserved, inCase(percent)),
    secret.replace(reservedByBrowsers, inCase(percent)),
    secret.replace(reservedInForms, inCase(percent)).replaceAll("%20", "+"),
    // A JSON body that is repeated in a URL.
    json.replace(reserved, inCase(percent)),
    json.replace(reservedByBrowsers, inCase(percent)),
    secret.replace(everything, inCase(percent)),
    json.replace(notAscii, inCase(unicode)),
    secret.replace(everything, inCase(unicode))
  ])
  const all = [
    secret,
    ...escaped,
    json,
    json.replaceAll("/", "\\/"),
    // In a header, what is no ASCII turns into question marks or into two letters.
    ...[secret, json].flatMap((text) => [text.replace(notAscii, "?"), asLatin1(text)]),
    secret.replace(markup, entity("&#39;")),
    secret.replace(markup, entity("&#x27;")),
    hexadecimal,
    hexadecimal.toUpperCase(),
    ...sextets,
    ...sextets.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"))
  ]
  return [...new Set(all)].filter(({ length }) => length >= shortest)
}
