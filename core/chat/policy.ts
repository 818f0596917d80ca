/** The policy of a chat: its deadlines, its pauses, and its limits. */
import * as Either from "effect/Either"
import { defaults as calls } from "../kernel/dispatch/retry.js"
import { InputError } from "../kernel/errors/errors.js"
import * as Options from "../kernel/operation/options.js"

/** The policy of one chat. Times are in milliseconds. */
export interface Policy {
  /** The interval of checks whether the connection is open; 100 (specification, point 9). */
  readonly poll: number
  /** From opening the chat to its first connection, and for each attempt to reconnect; 10,000. */
  readonly deadline: number
  /** From `send` to the server's answer, over disconnections; 30,000. */
  readonly sendDeadline: number
  /** The bound of the pause before an attempt to reconnect doubles from this; 200. Each pause is random below its bound. */
  readonly pause: number
  /** The highest bound of a pause; 8,000. A connection that was open this long restarts the doubling. */
  readonly longestPause: number
  /** Maximum consecutive attempts to reconnect; unlimited by default. */
  readonly attempts: number
  /**
   * Maximum times that one message is sent; 3. With 1, an answer that is lost with the connection is `OutcomeUnknown`.
   */
  readonly emissions: number
  /** Maximum messages that wait for the server's answer or for a connection; 1,000. */
  readonly outbox: number
  /**
   * Maximum messages that wait for a slow reader of `messages`, and most that are held while a gap is recovered;
   * 10,000.
   */
  readonly buffer: number
  /**
   * What happens when a reader falls behind by more than `buffer`. `backpressure`: no more messages are taken from the
   * socket; once the reader has caught up by half, missed ones are read from the platform's history. It needs a history
   * to recover from. `drop-oldest`: the reader loses the oldest ones, and they are counted.
   */
  readonly overflow: "backpressure" | "drop-oldest"
  /** How long a reconnected chat waits for the history of a server that sent one before; 1,000. */
  readonly historyWait: number
  /** Maximum messages of one conversation that are recovered after one gap; 100,000. A longer gap is reported. */
  readonly longestGap: number
}

export const defaults: Policy = {
  poll: 100,
  deadline: 10_000,
  sendDeadline: calls.deadline,
  pause: calls.pause,
  longestPause: calls.longestPause,
  attempts: Number.POSITIVE_INFINITY,
  emissions: calls.attempts,
  outbox: 1_000,
  buffer: 10_000,
  overflow: "backpressure",
  historyWait: 1_000,
  longestGap: 100_000
}

/** A policy as a program gives it. */
export type PolicyInput = Options.Timed<Policy, Time>

type Time = (typeof times)[number]

const times = ["poll", "deadline", "sendDeadline", "pause", "longestPause", "historyWait"] as const
/** The longest time that a timer can wait, in milliseconds. */
export const longestTime = 2_147_483_647
const counts = ["attempts", "emissions", "outbox", "buffer", "longestGap"] as const

/** The invalid field and the rule that it breaks, or undefined. */
const check = (policy: Policy): { readonly field: keyof Policy; readonly rule: string } | undefined => {
  for (const field of times) {
    const least = field === "poll" || field === "deadline" || field === "sendDeadline" ? 1 : 0
    if (!(policy[field] >= least && policy[field] <= longestTime))
      return { field, rule: `must be from ${least} to ${longestTime} milliseconds` }
  }
  for (const field of counts) {
    const count = policy[field]
    const isEndless = field === "attempts" && count === Number.POSITIVE_INFINITY
    if (!isEndless && !(Number.isInteger(count) && count >= 1))
      return { field, rule: "must be a whole number, at least 1" }
  }
  return policy.overflow === "backpressure" || policy.overflow === "drop-oldest"
    ? undefined
    : { field: "overflow", rule: "must be backpressure or drop-oldest" }
}

/** Reads the policy of a chat over the defaults. Without a history to recover from, the oldest messages are dropped. */
export const read = (
  input: PolicyInput | undefined,
  hasHistory: boolean
): Either.Either<Policy, InputError> =>
  Either.flatMap(Options.read("chat.open", "policy", input ?? {}, defaults), (rules) => {
    const overflow = hasHistory ? defaults.overflow : "drop-oldest"
    const policy: Policy = { ...defaults, overflow, ...Options.inMillis<Policy, Time>(rules, times) }
    const broken =
      check(policy) ??
      (policy.overflow === "backpressure" && !hasHistory
        ? { field: "overflow", rule: "must be drop-oldest where there is no history to recover from" }
        : undefined)
    return broken === undefined
      ? Either.right(policy)
      : Either.left(
          new InputError({ operation: "chat.open", field: `policy.${broken.field}`, rule: broken.rule })
        )
  })

/** The pause before an attempt, given the number of failed ones before it and a number in [0, 1). */
export const pauseBefore = (policy: Policy, failures: number, chance: number): number =>
  chance * Math.min(policy.longestPause, policy.pause * 2 ** Math.min(failures, 60))
