// What is kept in PostgreSQL: read from all rows of all tables.
import { Effect } from "effect"
import { vi } from "vitest"
import { kept } from "./kept.js"
import { database } from "./own-database.js"
import { client } from "./stores.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

kept("PostgreSQL", database, (url) =>
  Effect.gen(function* () {
    const sql = yield* client(url)
    const rows = yield* Effect.orDie(sql`SELECT database_to_xml(true, false, '')::text AS text`)
    return JSON.stringify(rows)
  }).pipe(Effect.scoped)
)
