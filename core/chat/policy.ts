/** What a chat does in faults: its deadlines, its pauses, and how much it holds. */
import * as Either from "effect/Either"
import { defaults as calls } from "../kernel/dispatch/retry.js"
import { InputError } from "../kernel/errors/errors.js"
import * as Options from "../kernel/operation/options.js"

/** Rules of one chat. Times are in milliseconds. */
export interface Policy {
  /** Time between two looks at whether the connection stands; 100 (specification, point 9). */
  readonly poll: number
  /** From opening the chat to its first connection, and for each attempt to reconnect; 10,000. */
  readonly deadline: number
  /** From `send` to the server's answer, over disconnections; 30,000. */
  readonly sendDeadline: number
  /** The bound of the pause before an attempt to reconnect doubles from this; 200. Each pause is random below its bound. */
  readonly pause: number
  /** The highest bound of a pause; 8,000. A connection that stood this long starts the doubling anew. */
  readonly longestPause: number
  /** Most attempts to reconnect in a row; without end unless it is given. */
  readonly attempts: number
  /** Most times that one message is put on the wire; 3. With 1, an answer that is lost with the connection is `OutcomeUnknown`. */
  readonly emissions: number
  /** Most messages that wait for the server's answer or for a connection; 1,000. */
  readonly outbox: number
  /** Most messages that wait for a slow reader of `messages`, and most that are held while a gap is recovered; 10,000. */
  readonly buffer: number
  /**
   * What happens when a reader falls behind by more than `buffer`. `backpressure`: nothing more is taken from the
   * socket; once the reader has caught up by half, what was missed is read from the platform's history. It needs a
   * way to recover. `drop-oldest`: the reader loses the oldest ones, and they are counted.
   */
  readonly overflow: "backpressure" | "drop-oldest"
  /** How long a reconnected chat waits for the history of a server that sent one before; 1,000. */
  readonly historyWait: number
  /** Most messages of one conversation that are recovered after one gap; 100,000. A longer gap is reported. */
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

/** Rules as a program gives them. */
export type PolicyInput = Options.Timed<Policy, Time>

type Time = (typeof times)[number]

const times = ["poll", "deadline", "sendDeadline", "pause", "longestPause", "historyWait"] as const
/** The longest time that a timer can wait, in milliseconds. */
export const longestTime = 2_147_483_647
const counts = ["attempts", "emissions", "outbox", "buffer", "longestGap"] as const

/** The field at fault and the rule that it breaks, or nothing. */
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

/** Reads the rules of a chat over the defaults. Without a history to recover from, the oldest messages are dropped. */
export const read = (
  given: PolicyInput | undefined,
  hasHistory: boolean
): Either.Either<Policy, InputError> =>
  Either.flatMap(Options.read("chat.open", "policy", given ?? {}, defaults), (rules) => {
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

/** The pause before an attempt, given how many went before it without success and a number in [0, 1). */
export const pauseBefore = (policy: Policy, failures: number, chance: number): number =>
  chance * Math.min(policy.longestPause, policy.pause * 2 ** Math.min(failures, 60))
