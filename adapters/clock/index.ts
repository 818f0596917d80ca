/**
 * Clocks: the system's, one that stands still for reproducible output, and one that follows the server's, so that a
 * machine with a wrong clock still knows when a session ends.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { readHttpDate } from "../../core/kernel/codec/http-date.js"
import { Transport } from "../../core/ports/transport.js"

/** A clock with another clock's wall time, adjusted. Its nanoseconds and sleep are that clock's. */
const changed = (base: Clock.Clock, time: (base: number) => number): Clock.Clock => {
  const unsafeCurrentTimeMillis = (): number => time(base.unsafeCurrentTimeMillis())
  return {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis,
    currentTimeMillis: Effect.sync(unsafeCurrentTimeMillis),
    unsafeCurrentTimeNanos: () => base.unsafeCurrentTimeNanos(),
    currentTimeNanos: base.currentTimeNanos,
    sleep: (duration) => base.sleep(duration)
  }
}

/** The system's clock, even if another one is provided. @category constructors */
export const system: Layer.Layer<never> = /*#__PURE__*/ Layer.setClock(/*#__PURE__*/ Clock.make())

/**
 * A clock with a fixed wall time, for tests and demonstrations. Pauses and deadlines still run: they use the
 * nanoseconds.
 *
 * @example
 * ```ts
 * import * as Clock from "@quartet/sdk/adapters/clock"
 *
 * const noon = Clock.fixed(new Date("2026-01-01T12:00:00Z"))
 * ```
 * @category constructors
 */
export const fixed = (date: Date): Layer.Layer<never> =>
  Layer.setClock(changed(Clock.make(), () => date.getTime()))

/** A clock that learns from the server's. @category models */
export interface ServerClock {
  /** The clock, which shows the server's time. */
  readonly clock: Clock.Clock
  /**
   * Learns from a `Date` header, and the times of its request and answer in milliseconds of the base clock. Anything
   * but an HTTP date is ignored.
   */
  readonly learn: (dateHeader: string | undefined, sentAt: number, receivedAt: number) => void
  /** Known milliseconds by which the server's clock is ahead of this machine's. */
  readonly offset: () => number
}

/** A `Date` header has whole seconds. */
const second = 1_000

/** Longer exchanges are too imprecise, in milliseconds. */
const longestExchange = 60_000

/**
 * Makes a clock that follows the server's. Each answer bounds the difference between the two: the server wrote its
 * `Date` between sending and receiving. The bounds of many answers are intersected; if they contradict each other, one
 * of the clocks was set, and the newest answer counts. A difference that may be zero is zero.
 * @category constructors
 */
export const makeServerCorrected = (base: Clock.Clock): ServerClock => {
  let least = Number.NEGATIVE_INFINITY
  let most = Number.POSITIVE_INFINITY
  const offset = (): number => {
    if (least <= 0 && most >= 0) return 0
    return Math.round((least + most) / 2)
  }
  return {
    clock: changed(base, (time) => time + offset()),
    offset,
    learn: (dateHeader, sentAt, receivedAt) => {
      const date = readHttpDate(dateHeader, receivedAt)
      const took = receivedAt - sentAt
      if (date === undefined || !(took >= 0 && took <= longestExchange)) return
      const from = date - receivedAt
      const to = date + second - sentAt
      const isConsistent = from <= most && to >= least
      least = isConsistent ? Math.max(least, from) : from
      most = isConsistent ? Math.min(most, to) : to
    }
  }
}

/**
 * Provides a clock that follows the server's and learns from every answer of the given transport. Build it once, around
 * everything that should share the time: `Layer.provideMerge(Admin.layer(…), ServerClock.serverCorrected)`.
 * @category layers
 */
export const serverCorrected: Layer.Layer<Transport, never, Transport> = /*#__PURE__*/ Layer.unwrapScoped(
  /*#__PURE__*/ Effect.gen(function* () {
    const inner = yield* Transport
    const base = yield* Effect.clock
    const { clock, learn } = makeServerCorrected(base)
    const transport = Layer.succeed(Transport, {
      start: (request, settle) => {
        const sentAt = base.unsafeCurrentTimeMillis()
        return inner.start(request, (outcome) => {
          // An answer from a cache carries the date of when it was stored.
          if (
            (outcome._tag === "Answered" || outcome._tag === "Streaming") &&
            outcome.header("age") === undefined
          )
            learn(outcome.header("date"), sentAt, base.unsafeCurrentTimeMillis())
          settle(outcome)
        })
      }
    })
    return Layer.merge(transport, Layer.setClock(clock))
  })
)
