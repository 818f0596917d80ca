/** Checks of values of any kind, and what they are made of. Each refuses with the field and its rule. */
import * as Either from "effect/Either"
import { constVoid } from "effect/Function"
import { isPromiseLike } from "effect/Predicate"
import type { InputError } from "../kernel/errors/errors.js"
import * as Options from "../kernel/operation/options.js"
import { meant } from "../kernel/operation/spelling.js"
import { own } from "../permissions/own.js"

export type Checked = Either.Either<unknown, InputError>

export const refuse = /*#__PURE__*/ Options.refuser("client")

/** Checks a value that is there, by its place in the value of the platform. */
export type Check = (field: string, value: unknown) => Checked

export const fine: Checked = /*#__PURE__*/ Either.right(undefined)

/** Runs checks until one refuses. */
export const all = (checks: Iterable<() => Checked>): Checked => {
  for (const check of checks) {
    const checked = check()
    if (Either.isLeft(checked)) return checked
  }
  return fine
}

/** The names of the fields that an object must have. */
type RequiredNames<A> = { [Name in keyof A]-?: undefined extends A[Name] ? never : Name }[keyof A]

/** Checks an object whose fields are known, each by its own check; `required` are those that it must have. */
export const object =
  <A>(
    checks: { readonly [Name in keyof Required<A>]: Check },
    ...required: ReadonlyArray<RequiredNames<A>>
  ): Check =>
  (field, value) => {
    const kinds = Object.fromEntries(Object.keys(checks).map((name) => [name, "any"]))
    const read = Options.read("client", field, value as object, kinds)
    if (Either.isLeft(read)) return read
    const missing = required.find((name) => own(read.right, String(name)) === undefined)
    if (missing !== undefined) return refuse(`${field}.${String(missing)}`, "is missing")
    return all(
      Object.entries(read.right).map(([name, item]) => () => {
        // `read` lets known names pass alone.
        const check: Check = checks[name as keyof A]
        return check(`${field}.${name}`, item)
      })
    )
  }

export const must =
  (isRight: (value: unknown) => boolean, rule: string): Check =>
  (field, value) =>
    isRight(value) ? fine : refuse(field, rule)

export const isText = (value: unknown): value is string => typeof value === "string" && value !== ""
export const text: Check = must(isText, "must be text")
export const fn: Check = must((value) => typeof value === "function", "must be a function")
export const flag: Check = must((value) => typeof value === "boolean", "must be true or false")
export const no: Check = must((value) => value === false, "must be false, or an object")

/** One of several checks, the first that fits the kind of the value. */
export const either =
  (choices: ReadonlyArray<readonly [fits: (value: unknown) => boolean, check: Check]>, rule: string): Check =>
  (field, value) => {
    const [, check] = choices.find(([fits]) => fits(value)) ?? []
    return check === undefined ? refuse(field, rule) : check(field, value)
  }

/** What a function answers when it is tried. Nobody waits for a Promise, and none may end the process. */
export const answered = (value: unknown, ...args: ReadonlyArray<unknown>): unknown => {
  // It is checked by what it answers.
  const said: unknown = Either.getOrUndefined(
    Either.try(() => (value as (...args: ReadonlyArray<unknown>) => unknown)(...args))
  )
  if (isPromiseLike(said)) said.then(constVoid, constVoid)
  return said
}

export const isFunction = (value: unknown): boolean => typeof value === "function"
export const isString = (value: unknown): boolean => typeof value === "string"
export const isFalse = (value: unknown): boolean => value === false
export const isObject = (value: unknown): boolean => typeof value === "object" && value !== null

/** One of some words; `others` says what else there is. */
export const word =
  (words: ReadonlyArray<string>, others = ""): Check =>
  (field, value) =>
    isString(value) && words.includes(String(value))
      ? fine
      : refuse(
          field,
          `must be one of ${words.join(", ")}${others}${isString(value) ? meant(String(value), words) : ""}`
        )

/** An object of any names, of which each value is checked. */
export const record =
  (value: Check, name: (field: string, name: string) => Checked = () => fine): Check =>
  (field, input) =>
    Options.isRecord(input)
      ? all(
          Object.entries(input).flatMap(([key, item]) =>
            item === undefined
              ? []
              : [() => name(`${field}.${key}`, key), () => value(`${field}.${key}`, item)]
          )
        )
      : refuse(field, "must be a plain object")

/** A list, of which each item is checked. */
export const list =
  (item: Check): Check =>
  (field, value) =>
    Array.isArray(value)
      ? all(value.map((entry, at) => () => item(`${field}.${at}`, entry)))
      : refuse(field, "must be a list")
