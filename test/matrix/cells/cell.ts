/** A cell of the matrix: one environment in one version. */
import type { Outcome } from "../consumer/platform.js"
import type { Workshop } from "../workshop.js"

export interface Cell {
  /** The table that it stands in. */
  readonly table: string
  /** Where it runs: cells of one table with the same name and outcome share a line. */
  readonly name: string
  readonly version: string
  /** What should come of each part, in the order of the table's columns. */
  readonly expected: Outcome
  readonly run: (workshop: Workshop) => Promise<Outcome>
}

/** What `adapters/undici` answers where undici cannot send. */
export const refused =
  'refuses: UndiciTransport.make: the field "transport" must be another one in this runtime, where undici cannot send: that of @quartet/sdk/transport, or of @quartet/sdk/adapters/fetch. Nothing was sent.'

/** All parts of the program. */
export const all: Outcome = { calls: "works", files: "works", chat: "works", effects: "works" }
