/** JSON of a file or of an answer. */
import * as Either from "effect/Either"

/** The value of a text, whose byte order mark some editors write; undefined where it is no JSON. */
export const parse = (text: string): { readonly value: unknown } | undefined =>
  Either.getOrUndefined(Either.try(() => ({ value: JSON.parse(text.replace(/^\uFEFF/, "")) as unknown })))

/** The same of the bytes of a body, which is undefined where it is empty. */
export const ofBytes = (body: Uint8Array): { readonly value: unknown } | undefined =>
  body.byteLength === 0 ? { value: undefined } : parse(new TextDecoder().decode(body))
