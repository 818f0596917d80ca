/** The fleet: what starts and finds runs. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { FleetError } from "../fleet-error.js"
import type { Definition } from "./definition.js"
import type { Run } from "./run.js"

/** What a fleet does. @category models */
export interface Service {
  /** Starts a run of a job, or finds the one with this key. `input` is encoded. */
  readonly start: (job: Definition<unknown>, key: string, input: unknown) => Effect.Effect<Run, FleetError>
  /** All runs, or those of a job by its name, the newest first. */
  readonly runs: (job?: string) => Effect.Effect<ReadonlyArray<Run>, FleetError>
  /** A run by its id, or by an unmistakable beginning of it. */
  readonly run: (id: string) => Effect.Effect<Run, FleetError>
}

/** The fleet's tag. @category services */
export class Fleet extends Context.Tag("@quartet/sdk/Fleet")<Fleet, Service>() {}
