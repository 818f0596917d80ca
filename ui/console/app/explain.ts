/** Errors in words for people who do not program: what happened, what it means, what to do. */
import { isCallError } from "../../../core/kernel/errors/errors.js"

export interface Explanation {
  readonly title: string
  readonly advice: string
}

const seconds = (milliseconds: number): string => {
  const count = Math.max(1, Math.ceil(milliseconds / 1000))
  return count === 1 ? "a second" : `${count} seconds`
}

/** Whether the platform refused a change because something else came before it. */
export const isConflict = (error: unknown): boolean => isCallError(error) && error._tag === "Conflict"

/** What the person reads. An error that no call fails with is a defect. */
export const explain = (cause: unknown): Explanation => {
  const error = isCallError(cause) ? cause : undefined
  switch (error?._tag) {
    case "PermissionDenied":
      return {
        title: "Your role does not allow this",
        advice:
          error.reason === "Grant"
            ? `It needs level ${error.required} on ${error.resource}. You have ${error.level ?? "none"}. Ask an owner of the project to change your role.`
            : "The platform refused it. Ask an owner of the project to change your role."
      }
    case "Unauthenticated":
    case "CredentialsError":
      return error._tag === "CredentialsError" && error.reason === "Rejected"
        ? { title: "E-mail or password is wrong", advice: "Check both and try once more." }
        : error._tag === "CredentialsError" && error.reason === "Cooldown"
          ? { title: "One moment, please", advice: "The last sign-in failed. Try again in a few seconds." }
          : { title: "You are signed out", advice: "Your session has ended. Sign in again to go on." }
    case "NetworkError":
      return {
        title: "The platform cannot be reached",
        advice: "Check your connection. As soon as it is back, this page loads again by itself."
      }
    case "DeadlineExceeded":
      return { title: "This took too long", advice: "The platform did not answer in time. Try again." }
    case "OutcomeUnknown":
      return {
        title: "We do not know whether it happened",
        advice: "It was sent, but the answer was lost. Look at the present state before you do it again."
      }
    case "NotFound":
      return {
        title: "This is not there any more",
        advice: "It may have been deleted, or the link is wrong."
      }
    case "Conflict":
      return {
        title: "Someone was faster",
        advice: "This was changed while you looked at it. Load it again and repeat your change."
      }
    case "RateLimited":
      return {
        title: "Too many calls",
        advice: error.retryAfter === undefined ? "Wait a moment." : `Wait ${seconds(error.retryAfter)}.`
      }
    case "ServerFault":
      return { title: "The platform has a problem", advice: "This is not your fault. Try again in a moment." }
    case "InputError":
      return { title: "Something is missing", advice: `The field “${error.field}” ${error.rule}.` }
    case "Rejected":
      return {
        title: "The platform did not accept this",
        advice: error.serverMessage ?? "Check what you entered."
      }
    case "AnswerError":
      return {
        title: "The answer makes no sense",
        advice: `The platform answered something else than it promises: ${error.rule}.`
      }
    default:
      return { title: "Something went wrong", advice: "Load the page again." }
  }
}
