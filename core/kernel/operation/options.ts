/**
 * Checks options, also of untyped programs: an unknown name is refused, with a suggestion, and so is a value of the
 * wrong kind. No value is ever shown: it may be a secret under a wrong name.
 */
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import { own } from "../../permissions/own.js"
import { InputError } from "../errors/errors.js"
import { hiddenField, ruleOfData, ruleOfHidden } from "./input.js"
import { meant } from "./spelling.js"

/** Refuses fields of what an operation was given. */
export const refuser =
  (operation: string) =>
  (field: string, rule: string): Either.Either<never, InputError> =>
    Either.left(new InputError({ operation, field, rule }))

const words = { string: "text", function: "a function", object: "an object", boolean: "true or false" }

/** The kind of an option, or its valid words; `any` if other rules check it. */
export type Kind = keyof typeof words | "any" | ReadonlyArray<string>

/** All names of the options A: a missing one does not compile. */
export type Known<A> = Readonly<Record<keyof A, Kind>>

/** Whether a value may hold options. One that cannot be inspected, such as a broken proxy, does not. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" &&
  value !== null &&
  Either.getOrElse(
    Either.try(() => !Array.isArray(value) && ruleOfData(value) === undefined),
    () => false
  )

/** The rule that a value breaks, or undefined. */
const ruleOf = (kind: unknown, value: unknown): string | undefined => {
  if (Array.isArray(kind)) {
    const near = typeof value === "string" ? meant(value, kind) : ""
    return kind.includes(own(value, "_tag") ?? value) ? undefined : `must be one of ${kind.join(", ")}${near}`
  }
  const name = kind as keyof typeof words
  const isRight = name === "object" ? isRecord(value) : typeof value === name
  return isRight || words[name] === undefined ? undefined : `must be ${words[name]}`
}

/**
 * Reads an object's own options that are not undefined, so that a polluted Object.prototype adds nothing. `field` names
 * the object in errors, except for `config` and `options`, whose names stand alone. `known` holds a kind for each name,
 * or the defaults, whose kinds other rules check. `policy` holds the names of a nested policy; names in `others` are
 * ignored.
 */
export const read = <A extends object>(
  operation: string,
  field: string,
  input: A,
  known: Readonly<Record<keyof A, unknown>>,
  policy: object = {},
  others: ReadonlyArray<string> = []
): Either.Either<A, InputError> => {
  const refuse = refuser(operation)
  const names = Object.keys(known)
  const all = names.join(", ")
  if (!isRecord(input)) return refuse(field, `must be an object of ${all}`)
  const found = Either.try(() => ({ entries: Object.entries(input), hidden: hiddenField(input, names) }))
  if (Either.isLeft(found)) return refuse(field, "could not be read: a getter or a proxy threw")
  const { entries, hidden } = found.right
  const pathOf = (name: string): string =>
    field === "config" || field === "options" ? name : `${field}.${name}`
  if (hidden !== undefined) return refuse(pathOf(hidden), ruleOfHidden)
  const options: A = Object.create(null)
  for (const [name, value] of entries) {
    if (value === undefined) continue
    Object.assign(options, { [name]: value })
    const path = pathOf(name)
    if (!Object.hasOwn(known, name)) {
      if (others.includes(name)) continue
      const rules = Object.keys(policy).map((rule) => `policy.${rule}`)
      return refuse(path, `is not an option${meant(name, [...names, ...rules]) || `: there are ${all}`}`)
    }
    const rule = ruleOf(known[name as keyof A], value)
    if (rule !== undefined) return refuse(path, rule)
  }
  return Either.right(options)
}

/** Refuses unknown options and those of the wrong kind by a thrown InputError, where a function has no typed failure. */
export const check = <A extends object>(
  operation: string,
  options: A | undefined,
  known: Readonly<Record<keyof A, unknown>>
): void => {
  if (options !== undefined)
    Either.getOrThrowWith(read(operation, "options", options, known), (refused) => refused)
}

/** Checks that a port can be used: that it has its methods. `name` says what to pass. */
export const port = <A extends object>(
  operation: string,
  field: string,
  candidate: A,
  methods: ReadonlyArray<keyof A>,
  name: string
): Either.Either<A, InputError> =>
  methods.every((method) => typeof Object(candidate)[method] === "function")
    ? Either.right(candidate)
    : refuser(operation)(field, `must be a ${name}`)

/**
 * Options as a program gives them: a time is a number of milliseconds or another `DurationInput`, such as `"5
 * seconds"`.
 */
export type Timed<A, Time extends keyof A> = {
  readonly [Name in keyof A]?: Name extends Time ? Duration.DurationInput : A[Name]
}

/** Milliseconds of a duration; NaN if it is invalid or negative. Numbers are not converted. */
export const millisOf = (duration: Duration.DurationInput): number => {
  if (typeof duration === "number") return duration
  const millis = Either.try(() =>
    [duration].flat().some((part) => Number.parseFloat(String(part)) < 0)
      ? Number.NaN
      : Duration.toMillis(duration)
  )
  return Either.getOrElse(millis, () => Number.NaN)
}

/** The same options with each time in milliseconds. */
export const inMillis = <A, Time extends keyof A>(
  options: Timed<A, Time>,
  times: ReadonlyArray<Time>
): Partial<A> => {
  const entries = Object.entries(options).map(([name, value]) => [
    name,
    times.includes(name as Time) ? millisOf(value as Duration.DurationInput) : value
  ])
  // Options that are not times already have their type.
  return Object.fromEntries(entries)
}
