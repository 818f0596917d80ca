/** A transport that answers by script: says what it answers, and holds what was sent for the test to look at. */
import * as Layer from "effect/Layer"
import { type Outcome, type Request, type Service, Transport } from "../../core/ports/transport.js"

/** What a scripted answer may be. */
export interface Answer {
  /** 200 by default. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON text; left out, the body is empty. */
  readonly json?: unknown
  /** Sent as it is, in place of `json`. */
  readonly body?: string | Uint8Array
}

/** One line of a script: the operation that it answers, and what it answers: an answer, or a lost connection. */
export interface Line {
  readonly operation: string
  readonly answer: Answer | "lost" | "refused" | ((request: Request) => Answer)
}

/** A scripted transport. */
export interface Script {
  readonly transport: Service
  readonly layer: Layer.Layer<Transport>
  /** What was sent so far, in order. */
  readonly sent: ReadonlyArray<Request>
  /** Lines that nobody asked for yet. */
  readonly left: () => ReadonlyArray<Line>
}

/** Answers a call of the operation, by the name of the operation, once. */
export const answer = (operation: string, given: Line["answer"] = {}): Line => ({ operation, answer: given })

const bytes = ({ body, json }: Answer): Uint8Array => {
  if (body instanceof Uint8Array) return body
  return new TextEncoder().encode(body ?? (json === undefined ? "" : JSON.stringify(json)))
}

const outcome = (line: Line, request: Request): Outcome => {
  if (line.answer === "lost")
    return { _tag: "Failed", reason: "Reset", sent: true, cause: new Error("scripted") }
  if (line.answer === "refused")
    return { _tag: "Failed", reason: "Refused", sent: false, cause: new Error("scripted") }
  const given = typeof line.answer === "function" ? line.answer(request) : line.answer
  const { headers = {}, status = 200 } = given
  const header = (name: string): string | undefined => headers[name]
  const body = bytes(given)
  return request.answer === "stream" && status < 300
    ? { _tag: "Streaming", status, header, body: new Blob([body as BlobPart]).stream() }
    : { _tag: "Answered", status, header, body }
}

/**
 * Makes a transport from lines. Each call takes the first line left for its operation; a call without one ends the
 * program with a defect that names it.
 */
export const make = (...lines: ReadonlyArray<Line>): Script => {
  const left = [...lines]
  const sent: Array<Request> = []
  const transport: Service = {
    start: (request, settle) => {
      const at = left.findIndex(({ operation }) => operation === request.operation)
      const [line] = at === -1 ? [] : left.splice(at, 1)
      if (line === undefined) {
        throw new Error(
          `${request.operation} was called (${request.method} ${request.path}), but no answer is scripted for it`
        )
      }
      sent.push(request)
      let isAbandoned = false
      queueMicrotask(() => {
        if (!isAbandoned) settle(outcome(line, request))
      })
      return () => {
        isAbandoned = true
      }
    }
  }
  return { transport, layer: Layer.succeed(Transport, transport), sent, left: () => [...left] }
}
