/**
 * Turns in time that all runners of a fleet take from one row: each reservation moves the row's next turn by as many gaps. Nobody has to
 * trust another's clock: turns are in the store's own time, and each runner knows how far that is from its own.
 */
import type { RateLimiter } from "@effect/experimental/RateLimiter"
import type { SqlClient } from "@effect/sql/SqlClient"
import { now } from "@quartet/sdk/extend"
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { Alarm, type Moment, moment, StoreClock, since } from "./elapsed.js"
import { numberOf, now as storeNow } from "./store.js"

/**
 * In microseconds of the store's time: `next_at` is the next turn, or the end of a pause; `first_at` the first turn of the last reservation,
 * or the begin of the pause. So nobody waits for longer than from one to the other, and what a reservation may be ahead: where `first_at` is
 * farther away than that, the store's clock was set back.
 */
export const tables: ReadonlyArray<string> = [
  "CREATE TABLE IF NOT EXISTS quartet_rates (name TEXT PRIMARY KEY, first_at BIGINT NOT NULL, next_at BIGINT NOT NULL)"
]

/** Milliseconds that a turn may be late. What is later is not used: many late ones would come at once. */
const longestLate = 40

/** Milliseconds that a runner reserves ahead, so as many as a pause takes to reach all, and as a runner that dies can waste. */
const ahead = 100

/**
 * The part by which turns are farther apart than the limit asks: for 50 ms of each second, which the ways of two requests, each from its turn to
 * the platform, may differ by.
 */
const margin = 0.05

/** How often turns are asked for in a second. */
const asks = { store: 20, limiter: 100 }

/** Milliseconds after which a statement is given up: its turns are lost. */
export const longestAnswer = 5_000

/** One turn, measured from when it was asked for. */
interface Turn {
  readonly requestedAt: Moment
  /** Milliseconds of the monotonic clock. */
  readonly due: number
  /** Milliseconds since `requestedAt` after which it is not used. */
  readonly last: number
}

/** What a source of turns answers: when the first one is, by the monotonic clock, how many there are, and when to ask again. */
interface Reservation {
  readonly first: number
  readonly count: number
  readonly gap: number
  /** Milliseconds before which nobody gets more. */
  readonly wait: number
}

/** Where turns come from. */
export interface Source {
  readonly ask: (count: number) => Effect.Effect<Reservation, unknown>
  /** How often it may be asked in a second. */
  readonly asks: number
}

/** Milliseconds between turns, so that no second has more than `perSecond`. */
const gapOf = (perSecond: number): number => (1000 * (1 + margin)) / perSecond

/** The time of the store in microseconds. */
const timeOf = (sql: SqlClient) => sql`(${storeNow(sql)} * 1000)`

/** Whether a row is of before the store's clock was set back. */
const isOfLater = (sql: SqlClient) => sql`first_at > ${timeOf(sql)} + ${sql.literal(String(ahead * 1000))}`

/** The row of a rate, and the store's time. */
const look = (sql: SqlClient, name: string) => {
  const row = Effect.map(
    sql`SELECT first_at, next_at, ${timeOf(sql)} AS time FROM quartet_rates WHERE name = ${name}`,
    ([found]) => ({
      first: numberOf(found?.first_at),
      next: numberOf(found?.next_at),
      time: numberOf(found?.time)
    })
  )
  return Effect.flatMap(row, (found) =>
    found.first <= found.time + ahead * 1000
      ? Effect.succeed(found)
      : // Everybody waits for as long as was meant, from now on.
        Effect.zipRight(
          sql`UPDATE quartet_rates SET first_at = ${timeOf(sql)}, next_at = ${timeOf(sql)} + next_at - first_at
            WHERE name = ${name} AND ${isOfLater(sql)}`,
          row
        )
  )
}

