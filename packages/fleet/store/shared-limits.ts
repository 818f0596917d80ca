/** The limits that hold for all runners of a store: of what each of them was given, the lowest. */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import { now, numberOf } from "./store.js"

export const tables: ReadonlyArray<string> = [
  `CREATE TABLE IF NOT EXISTS quartet_limits (
    owner TEXT PRIMARY KEY, per_second DOUBLE PRECISION, retries_per_second DOUBLE PRECISION, in_flight INTEGER, lease_until BIGINT NOT NULL)`
]

/** Numbers that limit something; what is left out is not limited. */
export interface Numbers {
  readonly perSecond?: number | undefined
  readonly retriesPerSecond?: number | undefined
  readonly inFlight?: number | undefined
}

/** How long what a runner says of its limits holds without being said again, in milliseconds, and how often it is said. */
const lease = 10_000
export const beat = 2_000

/** Rows of runners that live. One that would live for longer than any is of before the store's clock was set back. */
const isLive = (sql: SqlClient) =>
  sql`lease_until > ${now(sql)} AND lease_until <= ${now(sql)} + ${sql.literal(String(lease))}`

const numberOrNone = (value: unknown): number | undefined => (value === null ? undefined : numberOf(value))

/** The lowest limits of the runners that live, and whether they were given different ones. */
export const look = (
  sql: SqlClient
): Effect.Effect<{ readonly lowest: Numbers; readonly areDifferent: boolean }, SqlError> =>
  Effect.map(
    sql`SELECT MIN(per_second) AS per_second, MIN(retries_per_second) AS retries, MIN(in_flight) AS in_flight,
        (SELECT COUNT(*) FROM (SELECT DISTINCT per_second, retries_per_second, in_flight FROM quartet_limits WHERE ${isLive(sql)}) kinds) AS kinds
      FROM quartet_limits WHERE ${isLive(sql)}`,
    ([row]) => ({
      lowest: {
        perSecond: numberOrNone(row?.per_second ?? null),
        retriesPerSecond: numberOrNone(row?.retries ?? null),
        inFlight: numberOrNone(row?.in_flight ?? null)
      },
      areDifferent: numberOf(row?.kinds) > 1
    })
  )

const lower = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)

export const lowestOf = (one: Numbers, other: Numbers): Numbers => ({
  perSecond: lower(one.perSecond, other.perSecond),
  retriesPerSecond: lower(one.retriesPerSecond, other.retriesPerSecond),
  inFlight: lower(one.inFlight, other.inFlight)
})

/** Says which limits a runner was given. */
export const say = (sql: SqlClient, owner: string, { inFlight, perSecond, retriesPerSecond }: Numbers) =>
  sql`INSERT INTO quartet_limits (owner, per_second, retries_per_second, in_flight, lease_until)
    VALUES (${owner}, ${perSecond ?? null}, ${retriesPerSecond ?? null}, ${inFlight ?? null}, ${now(sql)} + ${sql.literal(String(lease))})
    ON CONFLICT (owner) DO UPDATE SET lease_until = excluded.lease_until`

/** Forgets what a runner said that ends, and what those said that have died. */
export const leave = (sql: SqlClient, owner: string) =>
  sql`DELETE FROM quartet_limits WHERE owner = ${owner} OR lease_until < ${now(sql)}`

/** In words, such as `perSecond 20 and inFlight 4`. */
export const words = (limits: Numbers): string =>
  Object.entries(limits)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`]))
    .join(", ")
