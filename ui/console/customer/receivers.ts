/** Whom the form of a notice is for, while it is open over a list: customers by their ids. */
import { cell } from "../app/cells.js"

export const receivers = cell<ReadonlyArray<string> | undefined>(undefined)
