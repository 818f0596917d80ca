/** What is asked to be tried again: kept with the run until its reader has cut pages of it, the oldest first. */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { Fragment } from "@effect/sql/Statement"
import * as Effect from "effect/Effect"
import type { FleetError } from "../fleet-error.js"
import { now, numberOf, patient } from "../store/store.js"
import type { Failure, RetryOptions } from "./run.js"
import type { Row } from "./tables.js"

/** A request. What it says of items holds for those that are behind `after`, and had failed by then. */
export interface Request {
  readonly states: ReadonlyArray<Failure["state"]>
  readonly readAgain: boolean
  /** Whether unknown ones are sent without being asked about. */
  readonly send?: boolean
  /** Their numbers, in order; all where there are none. */
  readonly items: ReadonlyArray<number> | undefined
  readonly after: number
  /** When it was asked for: what fails later is not meant. */
  readonly at: number
}

/** The requests of a run's row. */
export const listOf = (text: unknown): ReadonlyArray<Request> =>
  typeof text === "string" ? (JSON.parse(text) as ReadonlyArray<Request>) : []

/** As they are kept: nothing where there is none. */
export const textOf = (requests: ReadonlyArray<Request>): string | null =>
  requests.length === 0 ? null : JSON.stringify(requests)

const inList = (sql: SqlClient, column: string, values: ReadonlyArray<number | string>): Fragment =>
  values.length === 0 ? sql`1 = 0` : sql.in(column, values)

/** The next items that a request is about, at most so many, and what is left of it. */
export const next = (
  sql: SqlClient,
  run: string,
  request: Request,
  most: number
): Effect.Effect<{ readonly rows: ReadonlyArray<Row>; readonly left: ReadonlyArray<Request> }, SqlError> => {
  const { after, at, items, states } = request
  const numbers = items?.filter((item) => item > after).slice(0, most)
  return Effect.map(
    sql<Row>`
      SELECT item, state, input FROM quartet_failures
      WHERE run = ${run} AND item > ${after} AND failed_at <= ${at} AND ${inList(sql, "state", states)}
        ${numbers === undefined ? sql`` : sql`AND ${inList(sql, "item", numbers)}`}
      ORDER BY item LIMIT ${most}`,
    (rows) => {
      const seen = numbers ?? rows.map((row) => numberOf(row.item))
      const last = seen.at(-1)
      return { rows, left: last === undefined || seen.length < most ? [] : [{ ...request, after: last }] }
    }
  )
}

/** Items of one statement. */
const atOnce = 500

/** A request as somebody makes it, and how many items it is about. */
export const make = (
  sql: SqlClient,
  run: string,
  { items, readAgain = false, send = false, states = ["failed"] }: RetryOptions
): Effect.Effect<{ readonly request: Request; readonly count: number }, SqlError> =>
  Effect.gen(function* () {
    const isWanted = sql`run = ${run} AND ${inList(sql, "state", states)}`
    const [row] = yield* sql<Row>`
      SELECT ${now(sql)} AS at, MAX(failed_at) AS latest, COUNT(*) AS count FROM quartet_failures WHERE ${isWanted}`
    // What has failed by now may stand later, where the store's clock was set back.
    const at = Math.max(numberOf(row?.at), numberOf(row?.latest))
    const request = { states, readAgain, send, items: undefined, after: -1, at }
    if (items === undefined) return { request, count: numberOf(row?.count) }
    const numbers = new Set<number>()
    for (let start = 0; start < items.length; start += atOnce)
      for (const { item } of yield* sql<Row>`
        SELECT item FROM quartet_failures
        WHERE ${isWanted} AND ${sql.in("item", items.slice(start, start + atOnce))}`)
        numbers.add(numberOf(item))
    const named = [...numbers].sort((left, right) => left - right)
    return { request: { ...request, items: named }, count: named.length }
  })

/** Adds a request to those of a run. False where somebody works on the run, or has added one at the same time: then it is asked for again. */
export const add = (sql: SqlClient, run: string, request: Request): Effect.Effect<boolean, FleetError> =>
  Effect.gen(function* () {
    const [row] = yield* patient(sql<Row>`SELECT retry FROM quartet_runs WHERE id = ${run}`)
    const before = listOf(row?.retry)
    const known = textOf(before)
    const added = yield* patient(sql<Row>`
      UPDATE quartet_runs SET retry = ${textOf([...before, request])}
      WHERE id = ${run} AND state IN ('paused', 'done') AND ${known === null ? sql`retry IS NULL` : sql`retry = ${known}`}
        AND NOT EXISTS (SELECT 1 FROM quartet_pages WHERE run = ${run} AND state <> 'ended' AND lease_until > ${now(sql)})
      RETURNING id`)
    return added.length > 0
  })
