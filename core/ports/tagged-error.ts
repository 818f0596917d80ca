/**
 * The base of this package's errors. The message is a property of the error itself, made with it: a getter of a class would be
 * lost by `structuredClone`, `postMessage` and JSON, and is missing from the stack.
 */
import * as Data from "effect/Data"
import * as Either from "effect/Either"

/** Marks every error that a call can fail with. */
export const CallErrorId: unique symbol = Symbol.for("@quartet/sdk/CallError")

/** An error as plain data, which JSON and `postMessage` carry. @category models */
export interface PlainError {
  /** The tag of the error, such as `NotFound`; an error of another kind has none. */
  readonly _tag?: string
  /** The name of the error, such as `TypeError`. */
  readonly name: string
  /** What happened, in a sentence. */
  readonly message: string
  /** The cause, if it is an error. */
  readonly cause?: PlainError
  readonly [field: string]: unknown
}

/** How deep the causes and the data of an error are followed. */
export const deepest = 8

const isError = (value: unknown): value is Error =>
  value instanceof Error || Object.prototype.toString.call(value) === "[object Error]"

/** Plain data; undefined for what JSON cannot carry, and past the greatest depth. */
const plainData = (value: unknown, depth: number): unknown => {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value
    case "number":
      return Number.isFinite(value) ? value : undefined
    case "bigint":
      return String(value)
    case "object": {
      if (value === null) return value
      if (depth <= 0 || isError(value)) return undefined
      if (value instanceof Date) return Number.isFinite(value.getTime()) ? value.toISOString() : undefined
      if (Array.isArray(value)) return value.map((item) => plainData(item, depth - 1) ?? null)
      return Object.fromEntries(
        Object.entries(value).flatMap(([name, item]) => {
          const plain = plainData(item, depth - 1)
          return plain === undefined ? [] : [[name, plain]]
        })
      )
    }
    default:
      return undefined
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** What has a message as errors have, such as plain data of one. */
const isLikeError = (value: unknown): value is Error =>
  isError(value) || typeof Object(value).message === "string"

/** The name of an error; other things may have none. */
const nameOf = (error: Error, otherwise: string): string => {
  const name: unknown = Reflect.get(error, "name")
  return textOf(name) ?? (isError(error) ? String(name) : otherwise)
}

/** What is told of an error of somebody else: its further fields may hold anything. */
const ofOther = (error: Error, isShown: boolean): PlainError => {
  const code = textOf(Reflect.get(error, "code"))
  return {
    name: nameOf(error, "Error"),
    message: isShown ? String(error.message) : "",
    ...(code === undefined ? {} : { code })
  }
}

/** Whether an error has a tag, as all of this package have. */
const isTagged = (error: Error): error is Error & { readonly _tag: string } =>
  typeof Reflect.get(error, "_tag") === "string"

const ofTagged = (error: Error & { readonly _tag: string }, depth: number): PlainError => {
  const { cause, message, name, stack, ...fields } = Object(plainData({ ...error }, deepest))
  // The kernel masks what caused the failure of a call. The text of another cause, as of a database or of a stream to upload, may repeat
  // what was stored or given.
  const isMasked = CallErrorId in error && error._tag !== "InputError"
  const inner = error.cause
  // Plain data of a cause tells what it was made to tell.
  const isTold = isMasked || !isError(inner)
  const plainCause =
    !isLikeError(inner) || depth <= 0
      ? undefined
      : isTagged(inner)
        ? ofTagged(inner, depth - 1)
        : ofOther(inner, isTold)
  return {
    ...fields,
    _tag: error._tag,
    name: nameOf(error, error._tag),
    message: String(error.message),
    ...(plainCause === undefined ? {} : { cause: plainCause })
  }
}

/**
 * An error as plain data: its tag, message, fields and cause, without its stack. `fromPlain` makes the same error of it. Masks nothing:
 * this package's errors hold no secrets. Of an error that is not this package's, and of another thing with a message, name, message and
 * `code`; text or a number is itself the message.
 * @category getters
 */
export const toPlain = (error: unknown): PlainError =>
  Either.getOrElse(
    Either.try(() => {
      if (!isLikeError(error))
        return {
          name: "Error",
          message: /^(string|number|bigint|boolean)$/.test(typeof error) ? String(error) : ""
        }
      return isTagged(error) ? ofTagged(error, deepest) : ofOther(error, true)
    }),
    // A getter of an error's field may throw.
    () => ({ name: "Error", message: "" })
  )

/** `Data.TaggedError`, whose message, made by the class's getter, is the error's own, and whose JSON is `toPlain`. */
export const TaggedError = <Tag extends string>(tag: Tag): ReturnType<typeof Data.TaggedError<Tag>> => {
  class Tagged extends Data.TaggedError(tag)<Record<string, unknown>> {
    constructor(fields: object = {}) {
      super(
        Object.hasOwn(fields, "message")
          ? { ...fields }
          : { ...fields, message: Reflect.get(new.target.prototype, "message", fields) }
      )
    }
    override toJSON(): PlainError {
      return toPlain(this)
    }
  }
  // The compiler knows the fields from the declared type.
  return Tagged as never
}
