// A store that the first fleet has left in PostgreSQL.
import * as Postgres from "@quartet/support/postgres.js"
import { Effect } from "effect"
import { vi } from "vitest"
import { migrations } from "./migration.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

migrations(
  "PostgreSQL",
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => Postgres.open()),
      ({ stop }) => Effect.promise(stop)
    ),
    ({ url }) => url
  )
)