/** Turns of a row of the store. */
export const sqlSource = (
  sql: SqlClient,
  clock: Clock.Clock,
  name: string,
  perSecond: () => number
): Source => {
  const storeClock = new StoreClock(clock)
  return {
    asks: asks.store,
    ask: (count) => {
      const asked = storeClock.now
      // In nanoseconds: of many turns a fraction of a microsecond each counts.
      const gap = Math.ceil(gapOf(perSecond()) * 1e6)
      const time = timeOf(sql)
      const most = sql.literal(String(count))
      const width = sql.literal(String(gap))
      const end = sql`(${time} + ${sql.literal(String(ahead * 1000))})`
      const first = sql`(CASE WHEN next_at > ${time} THEN next_at ELSE ${time} END)`
      const room = sql`((${end} - ${first}) * 1000 / ${width} + 1)`
      const available = sql`(CASE WHEN ${room} > ${most} THEN ${most} ELSE ${room} END)`
      const reserve = sql`UPDATE quartet_rates SET first_at = ${first}, next_at = ${first} + (${width} * ${available} + 999) / 1000
        WHERE name = ${name} AND next_at <= ${end} RETURNING first_at, next_at, ${time} AS time`
      return Effect.flatMap(reserve, ([row]) => {
        if (row === undefined)
          return Effect.map(look(sql, name), ({ next, time }) => ({
            first: 0,
            count: 0,
            gap: gap / 1e6,
            wait: (next - time) / 1000 - ahead
          }))
        const [from, to, time] = [row.first_at, row.next_at, row.time].map(numberOf) as [
          number,
          number,
          number
        ]
        storeClock.hear(time / 1000, asked)
        // The statement may see the time change.
        const reserved = Math.max(1, Math.floor(((to - from) * 1000) / gap))
        return Effect.succeed({
          first: storeClock.momentOf(from / 1000),
          count: reserved,
          gap: gap / 1e6,
          wait: 0
        })
      })
    }
  }
}

/** The shortest time for which turns are asked of a rate limiter, in milliseconds: its times are whole ones. */
const shortestWindow = 10

/** Turns of a rate limiter, which spaces windows of one token each. Turns within a window are spaced here. */
export const limiterSource = (
  limiter: RateLimiter,
  clock: Clock.Clock,
  key: string,
  perSecond: () => number
): Source => ({
  asks: asks.limiter,
  ask: () => {
    const count = Math.max(1, Math.ceil(shortestWindow / gapOf(perSecond())))
    const window = Math.ceil(count * gapOf(perSecond()))
    return Effect.map(
      limiter.consume({ algorithm: "fixed-window", onExceeded: "delay", window, limit: 1, key }),
      (consumed) => ({
        first: now(clock) + Duration.toMillis(consumed.delay),
        count,
        gap: window / count,
        wait: 0
      })
    )
  }
})

/** Makes everybody wait so long from now. */
export const hold = (sql: SqlClient, name: string, milliseconds: number) => {
  const time = timeOf(sql)
  const until = sql`(${time} + ${sql.literal(String(Math.ceil(milliseconds * 1000)))})`
  return sql`UPDATE quartet_rates SET first_at = ${time}, next_at = ${until}
    WHERE name = ${name} AND (next_at < ${until} OR ${isOfLater(sql)})`
}

/** Milliseconds that everybody still has to wait, where nobody reserves turns; less than 0 where nobody has. */
export const remainingPause = (sql: SqlClient, name: string) =>
  Effect.map(look(sql, name), ({ next, time }) => (next - time) / 1000)

export const insert = (sql: SqlClient, name: string) =>
  sql`INSERT INTO quartet_rates (name, first_at, next_at) VALUES (${name}, 0, 0) ON CONFLICT (name) DO NOTHING`

/** The turns that a runner has reserved, and the work that reserves them while somebody waits. */
export class Turns {
  private turns: Array<Turn> = []
  /** How many are asked for: what is used grows, what is wasted shrinks. */
  private batch = 1
  private isWasted = false
  private delay = 1
  private notBefore = 0
  private tokens = 1
  private lastAsk = 0
  readonly alarm = new Alarm()

