// What each error says of itself.
import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import * as Errors from "../../../../core/kernel/errors/errors.js"

const operation = "things.create"
const at = (status: number) => ({ operation, status })
const answered = { operation, status: 418, requestId: "req-1", serverMessage: "no coffee" }
const denied = { operation, resource: "things", action: "create", required: 3 }
const advice =
  'If the platform names this resource otherwise, map it with `permissionNames`; `permissions: "off"` leaves the check to the server.'
const missing = "Session ID and access token or email and password must be provided"
const lost =
  "it was sent, but the answer was lost (Network). It may have happened: read the present state before you repeat it, or repeat it with the same idempotency key."

const input = { operation, field: "payload.price", rule: "must be a finite number" }
const rejected = { operation, reason: "Rejected", advice: "check the e-mail", status: 401 } as const
const shape = { operation, reason: "Shape", field: "a.1.b", rule: "is required", status: 200 } as const
const empty = { operation, reason: "Empty", field: "", rule: "is empty" } as const
const origin = "https://api.example.com"
const unanswered = (fields: Pick<Errors.NetworkError, "reason" | "origin" | "detail">) =>
  new Errors.NetworkError({ operation, ...fields })
const late = (attempts: number) => new Errors.DeadlineExceeded({ operation, deadline: 500, attempts })
const said = "(HTTP 418): no coffee [request req-1]"
const lacks = "Nothing was sent."

