/** How a client bears faults: attempts, pauses between them, one deadline, and a budget that keeps an outage from being amplified. */
import * as Either from "effect/Either"
import { type CallError, InputError } from "../errors/errors.js"
import * as Options from "../operation/options.js"

/** Rules of one client or one call. Times are in milliseconds. */
export interface Policy {
  /** Most attempts of one call; 3. Writes are tried once unless the call carries an idempotency key. */
  readonly attempts: number
  /** Mean pause doubles from this; 200. Each pause is random between 0 and its bound. */
  readonly pause: number
  /** Longest pause; 8,000. */
  readonly longestPause: number
  /** From the start of a call to the last byte of its answer, over all attempts; 30,000. */
  readonly deadline: number
  /** Longest `Retry-After` that is waited out; 30,000, as the deadline. A longer one fails the call at once. */
  readonly longestRetryAfter: number
  /** What a repetition takes from the client's retry budget; 5. With 0 it is repeated whatever is left. */
  readonly retryCost: number
  /** The same for a repetition after a time-out; 10. */
  readonly timeoutCost: number
  /** Most decoded bytes of an answer that is held in memory; 64 MiB. */
  readonly maxBytes: number
}

export const defaults: Policy = {
  attempts: 3,
  pause: 200,
  longestPause: 8_000,
  deadline: 30_000,
  longestRetryAfter: 30_000,
  retryCost: 5,
  timeoutCost: 10,
  maxBytes: 64 * 1024 * 1024
}

/** Whether a number of tokens makes sense. */
export const isTokens = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0

/** Rules as a program gives them. */
export type PolicyInput = Options.Timed<Policy, Time>

type Time = (typeof times)[number]
const times = ["pause", "longestPause", "deadline", "longestRetryAfter"] as const

/** Says which rule a policy breaks, or nothing. */
const check = (policy: Policy): string | undefined => {
  const { attempts, maxBytes, retryCost, timeoutCost, ...limits } = policy
  if (!(Number.isInteger(attempts) && attempts >= 1 && attempts <= 20))
    return "attempts must be a whole number from 1 to 20"
  if (!(Number.isInteger(maxBytes) && maxBytes >= 1))
    return "maxBytes must be a whole number of bytes, at least 1"
  const cost = Object.entries({ retryCost, timeoutCost }).find(([, value]) => !isTokens(value))
  if (cost !== undefined) return `${cost[0]} must be a finite number of tokens, at least 0`
  const wrong = Object.entries(limits).find(([, value]) => !(Number.isFinite(value) && value >= 0))
  if (wrong !== undefined) return `${wrong[0]} must be a finite number of milliseconds, at least 0`
  // A timer beyond 2³¹ − 1 milliseconds never rings.
  const long = Object.entries(limits).find(([, value]) => value > 2_147_483_647)
  if (long !== undefined) return `${long[0]} must be at most 2,147,483,647 milliseconds (24 days)`
  return policy.deadline > 0 ? undefined : "deadline must be more than 0 milliseconds"
}

/** Reads the rules of a client or of one call, over those that hold otherwise. */
export const read = (
  operation: string,
  base: Policy,
  given: PolicyInput | undefined
): Either.Either<Policy, InputError> => {
  if (given === undefined) return Either.right(base)
  return Either.flatMap(Options.read(operation, "policy", given, defaults), (own) => {
    const policy = { ...base, ...Options.inMillis<Policy, Time>(own, times) }
    const rule = check(policy)
    return rule === undefined
      ? Either.right(policy)
      : Either.left(new InputError({ operation, field: "policy", rule }))
  })
}

/** Most that a pause before attempt `next` lasts; `next` is 2 for the first repetition. */
export const pauseBound = (policy: Policy, next: number): number =>
  Math.min(policy.longestPause, policy.pause * 2 ** (next - 2))

/** Tokens of a client, unless its configuration says otherwise. */
export const tokens = 500

/** The retry budget of one client: tokens that repetitions cost, and that calls which succeed at once earn back. */
export class RetryBudget {
  left: number

  constructor(readonly full: number = tokens) {
    this.left = full
  }

  /** Pays for a repetition; false where there is not enough left. */
  take(cost: number): boolean {
    if (this.left < cost) return false
    this.left -= cost
    return true
  }

  earn(): void {
    this.left = Math.min(this.full, this.left + 1)
  }
}

const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** The time that an HTTP date names, in milliseconds since 1970. Undefined for anything else. */
export const readHttpDate = (header: string | undefined): number | undefined => {
  const text = header?.trim() ?? ""
  const time = httpDate.test(text) ? Date.parse(text) : Number.NaN
  return Number.isFinite(time) ? time : undefined
}

/** Milliseconds that a `Retry-After` header asks to wait at a time: seconds or an HTTP date. Undefined for anything else. */
export const readRetryAfter = (header: string | undefined, at: number): number | undefined => {
  const text = header?.trim() ?? ""
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER)
  const time = readHttpDate(text)
  return time === undefined ? undefined : Math.max(0, time - at)
}

/** Whether a failure says that something took too long: repetitions then cost more. */
export const isTimeout = (error: CallError): boolean =>
  (error._tag === "NetworkError" && (error.reason === "Timeout" || error.reason === "ConnectTimeout")) ||
  error.status === 408 ||
  error.status === 504

/** Whether another attempt may help; that it can do no harm is the caller's to know. */
export const mayHelp = (error: CallError): boolean =>
  (error._tag === "NetworkError" && error.retryable) ||
  error._tag === "RateLimited" ||
  (error._tag === "ServerFault" && error.status !== 501) ||
  error.status === 408
