/** A transport that answers by script, and records the requests for the test. */

import {
  InputError,
  meant,
  Options,
  type Outcome,
  type Request,
  type TransportService as Service,
  Transport,
  Utf8
} from "@quartet/sdk/extend"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"

/** The answer to a scripted call. @category testing */
export interface Answer {
  /** 200 by default. */
  readonly status?: number
  /** Names in any case. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON text; if omitted, the body is empty. */
  readonly json?: unknown
  /** Sent unchanged, instead of `json`. */
  readonly body?: string | Uint8Array
}

/**
 * An answer; or `lost`: the request was sent, and its connection ended without an answer; `refused`: nothing could be
 * sent; `silent`: no answer until the call's deadline.
 * @category testing
 */
export type Reply = Answer | "lost" | "refused" | "silent"

/**
 * One line of a script: the operation that it answers, and what it answers. A function answers at once, not with a
 * Promise.
 * @category testing
 */
export interface Line {
  readonly operation: string
  readonly answer: Reply | ((request: Request) => Reply)
}

/** A scripted transport. @category testing */
export interface Script {
  /** For clients with Promises: `createAdminClient({ …, transport: script.transport })`. */
  readonly transport: Service
  /** For Effect clients: `Layer.provide(Admin.layer(…), script.layer)`. */
  readonly layer: Layer.Layer<Transport>
  /** The requests so far, in order. They hold the client's credentials. */
  readonly sent: ReadonlyArray<Request>
  /** Lines that were not used yet. */
  readonly left: () => ReadonlyArray<Line>
  /** Throws if lines are left, and names them: for the end of a test. */
  readonly done: () => void
}

const known = {
  status: "any",
  headers: "object",
  json: "any",
  body: "any"
} satisfies Options.Known<Answer>

const noPromise =
  "must be an answer, or a function that answers at once: not a Promise, nor an async function"

const kindOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1)

const canBeRead = (read: () => unknown): boolean =>
  Either.match(Either.try(read), { onLeft: () => false, onRight: (value) => value !== undefined })

/** The field of an answer that breaks a rule, with the rule. */
const broken = ({
  body,
  headers,
  json,
  status
}: Answer): readonly [field: string, rule: string] | undefined => {
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599))
    return ["status", "must be a whole number from 200 to 599"]
  if (headers !== undefined && !canBeRead(() => new Headers(headers)))
    return ["headers", "must be names and values that HTTP can send"]
  if (json !== undefined && !canBeRead(() => JSON.stringify(json)))
    return ["json", "must be a value that JSON can hold"]
  // Also bytes of another realm, as test runners make them.
  if (body !== undefined && typeof body !== "string" && kindOf(body) !== "Uint8Array")
    return ["body", "must be text or a Uint8Array"]
  return undefined
}

/** The reply of a line; throws InputError with the line and the invalid field. */
const checked = (line: string, reply: Reply): Reply => {
  const refuse = (field: string, rule: string): InputError =>
    new InputError({ operation: `Script.answer(${line})`, field, rule })
  if (reply === "lost" || reply === "refused" || reply === "silent") return reply
  if (kindOf(reply) === "Promise" || typeof Object(reply).then === "function")
    throw refuse("answer", noPromise)
  const read = Options.read(`Script.answer(${line})`, "answer", reply, known)
  if (Either.isLeft(read)) throw read.left
  const fault = broken(reply)
  if (fault !== undefined) throw refuse(`answer.${fault[0]}`, fault[1])
  return reply
}

/**
 * Answers a call once: by the call itself (`Admin.requests.get`), or by its name (`"requests.get"`). Throws InputError
 * if the call or the answer is invalid; the answer of a function is checked when it is called.
 * @category testing
 */
export const answer = (
  call: string | { readonly operation: { readonly name: string } },
  reply: Line["answer"] = {}
): Line => {
  const operation: unknown = typeof call === "string" ? call : Object(Object(call).operation).name
  if (typeof operation !== "string" || operation === "") {
    throw new InputError({
      operation: "Script.answer",
      field: "call",
      rule: 'must be a call such as Admin.requests.get, or its name: "requests.get"'
    })
  }
  if (kindOf(reply) === "AsyncFunction") {
    throw new InputError({ operation: `Script.answer(${operation})`, field: "answer", rule: noPromise })
  }
  return {
    operation,
    answer:
      typeof reply === "function"
        ? (request) => checked(operation, reply(request))
        : checked(operation, reply)
  }
}

/** A line that a test has written, with or without `answer`. */
const lineOf = (line: Line, index: number): Line => {
  const { answer: reply, operation }: Partial<Line> = Object(line)
  if (typeof operation === "string" && reply !== undefined) return answer(operation, reply)
  throw new InputError({
    operation: "Script.make",
    field: `lines.${index}`,
    rule: "must be a line, as Script.answer makes them"
  })
}

const bytes = ({ body, json }: Answer): Uint8Array => {
  if (body !== undefined && typeof body !== "string") return body
  return Utf8.encode(body ?? (json === undefined ? "" : JSON.stringify(json)))
}

const lost = (reason: "Reset" | "Refused"): Outcome => ({
  _tag: "Failed",
  reason,
  sent: reason === "Reset",
  cause: new Error("scripted")
})

const outcome = (reply: Exclude<Reply, "silent">, request: Request): Outcome => {
  if (reply === "lost") return lost("Reset")
  if (reply === "refused") return lost("Refused")
  const { status = 200 } = reply
  const headers = new Headers(reply.headers)
  const header = Object.assign((name: string) => headers.get(name) ?? undefined, { all: () => headers })
  const body = bytes(reply)
  return request.answer === "stream" && status < 300
    ? { _tag: "Streaming", status, header, body: new Blob([body as BlobPart]).stream() }
    : { _tag: "Answered", status, header, body }
}

const namesOf = (lines: ReadonlyArray<Line>): string => lines.map(({ operation }) => operation).join(", ")

/**
 * Makes a transport from lines. Each request, also a retry, takes the first line left for its operation; a request
 * without one is a defect that names it and the lines left. Throws InputError if a line is invalid.
 * @category testing
 */
export const make = (...lines: ReadonlyArray<Line>): Script => {
  const remaining = lines.map(lineOf)
  const sent: Array<Request> = []
  const transport: Service = {
    start: (request, settle) => {
      const at = remaining.findIndex(({ operation }) => operation === request.operation)
      const [line] = at === -1 ? [] : remaining.splice(at, 1)
      if (line === undefined) {
        throw new Error(
          `${request.operation} was called (${request.method} ${request.path}), but no answer is scripted for it` +
            `${meant(
              request.operation,
              remaining.map(({ operation }) => operation)
            )}. ` +
            (remaining.length === 0 ? "No line is left" : `Left: ${namesOf(remaining)}`)
        )
      }
      sent.push(request)
      // Here, not later: an error thrown by the test's function ends the program that made the call.
      const reply = typeof line.answer === "function" ? line.answer(request) : line.answer
      if (reply === "silent") return () => undefined
      const result = outcome(reply, request)
      let isAbandoned = false
      queueMicrotask(() => {
        if (!isAbandoned) settle(result)
      })
      return () => {
        isAbandoned = true
      }
    }
  }
  return {
    transport,
    layer: Layer.succeed(Transport, transport),
    sent,
    left: () => [...remaining],
    done: () => {
      if (remaining.length > 0)
        throw new Error(`nobody asked for what is left in the script: ${namesOf(remaining)}`)
    }
  }
}
