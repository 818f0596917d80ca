/**
 * Limits of time that fit the machine. Each is written for a machine of two idle cores, and is multiplied by how much slower
 * this one is: as `PATIENCE` says, or as a piece of work and the load show at the start. All processes of a run share it.
 */
import { availableParallelism, loadavg } from "node:os"

/** Milliseconds that the piece of work takes on the machine that the limits are written for. */
const expected = 100

/** Milliseconds of a piece of work that neither waits for anything nor needs memory. */
const work = (): number => {
  const begun = performance.now()
  let state = 1
  for (let turn = 0; turn < 50_000_000; turn++) state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
  // What is used is not left out by the compiler.
  return state === 0 ? expected : performance.now() - begun
}

/** The work tells how it is now; the load, how many wanted each core in the last minute. */
const measured = (): number => {
  const [lastMinute = 0] = loadavg()
  return Math.max(1, work() / expected, lastMinute / availableParallelism())
}

/** Reads `PATIENCE`: a factor from 1. */
const factorIn = (text: string): number => {
  const factor = Number(text)
  if (text.trim() !== "" && factor >= 1 && Number.isFinite(factor)) return factor
  throw new Error(
    `PATIENCE must be a number from 1, by which all limits of time are multiplied, not "${text}"`
  )
}

/** How many times longer than on an idle machine everything may take. */
export const factor = (): number => {
  process.env.PATIENCE ??= measured().toFixed(1)
  return factorIn(process.env.PATIENCE)
}

/** A limit of so many milliseconds, as long as this machine needs it. */
export const patient = (milliseconds: number): number => Math.ceil(milliseconds * factor())

/** Something did not happen within its limit, which is no wrong answer. */
export class TimedOut extends Error {
  override readonly name = "TimedOut"

  constructor(what: string, milliseconds: number, cause?: unknown) {
    super(`timed out after ${milliseconds} ms: ${what}`, { cause })
  }
}
