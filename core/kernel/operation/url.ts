import * as Either from "effect/Either"

/**
 * The URL that a text is, by a base if it is relative; undefined if it is none. It does not ask `URL.canParse`, which on Node
 * 20 and 22 takes no letter such as ü any more once it was asked a few thousand times.
 */
export const urlOf = (text: string, base?: string): URL | undefined =>
  Either.getOrUndefined(Either.try(() => new URL(text, base)))
