/** Runs scenarios one after the other: each comes to a verdict, one that hangs or breaks too. */
import * as Clock from "./clock.js"
import type { Far } from "./far/far.js"
import type { Options } from "./options.js"
import { type Done, printDone } from "./report.js"
import type { Result, Scenario } from "./scenario.js"

const failed = (must: string, got: string): Result => ({ must, got, holds: false, details: [], figures: {} })

const broken = (error: unknown): Result =>
  failed("run to its end", error instanceof Error ? (error.stack ?? error.message) : String(error))

/** The verdict of a scenario that has not ended after so many seconds on the clock of the harness; what it left goes on. */
const pastSeconds = (seconds: number) => {
  const until = Clock.worked() + seconds * 1_000
  const late = failed("come to its end", `hangs: it has not ended after ${seconds} s (see --timeout)`)
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<Result>((resolve) => {
    timer = setInterval(() => void (Clock.worked() >= until && resolve(late)), 500)
  })
  return { over, stop: () => clearInterval(timer) }
}

/** Runs the scenarios, and prints each as soon as it has run. */
export const suffer = async (
  scenarios: ReadonlyArray<Scenario>,
  { quick, seed, timeout }: Pick<Options, "quick" | "seed" | "timeout">,
  open: () => Far
): Promise<ReadonlyArray<Done>> => {
  const scale = quick ? "quick" : "full"
  const done: Array<Done> = []
  let far: Far | undefined
  const endFar = (): void => void far?.end()
  process.once("exit", endFar)
  for (const { limit: longest, name, run, title } of scenarios) {
    if (far === undefined) {
      far = open()
      Clock.use(far.beat)
    }
    const since = performance.now()
    if (process.stderr.isTTY) process.stderr.write(`${title(scale)} …\r`)
    const limit = pastSeconds(Math.max(timeout, longest?.(scale) ?? 0))
    let isOver = false
    const ended = run({ far, scale, seed })
      .catch(broken)
      .finally(() => {
        isOver = true
      })
    const result = await Promise.race([ended, limit.over])
    limit.stop()
    const one: Done = { name, title: title(scale), seconds: (performance.now() - since) / 1000, result }
    done.push(one)
    printDone(one)
    if (isOver) continue
    // What hangs may still use its far end: the next one gets one of its own.
    await far.end()
    far = undefined
  }
  await far?.end()
  process.off("exit", endFar)
  return done
}
