/** What a process holds on to: sockets, timers, fibers, listeners and memory, so that before and after can be compared. */
import { getEventListeners } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Effect, Fiber } from "effect"
import * as Clock from "../clock.js"

export interface Remains {
  readonly sockets: number
  readonly timers: number
  readonly fibers: number
  readonly listeners: number
  /** Whatever else keeps the process alive. */
  readonly others: number
}

const isSocket = (name: string): boolean => /TCP|TLS|Pipe|Connect/.test(name)
const isTimer = (name: string): boolean => /Timeout|Immediate/.test(name)

/** What is held now. `signal` is one that lives as long as the program, as an app's may. */
export const look = (signal: AbortSignal): Remains => {
  const names = process.getActiveResourcesInfo()
  const sockets = names.filter(isSocket).length
  const timers = names.filter(isTimer).length + Clock.sleeping()
  const ofProcess = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)
  return {
    sockets,
    timers,
    // The one that asks is among them.
    fibers: Effect.runSync(Fiber.roots).length - 1,
    listeners: ofProcess + getEventListeners(signal, "abort").length,
    others: names.length - sockets - timers
  }
}

/** Whether nothing is held that was not held before. */
export const isBack = (now: Remains, base: Remains): boolean =>
  now.sockets <= base.sockets &&
  now.timers <= base.timers &&
  now.fibers <= base.fibers &&
  now.listeners <= base.listeners

/** Waits until everything is back at the baseline, or the patience is at its end. Node's own fetch keeps sockets for a while. */
export const settle = async (base: Remains, signal: AbortSignal, patience: number): Promise<Remains> => {
  const began = performance.now()
  let now = look(signal)
  while (!isBack(now, base) && performance.now() - began < patience) {
    await sleep(100)
    now = look(signal)
  }
  return now
}

setFlagsFromString("--expose-gc")
const collect: unknown = runInNewContext("gc")

export const heap = (): number => {
  if (typeof collect === "function") {
    collect()
    collect()
  }
  return process.memoryUsage().heapUsed
}

const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** How far the heap grew from the second third of its samples to the last, in bytes; the first third warms up. */
export const growth = (samples: ReadonlyArray<number>): number => {
  const third = Math.floor(samples.length / 3)
  return median(samples.slice(-third)) - median(samples.slice(third, 2 * third))
}
