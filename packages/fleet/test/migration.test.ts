// A store that the first fleet has left in a file.
import { live } from "@quartet/support/effect.js"
import { Effect } from "effect"
import { expect, vi } from "vitest"
import { migrate } from "../jobs/version.js"
import { Life } from "./crew.js"
import { writeFirstStore } from "./first-store.js"
import { migrations } from "./migration.js"
import { client, file } from "./stores.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

migrations("a file", file)

/** All that is in a database. */
const contents = (sql: Effect.Effect.Success<ReturnType<typeof client>>) =>
  Effect.gen(function* () {
    const tables = yield* sql`SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name`
    const rows = yield* Effect.forEach(tables, ({ name }) => sql`SELECT * FROM ${sql(String(name))}`)
    return tables.map((table, index) => ({ table, rows: rows[index] }))
  })

live("a migration may die at any of its statements: all of it is done, or nothing", function* () {
  const began = yield* client("file::memory:")
  yield* writeFirstStore(began)
  const before = yield* contents(began)
  yield* migrate(began)
  const after = yield* contents(began)
  let deaths = 0
  for (let hasDied = true; hasDied; ) {
    const sql = yield* client("file::memory:")
    yield* writeFirstStore(sql)
    const life = new Life({ at: deaths + 1, when: "after" })
    yield* Effect.exit(life.through(migrate(sql)))
    hasDied = life.isOver
    if (!hasDied) break
    deaths += 1
    expect([before, after]).toContainEqual(yield* contents(sql))
    yield* migrate(sql)
    expect({ deaths, kept: yield* contents(sql) }).toEqual({ deaths, kept: after })
  }
  expect(deaths).toBeGreaterThan(20)
})
