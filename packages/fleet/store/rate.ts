/**
 * Turns in time that all runners of a fleet take from one row: each reservation moves the row's next turn by as many gaps. Nobody has to
 * trust another's clock: a reservation says how far its turns are from the store's own time.
 */
import type { RateLimiter } from "@effect/experimental/RateLimiter"
import type { SqlClient } from "@effect/sql/SqlClient"
import { now } from "@quartet/sdk/extend"
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { Alarm, type Moment, moment, since } from "./elapsed.js"
import { numberOf, now as storeNow } from "./store.js"

/** The next turn, in microseconds of the store's time; `first_at` is the first one of the last reservation. */
export const tables: ReadonlyArray<string> = [
  "CREATE TABLE IF NOT EXISTS quartet_rates (name TEXT PRIMARY KEY, first_at BIGINT NOT NULL, next_at BIGINT NOT NULL)"
]

/** Milliseconds that a turn may be late. What is later is not used: many late ones would come at once. */
const longestLate = 40

/** Milliseconds that a runner reserves ahead, so as many as a pause takes to reach all, and as a runner that dies can waste. */
const ahead = 100

/** The least part by which turns are farther apart than the limit asks: the network delays some requests more than others. */
const margin = 0.15

/** Milliseconds that the network may delay one request more than another within the margin. */
const jitter = 80

/** How often turns are asked for in a second. */
const asks = { store: 10, limiter: 100 }

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

/** What a source of turns answers: how far the first one is from when it was asked, how many there are, and when to ask again. */
interface Reservation {
  readonly first: number
  readonly count: number
  readonly gap: number
  /** Milliseconds before which nobody gets more. */
  readonly wait: number
}

/** Where turns come from. */
export interface Source {
  /** `delay` is how long answers take, in milliseconds: so unsure are their times. */
  readonly ask: (count: number, delay: number) => Effect.Effect<Reservation, unknown>
  /** How often it may be asked in a second. */
  readonly asks: number
}

/** Milliseconds between turns, so that no second ever has more than `perSecond`, whatever of it is unsure. */
const gapOf = (perSecond: number, delay: number): number =>
  (1000 * (1 + Math.max(margin, (longestLate + jitter + delay) / 1000))) / perSecond

/** Turns of a row of the store. */
export const sqlSource = (sql: SqlClient, name: string, perSecond: number): Source => ({
  asks: asks.store,
  ask: (count, delay) => {
    const gap = Math.ceil(gapOf(perSecond, delay) * 1000)
    const time = sql`(${storeNow(sql)} * 1000)`
    const most = sql.literal(String(count))
    const width = sql.literal(String(gap))
    const end = sql`(${time} + ${sql.literal(String(ahead * 1000))})`
    const first = sql`(CASE WHEN next_at > ${time} THEN next_at ELSE ${time} END)`
    const room = sql`((${end} - ${first}) / ${width} + 1)`
    const available = sql`(CASE WHEN ${room} > ${most} THEN ${most} ELSE ${room} END)`
    const reserve = sql`UPDATE quartet_rates SET first_at = ${first}, next_at = ${first} + ${width} * ${available}
      WHERE name = ${name} AND next_at <= ${end} RETURNING first_at, next_at, ${time} AS time`
    const look = sql`SELECT next_at, ${time} AS time FROM quartet_rates WHERE name = ${name}`
    return Effect.flatMap(reserve, ([row]) => {
      if (row === undefined)
        return Effect.map(look, ([next]) => ({
          first: 0,
          count: 0,
          gap: gap / 1000,
          wait: (numberOf(next?.next_at) - numberOf(next?.time)) / 1000 - ahead
        }))
      const [from, to, time] = [row.first_at, row.next_at, row.time].map(numberOf) as [number, number, number]
      // The statement may see the time change.
      const reserved = Math.max(1, Math.round((to - from) / gap))
      return Effect.succeed({ first: (from - time) / 1000, count: reserved, gap: gap / 1000, wait: 0 })
    })
  }
})

/** The shortest time for which turns are asked of a rate limiter, in milliseconds: its times are whole ones. */
const shortestWindow = 10

/** Turns of a rate limiter, which spaces windows of one token each. Turns within a window are spaced here. */
export const limiterSource = (limiter: RateLimiter, key: string, perSecond: number): Source => ({
  asks: asks.limiter,
  ask: (_, delay) => {
    const count = Math.max(1, Math.ceil(shortestWindow / gapOf(perSecond, delay)))
    const window = Math.ceil(count * gapOf(perSecond, delay))
    return Effect.map(
      limiter.consume({ algorithm: "fixed-window", onExceeded: "delay", window, limit: 1, key }),
      (consumed) => ({ first: Duration.toMillis(consumed.delay), count, gap: window / count, wait: 0 })
    )
  }
})

/** Makes everybody wait so long from now. */
export const hold = (sql: SqlClient, name: string, milliseconds: number) => {
  const until = sql`((${storeNow(sql)} + ${sql.literal(String(Math.ceil(milliseconds)))}) * 1000)`
  return sql`UPDATE quartet_rates SET next_at = ${until} WHERE name = ${name} AND next_at < ${until}`
}

/** Milliseconds that everybody still has to wait, where nobody reserves turns; less than 0 where nobody has. */
export const remainingPause = (sql: SqlClient, name: string) =>
  Effect.map(
    sql`SELECT next_at - ${storeNow(sql)} * 1000 AS rest FROM quartet_rates WHERE name = ${name}`,
    ([row]) => numberOf(row?.rest) / 1000
  )

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
    private readonly patience = 0
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
    const byTurns = last === undefined ? 0 : last.due - at - this.delay - 10
    return Math.max(0, byTokens, byTurns, this.notBefore - at)
  }

  private readonly ask: Effect.Effect<void> = Effect.suspend(() => {
    this.tokens -= 1
    this.batch = Math.max(this.waiting(), this.isWasted ? Math.ceil(this.batch / 2) : this.batch * 2)
    this.batch = Math.min(this.batch, 10_000)
    this.isWasted = false
    const { delay } = this
    const requestedAt = moment(this.clock)
    return this.source.ask(this.batch, delay).pipe(
      Effect.interruptible,
      Effect.disconnect,
      Effect.timeout(longestAnswer),
      Effect.matchEffect({
        onFailure: () => this.pauseAsking(250),
        onSuccess: ({ count, first, gap, wait }) => {
          const took = since(this.clock, requestedAt)
          this.delay = Math.min(2_000, Math.max(took, 1 + this.delay * 0.8))
          if (count === 0) return this.pauseAsking(Math.max(ahead, Math.min(wait, 5_000)))
          this.batch = Math.min(this.batch, count)
          for (let place = 0; place < count; place += 1) {
            const from = first + place * gap
            // When exactly the store looked at its clock is not known: at the latest now, at the earliest when it was asked.
            const due = requestedAt.monotonic + took + from
            this.turns.push({ requestedAt, due, last: from + longestLate + delay + this.patience })
          }
          return Effect.sync(this.pump)
        }
      })
    )
  })

  /** Others ask at other times. */
  private pauseAsking(milliseconds: number): Effect.Effect<void> {
    return Effect.map(Random.nextRange(0.8, 1.2), (factor) => {
      this.notBefore = now(this.clock) + milliseconds * factor
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