  /**
   * `waiting`: how many wait for a turn. `pump` is called when there are new ones. `patience`: milliseconds more that a turn may be
   * late.
   */
  constructor(
    private readonly clock: Clock.Clock,
    private readonly source: Source,
    private readonly waiting: () => number,
    private readonly pump: () => void,
    private readonly patience: () => number = () => 0
  ) {}

  /** Milliseconds until there is a turn: 0 if there is one now, infinite if none is reserved. */
  left(): number {
    const turn = this.next()
    if (turn !== undefined) return Math.max(0, turn.due - now(this.clock))
    this.alarm.ring()
    return Number.POSITIVE_INFINITY
  }

  /** The next turn that is not too late. */
  private next(): Turn | undefined {
    for (let [turn] = this.turns; turn !== undefined; [turn] = this.turns) {
      if (since(this.clock, turn.requestedAt) <= turn.last) return turn
      this.turns.shift()
      this.isWasted = true
    }
    return undefined
  }

  /** Uses the turn that is due. */
  take(): void {
    this.turns.shift()
    this.alarm.ring()
  }

  /** Gives up what is reserved, and asks for nothing for so long. */
  drop(milliseconds: number): void {
    this.turns = []
    this.notBefore = Math.max(this.notBefore, now(this.clock) + milliseconds)
  }

  /** Milliseconds until turns are to be asked for; infinite while nobody needs more. */
  private untilAsk(): number {
    this.next()
    if (this.waiting() <= this.turns.length) return Number.POSITIVE_INFINITY
    const at = now(this.clock)
    const last = this.turns.at(-1)
    this.tokens = Math.min(
      this.source.asks / 2,
      this.tokens + ((at - this.lastAsk) * this.source.asks) / 1000
    )
    this.lastAsk = at
    const byTokens = this.tokens >= 1 ? 0 : ((1 - this.tokens) * 1000) / this.source.asks
    const byTurns = last === undefined ? 0 : last.due - at - Math.max(ahead / 2, this.delay + 10)
    return Math.max(0, byTokens, byTurns, this.notBefore - at)
  }

  private readonly ask: Effect.Effect<void> = Effect.suspend(() => {
    this.tokens -= 1
    this.batch = Math.max(this.waiting(), this.isWasted ? Math.ceil(this.batch / 2) : this.batch * 2)
    this.batch = Math.min(this.batch, 10_000)
    this.isWasted = false
    const requestedAt = moment(this.clock)
    return this.source.ask(this.batch).pipe(
      Effect.interruptible,
      Effect.disconnect,
      Effect.timeout(longestAnswer),
      Effect.matchEffect({
        onFailure: () => this.pauseAsking(250),
        onSuccess: ({ count, first, gap, wait }) => {
          const took = since(this.clock, requestedAt)
          this.delay = Math.min(2_000, Math.max(took, 1 + this.delay * 0.8))
          if (count === 0) return this.pauseAsking(Math.max(ahead * 0.8, Math.min(wait, 5_000)))
          this.batch = Math.min(this.batch, count)
          for (let place = 0; place < count; place += 1) {
            const due = first + place * gap
            const last = due - requestedAt.monotonic + longestLate + this.patience()
            this.turns.push({ requestedAt, due, last })
          }
          return Effect.sync(this.pump)
        }
      })
    )
  })

  /** Others ask at other times, and before what they may then reserve is due. */
  private pauseAsking(milliseconds: number): Effect.Effect<void> {
    return Effect.map(Random.nextRange(0, ahead * 0.4), (more) => {
      this.notBefore = now(this.clock) + milliseconds + more
    })
  }

  /** Reserves turns for as long as it runs. */
  readonly run: Effect.Effect<never> = Effect.forever(
    Effect.suspend(() => {
      const wait = this.untilAsk()
      return wait > 0 ? this.alarm.wait(wait) : this.ask
    })
  )
}
