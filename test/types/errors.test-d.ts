// The errors of a call are a closed union: handling all of them leaves nothing, and forgetting one shows.
import { Effect, Match } from "effect"
import { expectTypeOf } from "vitest"
import * as Admin from "../../clients/admin/index.js"
import type * as Errors from "../../core/kernel/errors/errors.js"

type Tag = Errors.CallError["_tag"]

expectTypeOf<Tag>().toEqualTypeOf<
  | "InputError"
  | "CredentialsError"
  | "PermissionDenied"
  | "Unauthenticated"
  | "NotFound"
  | "Conflict"
  | "Rejected"
  | "RateLimited"
  | "ServerFault"
  | "NetworkError"
  | "DeadlineExceeded"
  | "AnswerError"
  | "OutcomeUnknown"
>()

const call = Admin.requests.markSeen({ id: "r1", version: 1 })

// Every tag has its handler, and no error is left.
const message = call.pipe(
  Effect.map(({ _id }) => _id),
  Effect.catchTags({
    InputError: ({ field, rule }) => Effect.succeed(`${field} ${rule}`),
    CredentialsError: ({ advice, reason }) => Effect.succeed(`${reason}: ${advice}`),
    PermissionDenied: ({ grant, level, required }) => Effect.succeed(`${grant} ${level} ${required}`),
    Unauthenticated: ({ status }) => Effect.succeed(String(status)),
    NotFound: ({ operation }) => Effect.succeed(operation),
    Conflict: ({ serverMessage }) => Effect.succeed(String(serverMessage)),
    Rejected: ({ field }) => Effect.succeed(String(field)),
    RateLimited: ({ retryAfter }) => Effect.succeed(String(retryAfter)),
    ServerFault: ({ requestId }) => Effect.succeed(String(requestId)),
    NetworkError: ({ reason }) => Effect.succeed(reason),
    DeadlineExceeded: ({ attempts, deadline }) => Effect.succeed(`${attempts} in ${deadline}`),
    AnswerError: ({ field, reason, rule }) => Effect.succeed(`${reason} ${field} ${rule}`),
    OutcomeUnknown: ({ attempts, reason }) => Effect.succeed(`${reason} ${attempts}`)
  })
)
expectTypeOf(message).toEqualTypeOf<Effect.Effect<string, never, Admin.Client>>()

// With one handler, the others are left.
const recovered = Effect.catchTag(call, "NotFound", () => Effect.succeed(undefined))
expectTypeOf<Effect.Effect.Error<typeof recovered>>().toEqualTypeOf<
  Exclude<Errors.CallError, Errors.NotFound>
>()

// @ts-expect-error a tag that no error has
Effect.catchTag(call, "Timeout", () => Effect.succeed(undefined))

// A match over all tags is exhaustive, and is none where one is missing.
const rest = Match.type<Errors.CallError>().pipe(
  Match.tag("InputError", "AnswerError", () => "a fault in a program"),
  Match.tag("CredentialsError", "PermissionDenied", "Unauthenticated", () => "not allowed"),
  Match.tag("NotFound", "Conflict", "Rejected", () => "refused"),
  Match.tag("RateLimited", "ServerFault", "NetworkError", "DeadlineExceeded", () => "try again")
)
const whole = rest.pipe(
  Match.tag("OutcomeUnknown", () => "look first"),
  Match.exhaustive
)
expectTypeOf(whole).returns.toEqualTypeOf<string>()
// @ts-expect-error OutcomeUnknown is not handled
Match.exhaustive(rest)

// Whether a call may be repeated is known from the type of its error.
expectTypeOf<Errors.RateLimited["retryable"]>().toEqualTypeOf<true>()
expectTypeOf<Errors.OutcomeUnknown["retryable"]>().toEqualTypeOf<false>()
expectTypeOf<Errors.CallError["retryable"]>().toEqualTypeOf<boolean>()

// Reasons are literals, and are all there are.
expectTypeOf<Errors.OutcomeUnknown["reason"]>().toEqualTypeOf<
  "Network" | "Deadline" | "Server" | "Interrupted"
>()
expectTypeOf<Errors.CredentialsError["reason"]>().toEqualTypeOf<
  "Missing" | "Malformed" | "Rejected" | "Cooldown" | "Browser"
>()
expectTypeOf<Errors.AnswerError["reason"]>().toEqualTypeOf<
  "Redirect" | "NotJson" | "Empty" | "Shape" | "Encoding" | "TooLarge" | "TooDeep" | "Precision" | "Paging"
>()
