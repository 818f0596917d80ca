import { patient, TimedOut } from "./patience.js"

/**
 * Waits for what a real socket brings about: looks every few milliseconds. Where it has not come about after 5 s of an idle
 * machine, the last reason why not is the cause.
 */
export const eventually = async <A>(look: () => A | Promise<A>, within = 5_000): Promise<A> => {
  const limit = patient(within)
  const end = performance.now() + limit
  for (;;) {
    try {
      return await look()
    } catch (reason) {
      if (performance.now() > end)
        throw new TimedOut(reason instanceof Error ? reason.message : String(reason), limit, reason)
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Lets a little time pass in which something must not happen. */
export const aWhile = (milliseconds = 100): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))
