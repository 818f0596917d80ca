/**
 * How a command ends: its exit code, and for a failure one message that says what is wrong and what to do next.
 */
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as ValidationError from "@effect/cli/ValidationError"
import * as Terminal from "@effect/platform/Terminal"
import { type CallError, doneOf, isCallError } from "@quartet/sdk/extend"
import { codeOf as systemCodeOf } from "@quartet/sdk/extend/http"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { report } from "./streams.js"
import { plain } from "./text.js"

/** The exit codes. */
export const codes = {
  /** The call failed, or a check found something. */
  failed: 1,
  /** Wrong use: nothing was done. */
  usage: 2,
  /** Credentials are missing or refused. */
  credentials: 3,
  /** Items were named that are not among those that were not done: nothing was changed. */
  absent: 4,
  interrupted: 130
} as const

/** What a command itself fails with. */
export class Problem extends Data.TaggedError("Problem")<{
  readonly message: string
  /** What to do about it, as a sentence. */
  readonly next?: string
  /** `failed` by default. */
  readonly code?: (typeof codes)[keyof typeof codes]
  /** What it is about, where a client has refused something. */
  readonly error?: CallError
}> {}

/** A failure as the user sees it. Without a message nothing is said. */
export interface Ending {
  readonly code: number
  readonly message: string
  readonly next: string | undefined
  /** The failed call, where one failed. */
  readonly error?: CallError
}

/** What is said of a name or a word that `Input.raw` would pass, without that, which is a program's; undefined for all else. */
export const aloneOf = (text: string): string | undefined => {
  const alone = text.replace(/; Input\.raw passes (others|it)/, "")
  return alone === text ? undefined : alone
}

/** How a command is told to pass a name or a word that the SDK does not know. */
const passing: Readonly<Record<string, string>> = {
  call: "Where the platform takes it all the same, pass it with --raw. "
}

const inputHelp = (operation: string): string => `See: quartet operations ${operation}`

/** How a command that reads page by page is told the first page. */
const firstPage: Readonly<Record<string, string>> = {
  call: 'Where its pages begin is said by the input: {"page": 0} or {"page": 1}.',
  generate: "Where its pages begin is said by --first 0 or --first 1."
}

/** What to do after a call of a command has failed; undefined where its message says that. */
const nextOf = (error: CallError, command: string): string | undefined => {
  if (doneOf(error) === "perhaps")
    return error._tag === "OutcomeUnknown" ? undefined : "Read the present state before you repeat the call."
  switch (error._tag) {
    case "AnswerError":
      return error.reason === "Paging" ? firstPage[command] : undefined
    case "InputError":
      if (error.operation === "client") return undefined
      return `${aloneOf(error.rule) === undefined ? "" : (passing[command] ?? "")}${inputHelp(error.operation)}`
    case "Rejected":
      if (error.retryable) return "Repeat the call later."
      return error.field === undefined
        ? inputHelp(error.operation)
        : `The platform names the field "${error.field}". ${inputHelp(error.operation)}`
    case "CredentialsError":
    case "Unauthenticated":
      return `Check the credentials in the environment or in the file${command === "doctor" ? "." : ": quartet doctor says which are accepted."}`
    case "PermissionDenied":
      return "quartet doctor lists what the admin's token permits. Such options of the clients go into QUARTET_OPTIONS, as JSON."
    case "NotFound":
      return "Check the ids in the input, and the address: quartet doctor"
    case "Conflict":
      return "Read the present state, and repeat the call with its version."
    case "RateLimited":
    case "ServerFault":
      return error.retryable
        ? "Repeat the call later."
        : "The platform does not take this call: quartet doctor"
    case "NetworkError":
      return "Check the address and the connection: quartet doctor"
    case "DeadlineExceeded":
      return "Check the connection (quartet doctor), or allow more time with --deadline."
    default:
      return undefined
  }
}

/** The exit code of a failed call. */
export const codeOf = (error: CallError): (typeof codes)[keyof typeof codes] => {
  switch (error._tag) {
    case "InputError":
      return codes.usage
    case "CredentialsError":
    case "Unauthenticated":
      return codes.credentials
    default:
      return codes.failed
  }
}

/** What the library has to say, on one line. */
const textOf = (doc: HelpDoc.HelpDoc): string =>
  plain(HelpDoc.toAnsiText(doc))
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ")

/** What the library says of all words that it could not use. */
export const unknownArgument = (word: string): string => `Received unknown argument: '${word}'`

/** Says it of each by itself, and of an option that is missing as other sentences do. */
const reworded = (message: string): string => {
  const missing = [...message.matchAll(/Expected to find option: '(--[\w-]+)'/g)].map(([, option]) => option)
  if (missing.length > 0) return `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} missing`
  const word = /^Received unknown argument: '(.*)'$/s.exec(message)?.[1]
  if (word === undefined) return message
  // What stands behind an option's name may be a secret.
  return word.startsWith("-")
    ? `the option ${word.replace(/=.*/s, "")} is not known, lacks its value, or is given twice`
    : `${JSON.stringify(word)} is an unexpected argument`
}

/** How a command called `name` ends that failed with this. */
export const endingOf = (name: string, error: unknown): Ending => {
  if (error instanceof Problem)
    return {
      code: error.code ?? codes.failed,
      message: error.message,
      next: error.next,
      ...(error.error === undefined ? {} : { error: error.error })
    }
  if (isCallError(error))
    return {
      code: codeOf(error),
      message: aloneOf(error.message) ?? error.message,
      next: nextOf(error, name),
      error
    }
  if (ValidationError.isValidationError(error)) {
    return { code: codes.usage, message: reworded(textOf(error.error)), next: `See: quartet ${name} --help` }
  }
  if (Terminal.isQuitException(error)) return { code: codes.interrupted, message: "", next: undefined }
  return {
    code: codes.failed,
    message: error instanceof Error ? error.message : String(error),
    next: undefined
  }
}

/** A command that runs until it is stopped: that is its proper end, and then it says so, or what it could not do. */
export const untilStopped = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  stopped: Effect.Effect<void, Problem>,
  code = 0
): Effect.Effect<A, E, R> =>
  Effect.onInterrupt(effect, () =>
    Effect.match(stopped, {
      onFailure: (problem) => report(problem.message, problem.next, { code: problem.code ?? codes.failed }),
      onSuccess: () => {
        process.exitCode ??= code
      }
    })
  )

/** Why the server of a command could not start. */
export const refused = (
  command: string,
  error: { readonly message: string; readonly cause?: unknown },
  port: number
): Problem => {
  const freePort = port === 65_535 ? 4400 : port + 1
  switch (systemCodeOf(error.cause)) {
    case "EADDRINUSE":
      return new Problem({
        message: `port ${port} is in use. Try another: quartet ${command} --port ${freePort} (or --port 0 for any free one)`
      })
    case "EACCES":
      return new Problem({
        message: `port ${port} may not be used by this user. Try one above 1023: quartet ${command} --port 4400`
      })
    default:
      return new Problem({ message: error.cause instanceof Error ? error.cause.message : error.message })
  }
}
