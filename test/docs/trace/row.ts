/** How one statement of the specification is led to its code and its proof. */
import type { Client } from "../../wire/rows.js"

/**
 * A place in the project: `core/kernel/session/token.ts#read` is an export, `test/core/auth/token.test.ts#a token > may …` a
 * test with the titles of its suites before its own.
 */
export type Place = `${string}#${string}`

/** A statement, word for word, and where it holds. */
export interface Row {
  readonly says: string
  readonly code: ReadonlyArray<Place>
  readonly tests: ReadonlyArray<Place>
  /** What a reader should know: how an open statement is read, or why it lives where it does. */
  readonly note?: string
}

/** A statement about calls of a client. Which ones, and where they are, is found by the platform's list of calls. */
export interface CallsRow {
  readonly says: string
  readonly client: Client
  /** What the calls do on a platform; that they are on the wire as stated is proved by the ledger. */
  readonly tests: ReadonlyArray<Place>
  readonly note?: string
}
