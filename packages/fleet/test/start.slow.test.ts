// Runners that start on a store while another one makes its tables.
import * as Net from "node:net"
import { SqlClient } from "@effect/sql/SqlClient"
import { live } from "@quartet/support/effect.js"
import * as Postgres from "@quartet/support/postgres.js"
import { Context, Effect, Fiber, Layer, Schema, Stream } from "effect"
import { expect } from "vitest"
import * as Fleet from "../jobs/index.js"
import * as Store from "../store/store.js"

const job = Fleet.job("rows", {
  input: Schema.Number,
  key: String,
  source: () => Stream.make(1),
  each: () => Effect.void,
  onUnknown: () => Effect.succeedNone
})

const postgres = Effect.acquireRelease(
  Effect.promise(() => Postgres.open()),
  ({ stop }) => Effect.promise(stop)
)

live("a runner starts on PostgreSQL whichever of the tables another one is making", function* () {
  const { url } = yield* postgres
  const runner = Effect.scoped(Layer.build(Fleet.layer({ jobs: [job], store: url })))
  const sql = Context.get(yield* Layer.build(Store.layer(url)), SqlClient)
  yield* runner
  const tables = yield* sql<{ readonly name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE tablename LIKE 'quartet_%' ORDER BY 1`
  expect(tables.length).toBeGreaterThan(7)
  const kept: Array<string> = []
  for (const { name } of tables) {
    // The version is noted once all tables are there.
    yield* sql`DELETE FROM quartet_store`
    yield* sql`ALTER TABLE ${sql(name)} RENAME TO aside`
    const { fiber, isKept } = yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`ALTER TABLE aside RENAME TO ${sql(name)}`
        // Apart from this transaction.
        const fiber = Effect.runFork(Effect.either(runner))
        const waits = Effect.repeat(sql`SELECT 1 FROM pg_locks WHERE NOT granted`, {
          until: (rows) => rows.length > 0
        })
        // It waits for whoever makes the table, which is then there all at once; or it makes none where the store says that there is one.
        const isKept = yield* Effect.race(Effect.as(waits, true), Effect.as(Fiber.await(fiber), false))
        return { fiber, isKept }
      })
    )
    if (isKept) kept.push(name)
    expect(yield* Fiber.join(fiber), name).toMatchObject({ _tag: "Right" })
  }
  expect(kept.length).toBeGreaterThan(5)
})

/** What PostgreSQL says while it starts. */
const starting = (() => {
  const fields = Buffer.from("SFATAL\0C57P03\0Mthe database system is starting up\0\0")
  const head = Buffer.from("E\0\0\0\0")
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
})()

live("a runner that starts while PostgreSQL does waits for it, and for nothing else", function* () {
  const { url } = yield* postgres
  const { port } = new URL(url)
  let refusals = 3
  const before = Net.createServer((socket) => {
    socket.on("error", () => undefined)
    if (refusals > 0) {
      refusals -= 1
      socket.once("data", () => socket.end(starting))
      return
    }
    const server = Net.connect(Number(port), "127.0.0.1")
    server.on("error", () => socket.destroy())
    socket.pipe(server).pipe(socket)
  })
  yield* Effect.acquireRelease(
    Effect.async<void>((resume) => void before.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () => Effect.sync(() => before.close())
  )
  const store = new URL(url)
  store.port = String((before.address() as Net.AddressInfo).port)
  const build = (at: URL) => Effect.scoped(Layer.build(Fleet.layer({ jobs: [job], store: at.href })))
  yield* build(store)
  expect(refusals).toBe(0)
  store.password = "another"
  expect(yield* Effect.flip(build(store))).toMatchObject({ advice: expect.stringContaining("28P01") })
})