/** Each error with what it says after the name of the call, and whether the call may be repeated. */
type Said = readonly [error: Errors.CallError, message: string, retryable?: boolean]
const cases: Record<Errors.CallError["_tag"], readonly [Said, ...ReadonlyArray<Said>]> = {
  InputError: [
    [new Errors.InputError(input), `the field "payload.price" must be a finite number. ${lacks}`],
    [
      new Errors.InputError({ ...input, field: "client", rule: "is closed" }),
      `the client is closed. ${lacks}`
    ]
  ],
  CredentialsError: [[new Errors.CredentialsError(rejected), "check the e-mail (HTTP 401)"]],
  PermissionDenied: [
    [
      new Errors.PermissionDenied({ ...denied, reason: "Grant" }),
      `needs things.create at level 3, found no grant. ${lacks} ${advice}`
    ],
    [
      new Errors.PermissionDenied({ ...denied, reason: "Grant", grant: "things.*", level: 1 }),
      `needs things.create at level 3, found things.* = 1. ${lacks} ${advice}`
    ],
    [
      new Errors.PermissionDenied({ ...answered, ...denied, status: 403, reason: "Server" }),
      "the platform refused it (HTTP 403): no coffee [request req-1]"
    ],
    [
      new Errors.PermissionDenied({ ...denied, reason: "Grant", who: "the admin ada@example.com" }),
      `the admin ada@example.com needs things.create at level 3, found no grant. ${lacks} ${advice}`
    ],
    [
      new Errors.PermissionDenied({
        ...answered,
        ...denied,
        status: 403,
        reason: "Server",
        who: "the public client of the API key"
      }),
      "the platform refused it to the public client of the API key (HTTP 403): no coffee [request req-1]"
    ]
  ],
  Unauthenticated: [
    [new Errors.Unauthenticated(answered), `the platform does not accept the credentials ${said}`]
  ],
  NotFound: [[new Errors.NotFound(at(404)), "not found (HTTP 404)"]],
  Conflict: [
    [
      new Errors.Conflict({ ...at(409), serverMessage: "version 3" }),
      "in conflict with the present state (HTTP 409): version 3"
    ]
  ],
  Rejected: [[new Errors.Rejected({ ...answered, field: "price" }), `the platform rejected it ${said}`]],
  RateLimited: [
    [new Errors.RateLimited({ ...at(429), retryAfter: 1_500 }), "too many calls (HTTP 429). Wait 2 s.", true],
    [new Errors.RateLimited(at(429)), "too many calls (HTTP 429).", true]
  ],
  ServerFault: [
    [new Errors.ServerFault({ ...at(500), retryable: false }), "the platform failed (HTTP 500)"],
    [new Errors.ServerFault({ ...at(500), retryable: true }), "the platform failed (HTTP 500)", true]
  ],
  NetworkError: [
    [unanswered({ reason: "Refused" }), "the platform refused the connection.", true],
    [
      unanswered({ reason: "Refused", origin: "http://127.0.0.1:4400", detail: "ECONNREFUSED" }),
      "http://127.0.0.1:4400 refused the connection (ECONNREFUSED). Is it running?",
      true
    ],
    [
      unanswered({ reason: "Refused", origin: "http://[::1]", detail: "ECONNREFUSED" }),
      "http://[::1] refused the connection (ECONNREFUSED). Is it running?",
      true
    ],
    [
      unanswered({ reason: "Refused", origin, detail: "ECONNREFUSED" }),
      `${origin} refused the connection (ECONNREFUSED). Is it running?`,
      true
    ],
    [
      unanswered({ reason: "Refused", origin: "http://localhost.example.com", detail: "EHOSTUNREACH" }),
      "http://localhost.example.com cannot be reached (EHOSTUNREACH).",
      true
    ],
    [
      unanswered({ reason: "Unresolved", origin, detail: "ENOTFOUND" }),
      `the host of ${origin} was not found (ENOTFOUND). Is the host name right?`,
      true
    ],
    [
      unanswered({ reason: "Unresolved", origin, detail: "EAI_AGAIN" }),
      `the host of ${origin} was not found (EAI_AGAIN). Is this machine's name server there?`,
      true
    ],
    [
      unanswered({ reason: "ConnectTimeout", origin }),
      `${origin} did not accept a connection in time.`,
      true
    ],
    [
      unanswered({ reason: "Tls", origin, detail: "CERT_HAS_EXPIRED" }),
      `no secure connection to ${origin} came about (CERT_HAS_EXPIRED).`
    ],
    [
      unanswered({ reason: "Reset", origin, detail: "ECONNRESET" }),
      `${origin} closed the connection before its answer was whole (ECONNRESET).`,
      true
    ],
    [unanswered({ reason: "Timeout", origin }), `${origin} did not answer in time.`, true],
    [unanswered({ reason: "Protocol", origin }), `${origin} answered what cannot be read as HTTP.`, true],
    [
      unanswered({ reason: "Offline", origin }),
      `this device is offline, and ${origin} was not reached.`,
      true
    ],
    [unanswered({ reason: "Unknown", origin }), `no answer came from ${origin}.`, true]
  ],
  DeadlineExceeded: [
    [late(1), "no complete answer within 500 ms (1 attempt)", true],
    [late(3), "no complete answer within 500 ms (3 attempts)", true]
  ],
  AnswerError: [
    [new Errors.AnswerError(shape), 'the answer\'s field "a.1.b" is required (HTTP 200)'],
    [new Errors.AnswerError(empty), "the answer is empty"]
  ],
  OutcomeUnknown: [[new Errors.OutcomeUnknown({ operation, reason: "Network", attempts: 1 }), lost]]
}

const rows = Object.entries(cases).flatMap(([tag, all]) =>
  all.map(([error, message, retryable = false]) => [tag, error, message, retryable] as const)
)

describe("an error", () => {
  // Spec 8.2
  it.each(rows)(
    "%s says what happened, and is a real Error of its own name and tag, with a stack",
    (tag, error, message, retryable) => {
      expect(error.message).toBe(`things.create: ${message}`)
      expect(error).toBeInstanceOf(Error)
      expect([error._tag, error.name, error.tag, error.retryable]).toEqual([tag, tag, tag, retryable])
      expect(String(error.stack)).toContain(tag)
      expect(inspect(error)).toContain(tag)
    }
  )

  it("of credentials that are missing says just what to pass", () => {
    const of = { operation, reason: "Missing", advice: Errors.missingCredentials } as const
    const error = new Errors.CredentialsError(of)
    expect([error.message, error.retryable]).toEqual([missing, false])
  })
})
