// More calls in flight: what one costs among 1, 10, 100 and 1,000 of them, and the heap that a waiting one holds.

import { setImmediate as turn } from "node:timers/promises"
import { callMany, collect, timed } from "../measure.mjs"
import { median, random, shuffled } from "../statistics.mjs"

export const levels = [1, 10, 100, 1000]
const calls = 1000
const warmup = 2
const rounds = 5

/** Contenders of this part. */
export const contenders = ["fetch", "undici", "quartet-fetch", "quartet-undici"]

/** Bytes of live heap for each of 1,000 calls that have no answer yet. */
const heapOfCall = async (contender) => {
  collect()
  const before = process.memoryUsage().heapUsed
  let waiting = calls
  const all = Array.from({ length: calls }, () =>
    contender.calls.small().then(() => {
      waiting -= 1
    })
  )
  await turn()
  collect()
  const bytes = (process.memoryUsage().heapUsed - before) / Math.max(1, waiting)
  await Promise.all(all)
  return bytes
}

/** CPU of a call in microseconds by contender and level, median over the rounds; and the heap of one in bytes. */
export const measure = async (ready, options, progress) => {
  const next = random(options.seed)
  const samples = Object.fromEntries(ready.map(({ name }) => [name, levels.map(() => [])]))
  const heap = Object.fromEntries(ready.map(({ name }) => [name, []]))
  for (let round = 0; round < warmup + rounds; round++) {
    progress("in flight", round, warmup + rounds)
    for (const contender of shuffled(ready, next)) {
      for (const [at, level] of levels.entries()) {
        collect({ type: "minor" })
        await callMany(contender.calls, "small", level, level)
        const { cpu } = await timed(() => callMany(contender.calls, "small", calls, level))
        if (round >= warmup) samples[contender.name][at].push(cpu / calls)
      }
      heap[contender.name].push(await heapOfCall(contender))
    }
  }
  return Object.fromEntries(
    ready.map(({ name }) => [
      name,
      { cpu: samples[name].map(median), heap: median(heap[name].slice(warmup)) }
    ])
  )
}

/** How many times its cheapest call costs the dearest one of a contender. */
export const spreadOf = ({ cpu }) => Math.max(...cpu) / Math.min(...cpu)

/**
 * No level may cost more than 1.3 times another; and more calls in flight may not cost more than fewer. A call alone pays
 * for its turns of the event loop whoever makes it: so none may cost more than 1.3 times undici's beside as many, either.
 */
export const judge = ({ "quartet-undici": own, undici }) => [
  {
    what: `dearest / cheapest call of ${levels.join(", ")} in flight, over undici`,
    measured: spreadOf(own),
    atMost: 1.3
  },
  {
    what: "a call among more in flight / among fewer, over undici",
    measured: Math.max(
      ...own.cpu.slice(1).map((dearer, at) => dearer / Math.min(...own.cpu.slice(0, at + 1)))
    ),
    atMost: 1.3
  },
  {
    what: `a call / undici's own, the dearest of ${levels.join(", ")} in flight`,
    measured: Math.max(...own.cpu.map((micros, at) => micros / undici.cpu[at])),
    atMost: 1.3
  }
]
