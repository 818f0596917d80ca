/**
 * The clock by which clients and scenarios reckon here. It runs as the system's does while this process and the far end get
 * on with their work, and stands still while the machine keeps either of them waiting: it goes on by one short step
 * once both event loops have turned and the platform has answered what it was asked before. So a deadline that passes says that an answer did not come, and never that the
 * machine was busy; no verdict depends on how fast it is.
 */

import { patient } from "@quartet/support/patience.js"
import { Clock, Context, DefaultServices, Duration, Effect } from "effect"

/** Most milliseconds by which the clock goes on at once. */
export const step = 20

/** Milliseconds from one turn to the next while nothing keeps the machine busy. */
const pulse = 4

/** Real milliseconds after which an end that does not answer is taken to be dead. */
const patience = patient(60_000)

/** Answers once the far end's event loop has turned, and its platform has answered. */
export type Beat = () => Promise<unknown>

let base = 0
let skipped = 0
let since = performance.now()
let beat: Beat | undefined
let isRunning = false
let speed = 1
const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>()

export const now = (): number => base + Math.min(step, (performance.now() - since) * speed)

export const sleeping = (): number => sleepers.size

const schedule = (milliseconds: number, wake: () => void): (() => void) => {
  const sleeper = { until: now() + milliseconds, wake }
  sleepers.add(sleeper)
  return () => {
    sleepers.delete(sleeper)
  }
}

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    schedule(milliseconds, resolve)
  })

/** Moves the clock on at once, past whatever is waited for. */
export const skip = (milliseconds: number): void => {
  base += milliseconds
  skipped += milliseconds
}

/** Milliseconds that the clock has run, without those that were skipped. */
export const worked = (): number => now() - skipped

const turned = (): void => {
  base = now()
  since = performance.now()
  for (const sleeper of sleepers) {
    if (sleeper.until > base) continue
    sleepers.delete(sleeper)
    sleeper.wake()
  }
}

const pause = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(() => setImmediate(resolve), pulse).unref()
  })

const run = async (): Promise<void> => {
  while (true) {
    const current = beat
    // An end that was closed meanwhile is not waited for.
    await current?.().catch(() => undefined)
    await pause()
    turned()
  }
}

/** Goes on without an end that does not answer at all: deadlines then pass, and scenarios come to their verdicts. */
const watched = (beatOf: Beat): Beat => {
  const watching: Beat = () =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        console.error(`torture: the far end has not answered for ${patience / 1000} s`)
        if (beat === watching) beat = undefined
        resolve(undefined)
      }, patience).unref()
      beatOf()
        .finally(() => clearTimeout(late))
        .then(resolve, reject)
    })
  return watching
}

/**
 * Puts this clock in the place of the system's for everything in this process that runs on Effect's default clock,
 * Promise clients included. Dates stay the system's. `far` is the end whose turns count besides this process's own, and
 * `faster` how many times as fast as the system's it may run while nothing keeps either waiting.
 */
export const use = (far: Beat, faster = 1): void => {
  beat = watched(far)
  speed = faster
  if (isRunning) return
  isRunning = true
  // Promise clients have no fiber, and so no clock of their own but this very object.
  const system = Context.get(DefaultServices.liveServices, Clock.Clock)
  const ours: Pick<Clock.Clock, "sleep" | "unsafeCurrentTimeNanos"> = {
    unsafeCurrentTimeNanos: () => BigInt(Math.round(now() * 1e6)),
    sleep: (duration) =>
      Effect.async<void>((resume) => {
        const wake = schedule(Duration.toMillis(duration), () => resume(Effect.void))
        return Effect.sync(wake)
      })
  }
  Object.assign(system, ours)
  run()
}
