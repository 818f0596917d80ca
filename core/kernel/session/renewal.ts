/**
 * When a session is renewed: ahead of its token's end, reckoned on the platform's clock, because the local one may be
 * minutes off. Nothing here waits: a session that nobody uses is not renewed.
 */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Service as Transport } from "../../ports/transport.js"
import { now } from "../dispatch/deadline.js"
import { readHttpDate } from "../dispatch/retry.js"

/** How long a session holds, on the clock that only runs forward (`now`), in milliseconds. */
export interface Lease {
  /** From here on it is renewed in the background, while it still works. */
  readonly renewAt: number
  /** From here on the platform refuses it. */
  readonly endsAt: number
  /** After a renewal that failed, the time before the next. */
  readonly pause: number
}

/** The lease of a session whose end is not known: it is used until the platform refuses it. */
export const endless: Lease = {
  renewAt: Number.POSITIVE_INFINITY,
  endsAt: Number.POSITIVE_INFINITY,
  pause: 0
}

/** A session is renewed in the last tenth of its time, but no sooner than five minutes before its end. */
const longestMargin = 300_000

/** A token that seems to end sooner than this says nothing that could be relied on. */
const shortest = 1_000

/** The lease of a token that ends at `end` by a clock that says `time`; both in milliseconds since 1970. */
export const lease = (end: number | undefined, time: number, running: number): Lease => {
  const left = end === undefined ? 0 : end - time
  if (left < shortest) return endless
  const margin = Math.min(longestMargin, left / 10)
  return { renewAt: running + left - margin, endsAt: running + left, pause: margin / 10 }
}

/** The platform's clock, as far as a client knows it. */
export interface PlatformClock {
  /** The same transport, whose answers set the clock by their `Date`. Only sign-ins go through it. */
  readonly listen: (transport: Transport) => Transport
  /** Sets the clock by the last answer, or else by `issuedAt`, the time that a token which has just come was made. */
  readonly set: (issuedAt: number | undefined) => Effect.Effect<void>
  /** The platform's time in milliseconds since 1970; the local clock's, until the platform has told its own. */
  readonly time: (clock: Clock.Clock) => number
}

export const makePlatformClock = (): PlatformClock => {
  let heard: number | undefined
  /** The platform's time less that of the clock that only runs forward. */
  let ahead: number | undefined
  return {
    listen: (transport) => ({
      start: (request, settle) =>
        transport.start(request, (outcome) => {
          heard = outcome._tag === "Answered" ? readHttpDate(outcome.header("date")) : undefined
          settle(outcome)
        })
    }),
    set: (issuedAt) =>
      Effect.clockWith((clock) => {
        // A date in a header has whole seconds: the time may be up to one later, and is taken to be.
        const time = heard === undefined ? issuedAt : heard + 1_000
        ahead = time === undefined ? undefined : time - now(clock)
        return Effect.void
      }),
    time: (clock) => (ahead === undefined ? clock.unsafeCurrentTimeMillis() : now(clock) + ahead)
  }
}
