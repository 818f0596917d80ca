/**
 * What a secret looks like where others repeat it: plain, percent-encoded, escaped for JSON or HTML, in hexadecimal,
 * in base64.
 */
import * as Encoding from "effect/Encoding"

const utf8 = /*#__PURE__*/ new TextEncoder()

type Write = (character: string) => string

/** The text with every character that is not kept written otherwise. */
const rewrite = (text: string, kept: RegExp, write: Write): string =>
  Array.from(text, (character) => (kept.test(character) ? character : write(character))).join("")

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

const nothing = /^$/
const unreserved = /^[\w.~-]$/
const unreservedByBrowsers = /^[\w.~!*'()-]$/
const unreservedInForms = /^[\w.*-]$/
const ascii = /^[ -~]$/
const plainInHtml = /^[^&<>"']$/u

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

/** Shorter texts cannot be told from others. */
const shortest = 4

/** All forms of a secret that can be told from other text. */
export const formsOf = (secret: string): ReadonlyArray<string> => {
  const bytes = utf8.encode(secret)
  const json = JSON.stringify(secret).slice(1, -1)
  const sextets = base64(bytes)
  const hexadecimal = Encoding.encodeHex(bytes)
  const escaped = [(write: Write) => write, upper].flatMap((inCase) => [
    rewrite(secret, unreserved, inCase(percent)),
    rewrite(json, unreserved, inCase(percent)),
    rewrite(secret, unreservedByBrowsers, inCase(percent)),
    rewrite(secret, unreservedInForms, inCase(percent)).replaceAll("%20", "+"),
    rewrite(secret, nothing, inCase(percent)),
    rewrite(json, ascii, inCase(unicode)),
    rewrite(secret, nothing, inCase(unicode))
  ])
  const all = [
    secret,
    ...escaped,
    json,
    json.replaceAll("/", "\\/"),
    rewrite(secret, plainInHtml, entity("&#39;")),
    rewrite(secret, plainInHtml, entity("&#x27;")),
    hexadecimal,
    hexadecimal.toUpperCase(),
    ...sextets,
    ...sextets.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"))
  ]
  return [...new Set(all)].filter(({ length }) => length >= shortest)
}
