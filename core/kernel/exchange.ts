/** One attempt of a call: start the exchange, keep the deadline, read the answer. */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Outcome, Request, Service as TransportService } from "../ports/transport.js"
import * as Deadline from "./deadline.js"
import type { Decode } from "./decoder.js"
import * as Decoder from "./decoder.js"
import { type CallError, DeadlineExceeded, OutcomeUnknown } from "./errors.js"
import * as Failure from "./failure.js"

/** The deadline of a call, and what is left of it for this attempt; in milliseconds. */
export interface Time {
  readonly clock: Clock.Clock
  readonly deadline: number
  readonly left: number
}

/** Reads an outcome that holds a whole body. */
const read = <A>(
  outcome: Outcome,
  decode: Decode<A>,
  subject: Failure.Subject,
  maxBytes: number
): Effect.Effect<A, CallError> => {
  if (outcome._tag === "Failed" || outcome._tag === "TooLarge") {
    return Effect.fail(Failure.ofOutcome(outcome, subject, maxBytes))
  }
  const { header, status } = outcome
  const body = outcome._tag === "Answered" ? outcome.body : new Uint8Array()
  if (status < 200 || status > 299) return Effect.fail(Failure.ofStatus(status, header, body, subject))
  const text = Decoder.text(body)
  if (Either.isLeft(text)) return Effect.fail(Failure.ofDecoding(text.left, status, header, subject))
  const json = Decoder.json(text.right)
  if (Either.isLeft(json)) return Effect.fail(Failure.ofDecoding(json.left, status, header, subject))
  const decoded = decode(json.right, text.right)
  if (Either.isRight(decoded)) return Effect.succeed(decoded.right)
  const failure =
    text.right === ""
      ? { ...decoded.left, reason: "Empty" as const, field: "", rule: "is empty" }
      : decoded.left
  return Effect.fail(Failure.ofDecoding(failure, status, header, subject))
}

const late = (subject: Failure.Subject, deadline: number): CallError =>
  subject.isWrite
    ? new OutcomeUnknown({ operation: subject.operation, reason: "Deadline", attempts: subject.attempt })
    : new DeadlineExceeded({ operation: subject.operation, deadline, attempts: subject.attempt })

const started = <A>(
  transport: TransportService,
  request: Request,
  subject: Failure.Subject,
  time: Time,
  use: (outcome: Outcome) => Effect.Effect<A, CallError>
): Effect.Effect<A, CallError> =>
  Effect.async<A, CallError>((resume) => {
    let abandon: (() => void) | undefined
    const forget = Deadline.after(time.clock, time.left, () => {
      abandon?.()
      resume(Effect.fail(late(subject, time.deadline)))
    })
    abandon = transport.start(request, (outcome) => {
      forget()
      resume(use(outcome))
    })
    return Effect.sync(() => {
      forget()
      abandon?.()
    })
  })

/** Sends a request and decodes its whole answer. */
export const value = <A>(
  transport: TransportService,
  request: Request,
  decode: Decode<A>,
  subject: Failure.Subject,
  time: Time
): Effect.Effect<A, CallError> =>
  started(transport, request, subject, time, (outcome) => read(outcome, decode, subject, request.maxBytes))

const noDecode: Decode<never> = () => Either.left({ reason: "Shape", field: "", rule: "is not a stream" })

/** Sends a request and answers its body as it comes. */
export const stream = (
  transport: TransportService,
  request: Request,
  subject: Failure.Subject,
  time: Time
): Effect.Effect<ReadableStream<Uint8Array>, CallError> =>
  started(transport, request, subject, time, (outcome) =>
    outcome._tag === "Streaming"
      ? Effect.succeed(outcome.body)
      : read(outcome, noDecode, subject, request.maxBytes)
  )
