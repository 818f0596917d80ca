// What each error says of itself.

import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import * as Errors from "../../../core/kernel/errors/errors.js"

const operation = "things.create"
const answered = { operation, status: 418, requestId: "req-1", serverMessage: "no coffee" }

const cases: ReadonlyArray<readonly [Errors.CallError, string, boolean]> = [
  [
    new Errors.InputError({ operation, field: "payload.price", rule: "must be a finite number" }),
    'things.create: the field "payload.price" must be a finite number. Nothing was sent.',
    false
  ],
  [
    new Errors.CredentialsError({ operation, reason: "Missing", advice: Errors.missingCredentials }),
    "Session ID and access token or email and password must be provided",
    false
  ],
  [
    new Errors.CredentialsError({ operation, reason: "Rejected", advice: "check the e-mail", status: 401 }),
    "things.create: check the e-mail (HTTP 401)",
    false
  ],
  [
    new Errors.PermissionDenied({
      operation,
      reason: "Grant",
      resource: "things",
      action: "create",
      required: 3
    }),
    "things.create: needs things.create at level 3, found no grant. Nothing was sent. " +
      'If the platform names this resource otherwise, map it with `permissionNames`; `permissions: "off"` leaves the check to the server.',
    false
  ],
  [
    new Errors.PermissionDenied({
      operation,
      reason: "Grant",
      resource: "things",
      action: "create",
      required: 3,
      grant: "things.*",
      level: 1
    }),
    "things.create: needs things.create at level 3, found things.* = 1. Nothing was sent. " +
      'If the platform names this resource otherwise, map it with `permissionNames`; `permissions: "off"` leaves the check to the server.',
    false
  ],
  [
    new Errors.PermissionDenied({
      ...answered,
      status: 403,
      reason: "Server",
      resource: "things",
      action: "create",
      required: 3
    }),
    "things.create: the platform refused it (HTTP 403): no coffee [request req-1]",
    false
  ],
  [
    new Errors.Unauthenticated(answered),
    "things.create: the platform does not accept the credentials (HTTP 418): no coffee [request req-1]",
    false
  ],
  [new Errors.NotFound({ operation, status: 404 }), "things.create: not found (HTTP 404)", false],
  [
    new Errors.Conflict({ operation, status: 409, serverMessage: "version 3" }),
    "things.create: in conflict with the present state (HTTP 409): version 3",
    false
  ],
  [
    new Errors.Rejected({ ...answered, field: "price" }),
    "things.create: the platform rejected it (HTTP 418): no coffee [request req-1]",
    false
  ],
  [
    new Errors.RateLimited({ operation, status: 429, retryAfter: 1_500 }),
    "things.create: too many calls (HTTP 429). Wait 2 s.",
    true
  ],
  [new Errors.RateLimited({ operation, status: 429 }), "things.create: too many calls (HTTP 429).", true],
  [
    new Errors.ServerFault({ operation, status: 500, retryable: false }),
    "things.create: the platform failed (HTTP 500)",
    false
  ],
  [
    new Errors.ServerFault({ operation, status: 500, retryable: true }),
    "things.create: the platform failed (HTTP 500)",
    true
  ],
  [
    new Errors.NetworkError({ operation, reason: "Refused" }),
    "things.create: no answer from the platform (Refused)",
    true
  ],
  [
    new Errors.NetworkError({ operation, reason: "Tls" }),
    "things.create: no answer from the platform (Tls)",
    false
  ],
  [
    new Errors.DeadlineExceeded({ operation, deadline: 500, attempts: 1 }),
    "things.create: no complete answer within 500 ms (1 attempt)",
    true
  ],
  [
    new Errors.DeadlineExceeded({ operation, deadline: 500, attempts: 3 }),
    "things.create: no complete answer within 500 ms (3 attempts)",
    true
  ],
  [
    new Errors.AnswerError({ operation, reason: "Shape", field: "a.1.b", rule: "is required", status: 200 }),
    'things.create: the answer\'s field "a.1.b" is required (HTTP 200)',
    false
  ],
  [
    new Errors.AnswerError({ operation, reason: "Empty", field: "", rule: "is empty" }),
    "things.create: the answer is empty",
    false
  ],
  [
    new Errors.OutcomeUnknown({ operation, reason: "Network", attempts: 1 }),
    "things.create: it was sent, but the answer was lost (Network). " +
      "It may have happened: read the present state before you repeat it, or repeat it with the same idempotency key.",
    false
  ]
]

describe("an error", () => {
  it.each(cases.map(([error, message]) => [error._tag, error, message] as const))(
    "%s says what happened and what to do",
    (_, error, message) => {
      expect(error.message).toBe(message)
    }
  )

  it.each(cases.map(([error, , retryable]) => [error._tag, retryable, error] as const))(
    "%s may be repeated: %s",
    (_, retryable, error) => {
      expect(error.retryable).toBe(retryable)
    }
  )

  it.each(cases.map(([error]) => [error._tag, error] as const))(
    "%s is a real Error of its own name and tag, with a stack",
    (tag, error) => {
      expect(error).toBeInstanceOf(Error)
      expect(error.name).toBe(tag)
      expect(error.tag).toBe(tag)
      expect(String(error.stack)).toContain(tag)
      expect(inspect(error)).toContain(tag)
    }
  )

  // Spec 8.2
  it("of every tag in the union is among these", () => {
    expect(new Set(cases.map(([error]) => error._tag))).toEqual(
      new Set<Errors.CallError["_tag"]>([
        "InputError",
        "CredentialsError",
        "PermissionDenied",
        "Unauthenticated",
        "NotFound",
        "Conflict",
        "Rejected",
        "RateLimited",
        "ServerFault",
        "NetworkError",
        "DeadlineExceeded",
        "AnswerError",
        "OutcomeUnknown"
      ])
    )
  })
})
