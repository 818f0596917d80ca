/** What a tool answers when it cannot do what was asked: what is wrong, and what to do, in words for a model. */

import { type CallError, doneOf } from "@quartet/sdk/extend"
import * as Data from "effect/Data"
import { aloneOf } from "../exit.js"

/** A tool's failure. */
export class Failure extends Data.TaggedError("Failure")<{
  readonly message: string
  /** What to do next. */
  readonly advice: string
  /** The call that failed, where one did: of its message, which may repeat what somebody wrote, the log holds nothing. */
  readonly error?: CallError
}> {}

/** What to do about each kind of error. The message of the error says what happened. */
const advice: Readonly<Record<CallError["_tag"], string>> = {
  InputError: "Read the input's schema with `describe`, correct the field and call again.",
  CredentialsError:
    "Ask the user to correct the credentials in this server's environment and to start it again. Do not ask for them here.",
  PermissionDenied:
    "Do not try another way. Tell the user which permission is missing; an owner of the project can grant it.",
  Unauthenticated:
    "Ask the user to check the credentials in this server's environment, and to start it again.",
  NotFound: "Check the ids: list or search for the thing first.",
  Conflict: "Read the present state, and decide anew with its version.",
  Rejected: "Read the platform's message, correct the input and call again. Do not repeat it unchanged.",
  RateLimited: "Wait as long as the platform asks, then call again.",
  ServerFault: "Read the present state before you repeat a write. A read may be repeated in a moment.",
  NetworkError:
    "Call again in a moment. If it goes on, ask the user to check this server's address and connection.",
  DeadlineExceeded: "Ask for less, such as fewer pages or a smaller `limit`, or call again.",
  AnswerError:
    "The answer cannot be used. Do not repeat a write: read the present state. Tell the user what it says.",
  OutcomeUnknown:
    "It may have happened. Read the present state before anything else. Repeat the call only if it shows that nothing was done."
}

/** What to do about a name or a word that the SDK does not know. */
const passing =
  "Correct it: `describe` tells the names. Only where the user, or what they gave you, says that their platform takes it, call again with " +
  '"raw": true.'

/** What to do about an error: of a kind that may be repeated, or after which a write may have been done, the same. */
const adviceOf = (error: CallError): string => {
  if (doneOf(error) === "perhaps") return advice.OutcomeUnknown
  if (error._tag === "InputError" && aloneOf(error.rule) !== undefined) return passing
  return error._tag === "Rejected" && error.retryable ? advice.ServerFault : advice[error._tag]
}

/** The failure of a call. */
export const ofCall = (error: CallError): Failure =>
  new Failure({ message: aloneOf(error.message) ?? error.message, advice: adviceOf(error), error })
