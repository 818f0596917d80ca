// What each error says of itself.
import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import * as Errors from "../../../../core/kernel/errors/errors.js"

const operation = "things.create"
const answered = { operation, status: 418, requestId: "req-1", serverMessage: "no coffee" }
const denied = { operation, resource: "things", action: "create", required: 3 }
const advice =
  'If the platform names this resource otherwise, map it with `permissionNames`; `permissions: "off"` leaves the check to the server.'
const missing = "Session ID and access token or email and password must be provided"
const lost =
  "it was sent, but the answer was lost (Network). It may have happened: read the present state before you repeat it, or repeat it with the same idempotency key."

/** Each with what it says after the name of the call, and whether the call may be repeated. */
const cases: ReadonlyArray<readonly [Errors.CallError, string, boolean?]> = [
  [
    new Errors.InputError({ operation, field: "payload.price", rule: "must be a finite number" }),
    'the field "payload.price" must be a finite number. Nothing was sent.'
  ],
  [
    new Errors.CredentialsError({ operation, reason: "Rejected", advice: "check the e-mail", status: 401 }),
    "check the e-mail (HTTP 401)"
  ],
  [
    new Errors.PermissionDenied({ ...denied, reason: "Grant" }),
    `needs things.create at level 3, found no grant. Nothing was sent. ${advice}`
  ],
  [
    new Errors.PermissionDenied({ ...denied, reason: "Grant", grant: "things.*", level: 1 }),
    `needs things.create at level 3, found things.* = 1. Nothing was sent. ${advice}`
  ],
  [
    new Errors.PermissionDenied({ ...answered, ...denied, status: 403, reason: "Server" }),
    "the platform refused it (HTTP 403): no coffee [request req-1]"
  ],
  [
    new Errors.Unauthenticated(answered),
    "the platform does not accept the credentials (HTTP 418): no coffee [request req-1]"
  ],
  [new Errors.NotFound({ operation, status: 404 }), "not found (HTTP 404)"],
  [
    new Errors.Conflict({ operation, status: 409, serverMessage: "version 3" }),
    "in conflict with the present state (HTTP 409): version 3"
  ],
  [
    new Errors.Rejected({ ...answered, field: "price" }),
    "the platform rejected it (HTTP 418): no coffee [request req-1]"
  ],
  [
    new Errors.RateLimited({ operation, status: 429, retryAfter: 1_500 }),
    "too many calls (HTTP 429). Wait 2 s.",
    true
  ],
  [new Errors.RateLimited({ operation, status: 429 }), "too many calls (HTTP 429).", true],
  [new Errors.ServerFault({ operation, status: 500, retryable: false }), "the platform failed (HTTP 500)"],
  [
    new Errors.ServerFault({ operation, status: 500, retryable: true }),
    "the platform failed (HTTP 500)",
    true
  ],
  [new Errors.NetworkError({ operation, reason: "Refused" }), "no answer from the platform (Refused)", true],
  [new Errors.NetworkError({ operation, reason: "Tls" }), "no answer from the platform (Tls)"],
  [
    new Errors.DeadlineExceeded({ operation, deadline: 500, attempts: 1 }),
    "no complete answer within 500 ms (1 attempt)",
    true
  ],
  [
    new Errors.DeadlineExceeded({ operation, deadline: 500, attempts: 3 }),
    "no complete answer within 500 ms (3 attempts)",
    true
  ],
  [
    new Errors.AnswerError({ operation, reason: "Shape", field: "a.1.b", rule: "is required", status: 200 }),
    'the answer\'s field "a.1.b" is required (HTTP 200)'
  ],
  [
    new Errors.AnswerError({ operation, reason: "Empty", field: "", rule: "is empty" }),
    "the answer is empty"
  ],
  [new Errors.OutcomeUnknown({ operation, reason: "Network", attempts: 1 }), lost]
]

describe("an error", () => {
  it.each(cases.map(([error, ...said]) => [error._tag, error, ...said] as const))(
    "%s says what happened, and is a real Error of its own name and tag, with a stack",
    (tag, error, message, retryable = false) => {
      expect(error.message).toBe(`things.create: ${message}`)
      expect(error).toBeInstanceOf(Error)
      expect([error.name, error.tag, error.retryable]).toEqual([tag, tag, retryable])
      expect(String(error.stack)).toContain(tag)
      expect(inspect(error)).toContain(tag)
    }
  )

  it("of credentials that are missing says just what to pass", () => {
    const error = new Errors.CredentialsError({
      operation,
      reason: "Missing",
      advice: Errors.missingCredentials
    })
    expect([error.message, error.retryable]).toEqual([missing, false])
  })

  // Spec 8.2
  it("of every tag in the union is among these", () => {
    const tags: Record<Errors.CallError["_tag"], true> = {
      InputError: true,
      CredentialsError: true,
      PermissionDenied: true,
      Unauthenticated: true,
      NotFound: true,
      Conflict: true,
      Rejected: true,
      RateLimited: true,
      ServerFault: true,
      NetworkError: true,
      DeadlineExceeded: true,
      AnswerError: true,
      OutcomeUnknown: true
    }
    expect(new Set(cases.map(([error]) => error._tag))).toEqual(new Set(Object.keys(tags)))
  })
})
