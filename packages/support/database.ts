/** Databases that a test has to itself. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

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
