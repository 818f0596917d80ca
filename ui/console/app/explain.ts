/** Errors in words for people who do not program: what happened, what it means, what to do. */

import { JobsTrouble } from "@quartet/fleet/http"
import { type CallError, doneOf, isCallError } from "@quartet/sdk/extend"
import * as Data from "effect/Data"
import { words } from "../design/show.js"

/** Code of the console, loaded when it is needed, did not come. */
class NotLoaded extends Data.TaggedError("NotLoaded")<{ readonly cause: unknown }> {}

export const notLoaded = (cause: unknown): NotLoaded => new NotLoaded({ cause })

/** What rules say for programmers, and what people read. */
const plain = [
  [/finite number|^number$/, "number"],
  [/an ISO 8601 date(-time)?|an? (potentially in)?valid Date( instance)?/, "a date"],
  [/an integer/, "a whole number"],
  [/, at least (\S+)/, ", $1 or more"],
  [/^string$/, "text"]
] as const

/** What to do about a value that breaks a rule, such as `must be a whole number, at least 0`. */
export const adviceOf = (whole: string): string => {
  // The rest is what a program would write.
  const rule = whole.replace(/; Input\.raw passes .*/, "")
  const [, requirement] = /^must be (.*)$/.exec(rule) ?? []
  if (/^is required$|^must be .*(non.empty|not empty)/.test(rule)) return "Fill this in."
  if (requirement === undefined) return `It ${rule}.`
  const text = plain.reduce((rest, [pattern, word]) => rest.replace(pattern, word), requirement)
  const [, choices] = /^one of (.*?)(?: \(did you mean .*\))?$/.exec(text) ?? []
  return choices === undefined
    ? `Enter ${text}.`
    : `Choose one of ${choices.split(", ").map(words).join(", ")}.`
}

/** A platform may name the field in its message, which stands beside it or before it. */
const ruleIn = (message: string | undefined): string | undefined => {
  const [, field = "", rule = ""] = /^the field "(.*?)" (.*)$/s.exec(message ?? "") ?? []
  return rule === "" ? message : `${words(field)}: ${adviceOf(rule)}`
}

export const signedOut = "You are signed out"

type Known = CallError | NotLoaded

/** What is said of an error whatever it holds. The first sentence is its title. */
const sayings: Partial<Record<Known["_tag"], string>> = {
  NotLoaded: "Part of the console could not be loaded. Check your connection and try again.",
  CredentialsError: `${signedOut}. Your session has ended. Sign in again to continue.`,
  Unauthenticated: `${signedOut}. Your session has ended. Sign in again to continue.`,
  NetworkError:
    "The platform cannot be reached. Check your connection. This page reloads by itself once it is back.",
  DeadlineExceeded: "This took too long. The platform did not answer in time. Try again.",
  OutcomeUnknown: "We do not know whether this was saved. Check before you try again.",
  NotFound: "This no longer exists. It may have been deleted, or the link is wrong.",
  Conflict: "Someone else changed this. Reload to see their version, then make your change again.",
  ServerFault: "The platform has a problem. This is not your fault. Try again in a moment.",
  AnswerError:
    "Unexpected answer. The platform did not answer in the form it promises. The wire shows the whole answer."
}

/** Whether what failed may have happened all the same. */
export const isOutcomeUnknown = (error: unknown): boolean => isCallError(error) && doneOf(error) === "perhaps"

const messageOf = (error: Known): string | undefined => {
  if (isOutcomeUnknown(error)) return sayings.OutcomeUnknown
  switch (error._tag) {
    case "PermissionDenied": {
      const lack = `It needs level ${error.required} on ${error.resource}. You have ${error.level ?? "none"}.`
      const why = error.reason === "Grant" ? lack : "The platform refused it."
      return `Your role does not allow this. ${why} Someone who manages roles can change that.`
    }
    case "CredentialsError":
      if (error.reason === "Rejected") return "Wrong email or password. Check both and try again."
      if (error.reason === "Cooldown")
        return "Please wait. The last sign-in failed. Try again in a few seconds."
      if (error.advice.startsWith("privateKey "))
        return "The private key is missing or malformed. Enter it in the console’s settings."
      break
    case "RateLimited": {
      const seconds = Math.max(1, Math.ceil((error.retryAfter ?? 0) / 1000))
      return `Too many calls. ${error.retryAfter === undefined ? "Wait a moment." : seconds === 1 ? "Wait 1 second." : `Wait ${seconds} seconds.`}`
    }
    case "AnswerError":
      if (error.reason === "Redirect")
        return "The platform keeps this elsewhere. A page in a browser cannot follow it there. The wire shows the whole answer."
      break
    case "InputError":
      return `Check what you entered. ${words(error.field.slice(error.field.lastIndexOf(".") + 1))}: ${adviceOf(error.rule)}`
    case "Rejected":
      return `The platform did not accept this. ${ruleIn(error.serverMessage) ?? "Check what you entered."}`
  }
  return sayings[error._tag]
}

/** What the person reads. An error that no call fails with is a defect. */
export const explain = (cause: unknown): { readonly title: string; readonly advice: string } => {
  if (cause instanceof JobsTrouble) return cause
  const error = isCallError(cause) || cause instanceof NotLoaded ? cause : undefined
  const text = (error && messageOf(error)) ?? "Something went wrong. Load the page again."
  const [title = "", ...advice] = text.split(". ")
  return { title, advice: advice.join(". ") }
}
