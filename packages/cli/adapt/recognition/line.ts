/** What is recognised of a platform: lines of its definition, each with its reason, and what could not be told. */

/** Code of a function, as the module has it. */
export interface Code {
  readonly code: string
}

/** What a line says. */
export type Value = string | number | boolean | Code | { readonly [name: string]: Value }

/** One field of the definition. */
export interface Line {
  /** Where it stands, such as `lists.items`. */
  readonly at: string
  readonly value: Value
  /** Why, as a sentence without its period. It names what was seen, and holds none of the platform's values. */
  readonly reason: string
}

/** What one look at the exchanges comes to. */
export interface Recognised {
  readonly lines: ReadonlyArray<Line>
  /** What is as the SDK reads it without a line. */
  readonly fits: ReadonlyArray<string>
  /** What could not be told, and why. */
  readonly unseen: ReadonlyArray<string>
}

export const nothing: Recognised = { lines: [], fits: [], unseen: [] }

export const join = (parts: ReadonlyArray<Recognised>): Recognised => ({
  lines: parts.flatMap(({ lines }) => lines),
  fits: parts.flatMap(({ fits }) => fits),
  unseen: parts.flatMap(({ unseen }) => unseen)
})

/** The names that lead to a field: the name of a call is one of them. */
export const namesTo = (at: string): ReadonlyArray<string> => {
  const [, call] = /^routes\.(.+)$/.exec(at) ?? []
  return call === undefined ? at.split(".") : ["routes", call]
}

export const isCode = (value: Value): value is Code =>
  typeof value === "object" && typeof value.code === "string"
