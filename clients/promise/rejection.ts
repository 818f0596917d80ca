/**
 * How a Promise of a client rejects: with the typed error, whose stack ends at the line of the caller.
 *
 * An error is made where an answer is read, and no caller stands on that stack. V8 knows who awaits a promise, but tells it
 * only of a stack that is captured in a reaction of that promise, so the rejection takes one. A call that succeeds costs
 * nothing more: docs/decisions/stacks-of-who-awaits.md has the figures.
 */
import * as Either from "effect/Either"
import { isCallError } from "../../core/kernel/errors/errors.js"

/** A frame as V8 writes it, but for what runs the reactions. Other engines know nobody who awaits. */
const frame = /^ {4}at (?!(process\.)?processTicks)/

/** The file and the line of a frame, which is long where a name in it is: it is read in linear time. */
const placeOf = (line: string): string | undefined => {
  const place = line.slice(Math.max(line.lastIndexOf(" "), line.lastIndexOf("(")) + 1)
  return /^(.+:\d+):\d+\)?$/.exec(place)?.[1]
}

type Below = () => never

/** The frames of those who await the reaction `below`, in the format of the program. */
const captured = (below: Below): ReadonlyArray<string> => {
  const holder: { readonly stack?: unknown } = {}
  Error.captureStackTrace?.(holder, below)
  return String(holder.stack)
    .split("\n")
    .filter((line) => frame.test(line))
}

/** The same as V8 writes them. */
const capturedPlainly = (below: Below): ReadonlyArray<string> => {
  const { prepareStackTrace } = Error
  Error.prepareStackTrace = (_, sites) => sites.map((site) => `    at ${site}`).join("\n")
  try {
    return captured(below)
  } finally {
    Error.prepareStackTrace = prepareStackTrace
  }
}

/** The frames of those who await. A program's own format of stacks may be another one, or throw. */
const framesOf = (below: Below): ReadonlyArray<string> => {
  const read = (of: typeof captured) =>
    Either.getOrElse(
      Either.try(() => of(below)),
      () => []
    )
  const frames = read(captured)
  return frames.length > 0 || Error.prepareStackTrace === undefined ? frames : read(capturedPlainly)
}

/** The same error for one caller alone: several may share a sign-in that has failed. */
const copyOf = (error: Error): Error => {
  // Its own stack is written when it is first asked for, and takes the message of a class that has no fields yet.
  const copy = Object.assign(new Error(), { stack: "" })
  Object.defineProperties(copy, Object.getOwnPropertyDescriptors(error))
  return Object.setPrototypeOf(copy, Object.getPrototypeOf(error))
}

/** An error of the program's own may be shared too: it stays the same, and shows the first of its callers. */
const traced = /*#__PURE__*/ new WeakSet<Error>()

/** The error with the frames of those who await the reaction `below`. */
const trace = (error: unknown, below: Below): unknown => {
  if (!(error instanceof Error) || traced.has(error)) return error
  const own = isCallError(error) ? copyOf(error) : error
  const frames = framesOf(below)
  const [line] = frames.flatMap((text) => placeOf(text) ?? [])
  const stack: unknown = error.stack
  // One that was made before anything was sent shows its caller already.
  if (line === undefined || typeof stack !== "string" || stack.includes(`${line}:`)) return own
  traced.add(own)
  const value = [stack, ...frames].join("\n")
  // An error of the program's own may be frozen.
  Either.try(() => Object.defineProperty(own, "stack", { value, configurable: true, writable: true }))
  return own
}

/** A promise that rejects with the error. It is returned to the caller, or resolves the caller's promise. */
export const rejection = (error: unknown): Promise<never> => {
  const raise = (): never => {
    throw trace(error, raise)
  }
  // The caller's promise follows this one a moment later.
  return Promise.resolve()
    .then(() => undefined)
    .then(raise)
}
