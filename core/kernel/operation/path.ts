/** Path templates such as `request-action/{id}/seen`: their type-level parameters and their percent-encoded values. */
import * as Either from "effect/Either"

/** Names of a template's parameters. */
export type Params<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Params<Rest>
  : never

/** A template cut at its parameters: text, name, text, name, …, text. */
export interface Template {
  readonly texts: ReadonlyArray<string>
  readonly names: ReadonlyArray<string>
}

export const parse = (template: string): Template => {
  const parts = template.replace(/^\/+/, "").split(/\{([^{}]+)\}/)
  return {
    texts: parts.filter((_, index) => index % 2 === 0),
    names: parts.filter((_, index) => index % 2 === 1)
  }
}

const loneSurrogate = /\p{Surrogate}/u

/** Whether text can be percent-encoded: half of a surrogate pair cannot. */
export const isWellFormed = (text: string): boolean => !loneSurrogate.test(text)

/** Percent-encodes text. The apostrophe too: a URL parser encodes it in a query, other transports would not. */
export const percent = (text: string): string => encodeURIComponent(text).replaceAll("'", "%27")

/** Percent-encodes a path value, or returns the rule that it breaks. */
export const encode = (value: unknown): Either.Either<string, string> => {
  if (typeof value === "number") {
    return Number.isFinite(value) ? Either.right(String(value)) : Either.left("must be a finite number")
  }
  if (typeof value !== "string") return Either.left("must be text or a number, as it stands in the path")
  if (value === "") return Either.left("must not be empty, as it stands in the path")
  if (value === "." || value === "..") return Either.left('must not be "." or "..", as it stands in the path')
  if (!isWellFormed(value)) return Either.left("must not hold half of a surrogate pair")
  return Either.right(percent(value))
}
