/** From the outcome of one exchange to a value or a typed error. */
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import type { Outcome } from "../ports/transport.js"
import type { Decode } from "./decoder.js"
import * as Decoder from "./decoder.js"
import type { CallError } from "./errors.js"
import * as Failure from "./failure.js"
import type { Mismatch } from "./walk.js"

/** Reads an outcome; the subject is only made where a failure needs it. With `onMismatch` it is read tolerantly. */
export type Read<A> = (
  outcome: Outcome,
  maxBytes: number,
  subject: () => Failure.Subject,
  onMismatch?: (mismatch: Mismatch) => void
) => Exit.Exit<A, CallError>

/** Reads an answer whose whole body is there. */
export const whole =
  <A>(decode: Decode<A>): Read<A> =>
  (outcome, maxBytes, subject, onMismatch) => {
    if (outcome._tag === "Failed") return Exit.fail(Failure.ofFailed(outcome, subject()))
    if (outcome._tag === "Unreadable") return Exit.fail(Failure.ofUnreadable(outcome, subject()))
    const { header, status } = outcome
    const body = outcome._tag === "Answered" ? outcome.body : new Uint8Array()
    // What an error says may be too long to read: its status counts all the same.
    if (status < 200 || status > 299) return Exit.fail(Failure.ofStatus(status, header, body, subject()))
    if (outcome._tag === "TooLarge") {
      const rule = `is larger than ${maxBytes} bytes (raise maxBytes, or read it as a stream)`
      return Exit.fail(Failure.ofDecoding({ reason: "TooLarge", field: "", rule }, status, header, subject()))
    }
    if (outcome._tag === "Streaming") {
      const unasked = {
        reason: "Shape" as const,
        field: "",
        rule: "is a stream of bytes, which was not asked for"
      }
      return Exit.fail(Failure.ofDecoding(unasked, status, header, subject()))
    }
    const text = Decoder.text(body)
    if (Either.isLeft(text)) return Exit.fail(Failure.ofDecoding(text.left, status, header, subject()))
    const json = Decoder.json(text.right)
    if (Either.isLeft(json)) return Exit.fail(Failure.ofDecoding(json.left, status, header, subject()))
    // Some transports take a compressed body that was cut short for an empty one: that is no answer to be tolerant with.
    const isDoubtful = json.right === undefined && (header("content-encoding") ?? "identity") !== "identity"
    const decoded = decode(json.right, text.right, isDoubtful ? undefined : onMismatch)
    if (Either.isRight(decoded)) return Exit.succeed(decoded.right)
    const failure =
      json.right === undefined
        ? { ...decoded.left, reason: "Empty" as const, field: "", rule: "is empty" }
        : decoded.left
    return Exit.fail(Failure.ofDecoding(failure, status, header, subject()))
  }

const noStream = whole<never>(() =>
  Either.left({ reason: "Shape", field: "", rule: "is not a stream of bytes" })
)

/** Reads an answer whose body comes as a stream. */
export const streaming: Read<ReadableStream<Uint8Array>> = (outcome, maxBytes, subject) =>
  outcome._tag === "Streaming" ? Exit.succeed(outcome.body) : noStream(outcome, maxBytes, subject)
