/**
 * How a client handles faults: attempts, pauses between them, one deadline, and a budget so that retries do not amplify
 * an outage.
 */
import * as Either from "effect/Either"
import { readHttpDate } from "../codec/http-date.js"
import type { CallError, InputError } from "../errors/errors.js"
import { isTransient } from "../errors/outcomes.js"
import * as Options from "../operation/options.js"

/**
 * How a client, or one call, handles faults: how often it tries, how long it pauses, and when it gives up. Times are
 * in milliseconds. Reads are repeated after a failure that may be otherwise in a moment; writes only with an
 * `idempotencyKey`, since what was sent may have been done. A `Retry-After` of the platform is honoured, up to
 * `longestRetryAfter`. Retries take tokens from the budget of the client, so that they do not amplify an outage.
 * There are no parallel attempts: a call has one request under way at a time.
 * @category models
 */
export interface Policy {
  /** Maximum attempts of one call; 3. Writes are tried once unless the call has an idempotency key. */
  readonly attempts: number
  /** The mean pause doubles from this; 200 milliseconds. Each pause is random between 0 and its bound. */
  readonly pause: number
  /** The longest pause; 8,000 milliseconds. */
  readonly longestPause: number
  /** From the start of a call to the last byte of its answer, over all attempts; 30,000 milliseconds. */
  readonly deadline: number
  /** The longest `Retry-After` to wait for; 30,000 milliseconds, as the deadline. A longer one fails the call at once. */
  readonly longestRetryAfter: number
  /** Tokens that a retry takes from the client's retry budget; 5. With 0 the budget does not limit retries. */
  readonly retryCost: number
  /** The same for a retry after a time-out; 10. */
  readonly timeoutCost: number
  /** Maximum decoded bytes of an answer that is read into memory; 64 MiB. */
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

/** Whether a number of tokens, or of milliseconds, is valid. */
export const isTokens = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0

/**
 * A policy as a program gives it: what it leaves out stays as the client's own or, for a client, as the default. A
 * time is milliseconds, or a duration such as `"2 minutes"`. An option that breaks a rule is an `InputError` that
 * names `policy`: when the client is made, or when the call is.
 *
 * @example
 * ```ts
 * import { createPublicClient } from "@quartet/sdk/promise"
 *
 * const visitor = createPublicClient({
 *   baseUrl: "https://api.example.com",
 *   apiKey: "key",
 *   policy: { attempts: 5, deadline: "1 minute", pause: 100 }
 * })
 * const items = await visitor.items.search({ payload: {} }, { policy: { attempts: 1 } })
 * ```
 * @category models
 */
export type PolicyInput = Options.Timed<Policy, Time>

type Time = (typeof times)[number]
const times = ["pause", "longestPause", "deadline", "longestRetryAfter"] as const

/** A timer beyond 2³¹ − 1 milliseconds never fires. */
const longestTime = 2_147_483_647

/** Whether a number of milliseconds is one that a timer keeps, and more than none. */
export const isTime = (value: number): boolean => value > 0 && value <= longestTime

/** The rule that a value of a policy breaks, or undefined. */
const ruleOf = (name: string, value: number): string | undefined => {
  const isCount = Number.isInteger(value) && value >= 1
  if (name === "attempts") return isCount && value <= 20 ? undefined : "a whole number from 1 to 20"
  if (name === "maxBytes") return isCount ? undefined : "a whole number of bytes, at least 1"
  const unit = name.endsWith("Cost") ? "tokens" : "milliseconds"
  if (!isTokens(value)) return `a finite number of ${unit}, at least 0`
  if (unit === "tokens") return undefined
  if (value > longestTime) return "at most 2,147,483,647 milliseconds (24 days)"
  return name === "deadline" && value === 0 ? "more than 0 milliseconds" : undefined
}

/** Reads the policy of a client or of one call, over the defaults. */
export const read = (
  operation: string,
  base: Policy,
  input: PolicyInput | undefined
): Either.Either<Policy, InputError> => {
  if (input === undefined) return Either.right(base)
  return Either.flatMap(Options.read(operation, "policy", input, defaults), (own) => {
    const policy = { ...base, ...Options.inMillis<Policy, Time>(own, times) }
    for (const [name, value] of Object.entries(policy)) {
      const rule = ruleOf(name, value)
      if (rule !== undefined) return Options.refuser(operation)(`policy.${name}`, `must be ${rule}`)
    }
    return Either.right(policy)
  })
}

/** The longest pause before attempt `next`; `next` is 2 for the first retry. */
export const pauseBound = (policy: Policy, next: number): number =>
  Math.min(policy.longestPause, policy.pause * 2 ** (next - 2))

/** Default tokens of a client. */
export const tokens = 500

/**
 * The retry budget of one client: tokens that retries cost, and that calls which succeed at the first attempt earn
 * back.
 */
export class RetryBudget {
  left: number

  constructor(readonly full: number = tokens) {
    this.left = full
  }

  /** Takes the tokens for a retry; false if there are too few. */
  take(cost: number): boolean {
    if (this.left < cost) return false
    this.left -= cost
    return true
  }

  earn(): void {
    this.left = Math.min(this.full, this.left + 1)
  }
}

/** Milliseconds that a `Retry-After` header asks to wait: seconds or an HTTP date. Undefined for anything else. */
export const readRetryAfter = (header: string | undefined, at: number): number | undefined => {
  const text = header?.trim() ?? ""
  // Some servers send fractions.
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Math.round(Number(text) * 1000), Number.MAX_SAFE_INTEGER)
  const time = readHttpDate(text, at)
  return time === undefined ? undefined : Math.max(0, time - at)
}

/** Whether a failure is a time-out: retries then cost more. */
export const isTimeout = (error: CallError): boolean =>
  (error._tag === "NetworkError" && error.reason.endsWith("Timeout")) ||
  error.status === 408 ||
  error.status === 504

/** Whether another attempt may help; the caller must know that it can do no harm. */
export const mayHelp = (error: CallError): boolean => {
  if (error.status !== undefined) return isTransient(error.status)
  if (error._tag === "OutcomeUnknown") return error.reason === "Network"
  return error._tag === "NetworkError" && error.retryable
}
