/** The options that a sandbox is started with. */
import { wholeNumber } from "../options.js"

/** The greatest port. */
export const mostPort = 65_535

/** What decides a sandbox. */
export const platform = {
  seed: wholeNumber("seed", "Decides the seeded data: the same number makes the same data", 1, 4_294_967_295),
  latency: wholeNumber(
    "latency",
    "Milliseconds that every request waits",
    0,
    60_000,
    "must be a whole number of milliseconds, at most 60000"
  )
}
