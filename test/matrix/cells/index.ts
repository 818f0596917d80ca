/** All cells, in the order of the tables. */
import { bundlers } from "./bundlers.js"
import type { Cell } from "./cell.js"
import { next } from "./next.js"
import { peers } from "./peers.js"
import { runtimes } from "./runtimes.js"
import { types } from "./types.js"

export const cells: ReadonlyArray<Cell> = [...runtimes, ...bundlers, ...next, ...types, ...peers]
