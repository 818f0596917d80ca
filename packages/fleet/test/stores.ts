/** The databases over which a fleet's adapters are tested. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SqlClient } from "@effect/sql/SqlClient"
import * as Client from "@effect/sql/SqlClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { layer } from "../store/store.js"

/** A fresh database, by the URL that all its clients open. */
export type Store = Effect.Effect<string, never, Scope.Scope>

/** A file in a folder of its own. */
export const file: Store = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "quartet-fleet-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ),
  (folder) => `file:${join(folder, "fleet.db")}`
)

/** One more client of a database, as another runner has. */
export const client = (url: string): Effect.Effect<SqlClient, never, Scope.Scope> =>
  Effect.map(Effect.orDie(Layer.build(layer(url))), (context) => Context.get(context, Client.SqlClient))
