/**
 * The place of each call of the platform's list: the operation that declares it, and the file in which its client binds
 * it.
 */

import { type Client, partsOf, type Row, rows } from "@quartet/support/wire-rows.js"
import { boundIn } from "../generate/clients.js"
import { type Found, operations } from "../generate/operations.js"

/** A call of one client. */
export interface Call {
  /** `<client>.<slice>.<call>` */
  readonly id: string
  readonly client: Client
  readonly row: Row
  readonly operation: Found
  /** The file in which the client binds it. */
  readonly bound: string
}

/** The call of a row of the platform's list. */
const callOf = (row: Row): Call => {
  const { call, client, slice } = partsOf(row.id)
  const operation = operations.find(
    ({ declared, name }) => name === `${slice}.${call}` && declared.audiences.includes(client)
  )
  if (operation === undefined) throw new Error(`${row.id} is not declared`)
  return { id: row.id, client, row, operation, bound: boundIn(client, operation.name) }
}

/** All calls, in the order of the platform's list. */
export const calls: ReadonlyArray<Call> = rows.map(callOf)
