/**
 * From the bytes of an answer to a typed value: UTF-8, JSON, then one pass that validates the declared fields, keeps
 * the others and turns date-times into Dates.
 */
import * as Either from "effect/Either"
import * as Utf8 from "../../ports/utf8.js"
import type { AnswerReason } from "../errors/errors.js"
import type { Typed } from "../operation/answer.js"
import { compile } from "./compiler/compile.js"
import { guarded, type Step } from "./compiler/step.js"
import * as Json from "./json.js"
import { type Mismatch, makeState, type State, tolerate, wrong } from "./state.js"

/** Why an answer could not be decoded. */
export interface Failure {
  readonly reason: AnswerReason
  readonly field: string
  readonly rule: string
  /** Whether a web page came instead of JSON. */
  readonly isWebPage?: true
}

/**
 * Decodes parsed JSON, which it may change in place. `source` is the JSON text, for numbers too large to trust;
 * undefined if it is gone. A mismatch that is tolerated is reported and its value kept as received: any with
 * `onMismatch`, but with `isTolerant` false that of a part alone which is assumed.
 */
export type Decode<A> = (
  value: unknown,
  source: string | undefined,
  onMismatch?: (mismatch: Mismatch) => void,
  isTolerant?: boolean
) => Either.Either<A, Failure>

const failure = (reason: AnswerReason, rule: string, field = ""): Failure => ({ reason, rule, field })

const imprecise = "holds a number that a JavaScript number cannot hold exactly"

/** Runs a compiled step over parsed JSON. */
export const run = <A>(
  step: Step,
  value: unknown,
  source: string | undefined,
  onMismatch?: (mismatch: Mismatch) => void,
  isTolerant = onMismatch !== undefined
): Either.Either<A, Failure> => {
  const state = makeState(isTolerant)
  const decoded = take(step, value, source, state, isTolerant)
  if (decoded === wrong) return Either.left(failure(state.reason, state.rule, state.path))
  if (state.unsafe) {
    if (isTolerant && onMismatch !== undefined) return exactly(step, decoded, state, source, onMismatch)
    if (source === undefined) return Either.left(failure("Precision", imprecise))
    if (Json.findLossy(source) !== undefined) return assumedExactly(step, source, onMismatch)
  }
  if (onMismatch !== undefined) state.mismatches?.forEach(onMismatch)
  // The step has checked the value against the schema of A.
  return Either.right(decoded as A)
}

/** Runs a step. Where a schema of the caller's own throws, what came is read again, with each field guarded. */
const take = (
  step: Step,
  input: unknown,
  source: string | undefined,
  state: State,
  isTolerant = true
): unknown => {
  if (!state.isCareful) {
    const decoded = Either.try(() => step(input, state))
    if (Either.isRight(decoded)) return decoded.right === wrong ? tolerate(input, state) : decoded.right
    Object.assign(state, makeState(isTolerant), { isCareful: true })
  }
  const value = source ? Either.getOrElse(json(source), () => input) : input
  const decoded = guarded(step, value, state)
  return decoded === wrong ? tolerate(value, state) : decoded
}

/** Decodes an answer with numbers beyond ±(2⁵³ − 1) again, with their decimal text instead. */
const exactly = <A>(
  step: Step,
  decoded: unknown,
  firstState: State,
  source: string | undefined,
  onMismatch: (mismatch: Mismatch) => void
): Either.Either<A, Failure> => {
  const exact = source === undefined ? undefined : Json.parse(source)
  const paths = source === undefined ? Json.pathsBeyond(decoded) : (exact?.paths ?? [])
  const state = exact === undefined ? firstState : { ...makeState(true), isCareful: firstState.isCareful }
  const result = exact === undefined ? decoded : take(step, exact.value, undefined, state)
  if (result === wrong) return Either.left(failure(state.reason, state.rule, state.path))
  for (const path of paths) {
    onMismatch({ path, expected: "a number that JavaScript can hold exactly", came: Json.beyond })
  }
  for (const mismatch of state.mismatches ?? []) if (!paths.includes(mismatch.path)) onMismatch(mismatch)
  // A tolerant decoding returns what was received.
  return Either.right(result as A)
}

/** Decodes such an answer for who refuses what is not as declared: what is assumed alone may be the decimal text. */
const assumedExactly = <A>(
  step: Step,
  source: string,
  onMismatch?: (mismatch: Mismatch) => void
): Either.Either<A, Failure> => {
  const exact = Json.parse(source)
  const state = makeState(false)
  const result = exact === undefined ? wrong : take(step, exact.value, undefined, state, false)
  const { mismatches = [] } = state
  const isAssumed = exact?.paths.every((path) => mismatches.some((mismatch) => mismatch.path === path))
  if (result === wrong || isAssumed !== true) return Either.left(failure("Precision", imprecise))
  if (onMismatch !== undefined) mismatches.forEach(onMismatch)
  return Either.right(result as A)
}

/** Compiles a schema to a decoder of answers. Compiled on first use. */
export const make = <A>(schema: Typed<A>): Decode<A> => {
  let step: Step | undefined
  return (value, source, onMismatch, isTolerant) => {
    step ??= compile(schema.ast, "answer")
    return run(step, value, source, onMismatch, isTolerant)
  }
}

/** What came in place of JSON, where that is a web page. */
export const webPage: Failure = {
  ...failure("NotJson", "is a web page, not JSON: is the base URL that of the API?"),
  isWebPage: true
}

let decode: ((bytes: Uint8Array) => string) | undefined

/** Bytes to text; a byte order mark is dropped, invalid UTF-8 is refused, never replaced. */
export const text = (bytes: Uint8Array): Either.Either<string, Failure> =>
  Either.try({
    try: () => {
      decode ??= Utf8.makeDecode()
      return decode(bytes)
    },
    catch: () => failure("Encoding", "is not valid UTF-8")
  })

/** Text to JSON. Blank text is undefined, as the body of a 204. */
export const json = (source: string): Either.Either<unknown, Failure> =>
  source.trim() === ""
    ? Either.right(undefined)
    : Either.try({
        try: (): unknown => JSON.parse(source),
        catch: () => failure("NotJson", "is not valid JSON (cut short, or not JSON at all)")
      })
