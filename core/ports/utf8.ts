/** Text as bytes and back, also where an engine has no TextEncoder or TextDecoder, and without a look for one before it is needed. */
import * as Either from "effect/Either"

/** Without a decoder: a percent-encoded text is read strictly, too. */
const decodedWithout = (bytes: Uint8Array): string => {
  let encoded = ""
  for (const byte of bytes) encoded += `%${byte < 16 ? "0" : ""}${byte.toString(16)}`
  return decodeURIComponent(encoded).replace(/^\ufeff/, "")
}

/** Makes what reads the text of bytes, without a byte order mark. It throws where they are not UTF-8: nothing is replaced. */
export const makeDecode = (): ((bytes: Uint8Array) => string) => {
  if (typeof TextDecoder === "undefined") return decodedWithout
  const decoder = new TextDecoder("utf-8", { fatal: true })
  return decoder.decode.bind(decoder)
}

/** The text of bytes by the charset that they are declared in; undefined where the engine does not know it, or they are not in it. */
export const decodeBy = (charset: string, bytes: Uint8Array): string | undefined =>
  Either.getOrUndefined(Either.try(() => new TextDecoder(charset, { fatal: true }).decode(bytes)))

let encoder: TextEncoder | undefined

/** Halves of surrogate pairs, which UTF-8 does not have. */
const halves = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

const encodedWithout = (text: string): Uint8Array<ArrayBuffer> => {
  const parts = encodeURIComponent(text.replace(halves, "\ufffd")).match(/%..|[^%]/g) ?? []
  return Uint8Array.from(parts, (part) =>
    part.length === 1 ? part.charCodeAt(0) : Number.parseInt(part.slice(1), 16)
  )
}

/** The bytes of a text. */
export const encode = (text: string): Uint8Array<ArrayBuffer> => {
  if (typeof TextEncoder === "undefined") return encodedWithout(text)
  encoder ??= new TextEncoder()
  return encoder.encode(text)
}
