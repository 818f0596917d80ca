/** The forms in which a secret may be repeated, without escapes: plain, in hexadecimal, in base64. */

import * as Utf8 from "../../ports/utf8.js"

const notAscii = /[^ -~]/gu

const latin1 = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")

/** The part of a text's base64 that does not depend on its surroundings, for each of the three alignments. */
const base64 = (bytes: Uint8Array): ReadonlyArray<string> =>
  [0, 1, 2].map((offset) => {
    const shifted = new Uint8Array(offset + bytes.length)
    shifted.set(bytes, offset)
    return btoa(latin1(shifted)).slice(offset === 0 ? 0 : offset + 1, Math.floor((shifted.length * 8) / 6))
  })

/** Shorter texts cannot be distinguished from parts of others. */
export const shortest = 4

/** All forms of a secret that can be recognised at any place in a text. */
export const formsOf = (secret: string): ReadonlyArray<string> => {
  const bytes = Utf8.encode(secret)
  // The digits of a short secret could be part of any number.
  const sextets = secret.length < shortest ? [] : base64(bytes)
  const hexadecimal =
    secret.length < shortest ? "" : Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
  const all = [
    secret,
    // In a header, characters outside ASCII become question marks or two letters.
    secret.replace(notAscii, "?"),
    // UTF-8 misread.
    latin1(bytes),
    // As SQL escapes it.
    secret.replaceAll("'", "''"),
    hexadecimal,
    hexadecimal.toUpperCase(),
    ...sextets,
    ...sextets.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"))
  ]
  return [...new Set(all)].filter(({ length }) => length >= shortest)
}

/** Whether a secret is so short that it is only recognised standing alone, such as the three digits of a card. */
export const isShort = ({ length }: string): boolean => length > 1 && length < shortest
