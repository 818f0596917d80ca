// PostgreSQL for tests: it keeps what it was told over its restarts, cuts connections, and leaves nothing behind.
import { createConnection } from "node:net"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Redacted } from "effect"
import { afterEach, expect, test } from "vitest"
import * as Postgres from "./postgres.js"

const closers: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const open = async () => {
  const postgres = await Postgres.open()
  closers.push(postgres.stop)
  return postgres
}

/** Whether somebody listens at the address of a URL. */
const listens = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(Number(new URL(url).port), "127.0.0.1")
    const settle = (isThere: boolean) => () => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once("connect", settle(true)).once("error", settle(false))
  })

test.each(["fast", "crash"] as const)("what is committed outlives a restart: %s", async (how) => {
  const { query, restart } = await open()
  await query("CREATE TABLE kept (a INTEGER); INSERT INTO kept VALUES (7)")
  await restart(how)
  expect(await query("SELECT a FROM kept")).toBe("7")
})

test("the driver of the store reaches it, and its connections can be cut", async () => {
  const { cut, query, url } = await open()
  const pid = Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const first = yield* sql`SELECT pg_backend_pid() AS pid`
    expect(yield* Effect.promise(cut)).toBeGreaterThan(0)
    const again = yield* Effect.retry(sql`SELECT pg_backend_pid() AS pid`, { times: 3 })
    return [first[0]?.pid, again[0]?.pid]
  })
  const client = PgClient.layer({ url: Redacted.make(url), maxConnections: 1 })
  const [before, after] = await Effect.runPromise(Effect.provide(pid, client))
  expect(before).not.toBe(after)
  expect(await query(`SELECT count(*) FROM pg_stat_activity WHERE pid = ${Number(before)}`)).toBe("0")
})

test("nobody listens any more once it is stopped", async () => {
  const { stop, url } = await Postgres.open()
  expect(await listens(url)).toBe(true)
  await stop()
  expect(await listens(url)).toBe(false)
})
