/**
 * Places in flight that all runners of a fleet share: rows that a runner leases. What a dead runner held comes back when its lease
 * ends. Each runner that has work may hold its share; what is left over by division goes round.
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import { now } from "@quartet/sdk/extend"
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Alarm, type Moment, moment, StoreClock, since } from "./elapsed.js"
import { longestAnswer } from "./rate.js"
import { isPostgres, numberOf, now as storeNow } from "./store.js"

export const tables: ReadonlyArray<string> = [
  "CREATE TABLE IF NOT EXISTS quartet_places (place INTEGER PRIMARY KEY, owner TEXT NOT NULL, lease_until BIGINT NOT NULL)",
  "CREATE TABLE IF NOT EXISTS quartet_sharers (owner TEXT PRIMARY KEY, lease_until BIGINT NOT NULL)"
]

/** Milliseconds. */
const lease = 10_000

/** Milliseconds before the end of a lease from which its holder does not use it: clocks do not run alike. */
const safety = 1_000

/** Milliseconds between renewals; after so many without work a runner gives back all that it holds. */
const beat = 1_000

/** The least milliseconds between two statements that ask for places. */
const pause = 250

/** Milliseconds for which a place that is left over by division stays with one runner. */
const round = 5_000

/** How many of `all` places the runner at `rank` of `count` has: together they have all, and nobody stays without. */
const shareOf = (all: number, count: number, rank: number, time: number): number => {
  const turned = (rank + Math.floor(time / round)) % count
  return Math.floor(all / count) + (turned < all % count ? 1 : 0)
}

/** A leased place. One that is leased anew is another one: who used it before has nothing to do with it. */
interface Place {
  readonly place: number
}

/** The places of one runner. */
export class Places {
  private readonly places = new Map<number, Place>()
  /** Those that are free. */
  private readonly unused = new Set<Place>()
  private renewed: Moment | undefined
  /** How many places this runner may have. */
  share = 0
  private used = 0
  private notBefore = 0
  private lastBeat = Number.NEGATIVE_INFINITY
  private lastUse = 0
  private isSharer = false
  private readonly alarm = new Alarm()
  private readonly storeClock: StoreClock

  /** `waiting`: how many wait for a place. `pump` is called when there may be new ones. */
  constructor(
    private readonly sql: SqlClient,
    private readonly clock: Clock.Clock,
    private readonly owner: string,
    private readonly all: () => number,
    private readonly waiting: () => number,
    private readonly pump: () => void
  ) {
    this.storeClock = new StoreClock(clock)
  }

  /** How many may be used now. */
  get free(): number {
    const isOver = this.renewed === undefined || since(this.clock, this.renewed) > lease - safety
    return isOver ? 0 : Math.max(0, Math.min(this.share, this.places.size) - this.used)
  }

  /** Whether there is a place. If not, the store is asked for one. */
  isFree(): boolean {
    const isFree = this.free > 0
    if (!isFree) this.alarm.ring()
    return isFree
  }

  /** Uses a place that is free; call what it answers once, when the place is free again. */
  take(): () => void {
    const [place] = this.unused
    if (place === undefined) return () => undefined
    this.unused.delete(place)
    this.used += 1
    return () => {
      if (this.places.get(place.place) === place) this.unused.add(place)
      this.used -= 1
      this.lastUse = now(this.clock)
      this.pump()
    }
  }

  private gain(number: number): void {
    const place = { place: number }
    this.places.set(number, place)
    this.unused.add(place)
  }

  private lose(place: Place): void {
    this.places.delete(place.place)
    this.unused.delete(place)
  }

  private get isActive(): boolean {
    return this.waiting() > 0 || this.used > 0 || now(this.clock) - this.lastUse < beat
  }

  /** Milliseconds until the store is to be asked; infinite while there is nothing to ask for. */
  private untilBeat(): number {
    const at = now(this.clock)
    if (!this.isActive && !this.isSharer) return Number.POSITIVE_INFINITY
    const isShort = this.waiting() > 0 && this.free === 0 && this.used < this.share
    const isOver = this.places.size > this.share && this.places.size > this.used
    const next = this.lastBeat + (isShort || isOver ? pause : beat)
    return Math.max(0, next - at, this.notBefore - at)
  }

