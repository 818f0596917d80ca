import * as Either from "effect/Either"

/**
 * The URL that a text is, by a base if it is relative; undefined if it is none. It does not ask `URL.canParse`, which on Node
 * 20 and 22 takes no letter such as ü any more once it was asked a few thousand times.
 */
export const urlOf = (text: string, base?: string): URL | undefined =>
  Either.getOrUndefined(Either.try(() => new URL(text, base)))

/** A text without its percent-encoding; the text itself where that is none. */
export const percentDecoded = (text: string): string =>
  Either.getOrElse(
    Either.try(() => decodeURIComponent(text)),
    () => text
  )

/** A text without the characters of one kind at its end: a regular expression takes quadratic time where others follow many of them. */
export const withoutEnd = (text: string, character: string): string => {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end -= 1
  return text.slice(0, end)
}
