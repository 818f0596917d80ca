/**
 * How a Promise of a client rejects: with the error itself, whose stack ends at the line of the caller.
 *
 * An error is made where an answer is read, and no caller stands on that stack. V8 knows who awaits a promise, but tells it
 * only of a stack that is captured in a reaction of that promise, so the rejection takes one. A call that succeeds costs
 * nothing more.
 */
import * as Either from "effect/Either"

/** A frame as V8 writes it, but for what runs the reactions. Other engines know nobody who awaits. */
const frame = /^ {4}at (?!(process\.)?processTicks)/

/** The file and the line of a frame, which is long where a name in it is: it is read in linear time. */
const placeOf = (line: string): string | undefined => {
  const place = line.slice(Math.max(line.lastIndexOf(" "), line.lastIndexOf("(")) + 1)
  return /^(.+:\d+):\d+\)?$/.exec(place)?.[1]
}

/** Several callers may share one error, such as that of a sign-in: it shows the first of them. */
const traced = /*#__PURE__*/ new WeakSet<Error>()

/** Adds the frames of those who await the reaction `below`. */
const trace = (error: unknown, below: () => never): void => {
  if (!(error instanceof Error) || traced.has(error)) return
  const captured = { stack: "" }
  Error.captureStackTrace?.(captured, below)
  const frames = captured.stack.split("\n").filter((line) => frame.test(line))
  const [line] = frames.flatMap((text) => placeOf(text) ?? [])
  const { stack } = error
  // One that was made before anything was sent shows its caller already.
  if (line === undefined || stack === undefined || stack.includes(`${line}:`)) return
  traced.add(error)
  const value = [stack, ...frames].join("\n")
  // An error of the program's own may be frozen.
  Either.try(() => Object.defineProperty(error, "stack", { value, configurable: true, writable: true }))
}

/** A promise that rejects with the error. It is returned to the caller, or resolves the caller's promise. */
export const rejection = (error: unknown): Promise<never> => {
  const raise = (): never => {
    trace(error, raise)
    throw error
  }
  // The caller's promise follows this one a moment later.
  return Promise.resolve()
    .then(() => undefined)
    .then(raise)
}
