/** What the commands on jobs are given. */
import type * as Option from "effect/Option"
import type { ClientName } from "../clients.js"
import type { Connection } from "../connection.js"

/** Where the runs are kept. */
export interface StoreGiven {
  readonly store: Option.Option<string>
  readonly dotenv: Option.Option<string>
}

/** How a runner takes part. */
export interface RunnerGiven extends StoreGiven, Connection {
  readonly module: Option.Option<string>
  readonly perSecond: Option.Option<number>
  readonly inFlight: number
  readonly isJson: boolean
}

/** What `quartet job run` is given. */
export interface RunGiven extends RunnerGiven {
  readonly job: string
  readonly file: Option.Option<string>
  readonly to: Option.Option<string>
  readonly call: Option.Option<string>
  readonly input: Option.Option<string>
  readonly as: Option.Option<ClientName>
  readonly delimiter: Option.Option<string>
  readonly identify: Option.Option<string>
  readonly numbers: ReadonlyArray<string>
  readonly booleans: ReadonlyArray<string>
  readonly columns: ReadonlyArray<string>
  readonly keepsFormulas: boolean
  readonly payload: Option.Option<string>
  readonly receiver: Option.Option<string>
  readonly honoursKeys: boolean
  readonly key: Option.Option<string>
  readonly isDry: boolean
  readonly isAgreed: boolean
}
