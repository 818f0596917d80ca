/** What all lanes of a runner share. */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { Limiter } from "../store/limits.js"
import type { Fences } from "./fence.js"
import type { Stop } from "./stop.js"
import type { Wakes } from "./wakes.js"

export interface Crew {
  readonly sql: SqlClient
  /** This runner's name: no other has it. */
  readonly runner: string
  readonly wakes: Wakes
  /** The signs of all lanes that this process works on, with their runs' ids. */
  readonly stops: Map<Stop, string>
  /** Takes a place for each item's work, where the clients are not the fleet's own: theirs takes one for each request. */
  readonly limited: Limiter["run"]
  readonly fences: Fences
}
