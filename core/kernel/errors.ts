/**
 * Everything a call can fail with: a closed union of tagged errors. None of them ever holds a value that the caller
 * sent or a credential; text that a server answered is masked before it gets here.
 */
import type { AnswerError, DeadlineExceeded, NetworkError, OutcomeUnknown } from "./errors/losses.js"
import type { CredentialsError, InputError, PermissionDenied } from "./errors/refusals.js"
import type {
  Conflict,
  NotFound,
  RateLimited,
  Rejected,
  ServerFault,
  Unauthenticated
} from "./errors/statuses.js"

export type { Details } from "./errors/details.js"
export * from "./errors/losses.js"
export * from "./errors/refusals.js"
export * from "./errors/statuses.js"

/** Everything a call can fail with. */
export type CallError =
  | InputError
  | CredentialsError
  | PermissionDenied
  | Unauthenticated
  | NotFound
  | Conflict
  | Rejected
  | RateLimited
  | ServerFault
  | NetworkError
  | DeadlineExceeded
  | AnswerError
  | OutcomeUnknown