  private readonly statements = Effect.gen(this, function* () {
    const { sql, owner } = this
    const time = storeNow(sql)
    const leased = sql`${time} + ${sql.literal(String(lease))}`
    const start = moment(this.clock)
    if (!this.isActive) {
      yield* this.leave
      return
    }
    yield* sql`INSERT INTO quartet_sharers (owner, lease_until) VALUES (${owner}, ${leased})
      ON CONFLICT (owner) DO UPDATE SET lease_until = excluded.lease_until`
    this.isSharer = true
    const asked = this.storeClock.now
    const sharers = yield* sql`SELECT owner, ${time} AS time,
        (SELECT MAX(lease_until) FROM quartet_places) AS places_until, (SELECT MAX(lease_until) FROM quartet_sharers) AS sharers_until
      FROM quartet_sharers WHERE lease_until > ${time} ORDER BY owner`
    const [first] = sharers
    this.storeClock.hear(numberOf(first?.time), asked)
    // The store's clock was set back: no lease lasts longer than one that begins now.
    const latest = numberOf(first?.time) + lease
    if (numberOf(first?.places_until) > latest || numberOf(first?.sharers_until) > latest)
      for (const table of ["quartet_places", "quartet_sharers"])
        yield* sql`UPDATE ${sql(table)} SET lease_until = ${leased} WHERE lease_until > ${leased}`
    const rank = sharers.findIndex((sharer) => sharer.owner === owner)
    this.share = rank < 0 ? 0 : shareOf(this.all(), sharers.length, rank, numberOf(first?.time))
    const kept = yield* sql`UPDATE quartet_places SET lease_until = ${leased}
      WHERE owner = ${owner} RETURNING place`
    const occupied = new Set(kept.map(({ place }) => numberOf(place)))
    for (const place of this.places.values()) if (!occupied.has(place.place)) this.lose(place)
    // An answer that did not come may have brought some.
    for (const place of occupied) if (!this.places.has(place)) this.gain(place)
    const over = Math.min(this.unused.size, this.places.size - this.share)
    if (over > 0) {
      const surplus = [...this.unused].slice(0, over)
      for (const place of surplus) this.lose(place)
      const back = surplus.map(({ place }) => place)
      yield* sql`UPDATE quartet_places SET lease_until = 0, owner = '' WHERE owner = ${owner} AND ${sql.in("place", back)}`
    }
    const missing = this.storeClock.tellsLeases(lease) ? this.share - this.places.size : 0
    if (missing > 0) {
      const skipping = sql.literal(isPostgres(sql) ? "FOR UPDATE SKIP LOCKED" : "")
      const claim = yield* sql`UPDATE quartet_places SET lease_until = ${leased}, owner = ${owner}
        WHERE lease_until <= ${time} AND place IN (SELECT place FROM quartet_places
          WHERE lease_until <= ${time} AND place < ${this.all()} ORDER BY place
          LIMIT ${sql.literal(String(missing))} ${skipping}) RETURNING place`
      for (const { place } of claim) this.gain(numberOf(place))
    }
    this.renewed = start
  })

  private readonly ask: Effect.Effect<void> = Effect.suspend(() => {
    this.lastBeat = now(this.clock)
    return this.statements.pipe(
      Effect.interruptible,
      Effect.disconnect,
      Effect.timeout(longestAnswer),
      Effect.match({
        onFailure: () => {
          this.notBefore = now(this.clock) + pause * 3
        },
        onSuccess: this.pump
      })
    )
  })

  /** Gives back all. */
  readonly leave = Effect.suspend(() => {
    const { sql, owner } = this
    this.renewed = undefined
    this.share = 0
    this.lastBeat = Number.NEGATIVE_INFINITY
    this.places.clear()
    this.unused.clear()
    return Effect.zipRight(
      sql`UPDATE quartet_places SET lease_until = 0, owner = '' WHERE owner = ${owner}`,
      Effect.tap(
        sql`DELETE FROM quartet_sharers WHERE owner = ${owner} OR lease_until < ${storeNow(sql)}`,
        () => {
          this.isSharer = false
        }
      )
    )
  })

  /** Leases places for as long as it runs. */
  readonly run: Effect.Effect<never> = Effect.forever(
    Effect.suspend(() => {
      const wait = this.untilBeat()
      return wait > 0 ? this.alarm.wait(wait) : this.ask
    })
  )
}

/** Makes the rows of all places. */
export const insert = (sql: SqlClient, all: number) =>
  Effect.forEach(
    Array.from({ length: Math.ceil(all / 100) }, (_, block) => block * 100),
    (from) => {
      const rows = Array.from({ length: Math.min(100, all - from) }, (_, at) => ({
        place: from + at,
        owner: "",
        lease_until: 0
      }))
      return sql`INSERT INTO quartet_places ${sql.insert(rows)} ON CONFLICT (place) DO NOTHING`
    },
    { discard: true }
  )
