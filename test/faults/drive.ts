/** Drives many calls with a bounded number in flight, and watches that each of them ends. */
import { monitorEventLoopDelay } from "node:perf_hooks"
import type { Account, Outcome } from "./account.js"
import * as Clock from "./clock.js"

export interface Ready extends Omit<Account, "outcome" | "took"> {
  readonly run: () => Promise<Outcome>
}

/** Milliseconds after its deadline at which a call that has not ended counts as hung, on the clock of the harness. */
const patience = 10_000

/** Runs `count` calls, `inFlight` at a time. `deadline` is that of the calls, in milliseconds. */
export const drive = async (
  count: number,
  inFlight: number,
  deadline: number,
  make: (index: number) => Ready
) => {
  const accounts: Array<Account> = []
  const hung: Array<string> = []
  const running = new Map<Ready, { readonly since: number; readonly giveUp: () => void }>()
  const delays = monitorEventLoopDelay({ resolution: 10 })
  delays.enable()
  const began = performance.now()
  let next = 0

  const one = async (ready: Ready): Promise<void> => {
    const since = Clock.now()
    const left = new Promise<undefined>((resolve) => {
      running.set(ready, { since, giveUp: () => resolve(undefined) })
    })
    const outcome = await Promise.race([ready.run(), left])
    running.delete(ready)
    if (outcome === undefined) {
      hung.push(ready.call)
      return
    }
    const { run: _, ...call } = ready
    accounts.push({ ...call, outcome, took: Clock.now() - since })
  }
  const worker = async (): Promise<void> => {
    while (next < count) {
      next += 1
      await one(make(next - 1))
    }
  }

  const watch = setInterval(() => {
    const limit = Clock.now() - deadline - patience
    for (const { giveUp, since } of running.values()) if (since < limit) giveUp()
  }, 500)
  try {
    await Promise.all(Array.from({ length: Math.min(inFlight, count) }, worker))
  } finally {
    clearInterval(watch)
    delays.disable()
  }
  const seconds = (performance.now() - began) / 1000
  // `hung` had not ended long after their deadline; `longestPause` is the longest time that this event loop stood still.
  return { accounts, hung, longestPause: delays.max / 1e6, seconds }
}
