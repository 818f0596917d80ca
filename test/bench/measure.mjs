// The measuring: one batch, and the rounds in which all contenders take turns so that noise hits all alike.

import { setTimeout as delay } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { callsOf } from "./scenarios.mjs"
import { random, shuffled } from "./statistics.mjs"

setFlagsFromString("--expose-gc")

/** A collection of garbage, full by default. */
export const collect = runInNewContext("gc")

/** A batch takes well under a second; one that takes this long is stuck. */
const batchMillis = 60_000

/** Runs `work`, and fails with what was being done where it takes longer than `millis`. */
export const within = async (what, millis, work) => {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${millis} ms`)), millis)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** CPU (user and system time of this process) and wall time of some work, in microseconds. */
export const timed = async (work) => {
  const cpuBefore = process.cpuUsage()
  const wallBefore = process.hrtime.bigint()
  await work()
  const wall = Number(process.hrtime.bigint() - wallBefore) / 1000
  const cpu = process.cpuUsage(cpuBefore)
  return { cpu: cpu.user + cpu.system, wall }
}

/** Makes `count` calls, `concurrency` of them in flight. */
export const callMany = async (calls, body, count, concurrency) => {
  if (calls.many !== undefined) return calls.many(body, count, concurrency)
  const call = calls[body]
  let left = count
  const worker = async () => {
    while (left-- > 0) await call()
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}

/**
 * Measures one batch: its CPU and wall time, in microseconds per call.
 *
 * The young garbage of the batch before is collected first. Not the old: a forced full collection makes the
 * engine throw away compiled code, and the batch would measure how it is compiled again (2 to 3 times the CPU
 * of a settled process). What the engine collects by itself during the batch counts.
 */
export const measure = async (contender, scenario, calls) => {
  const make = (many) => callMany(contender.calls, scenario.body, many, scenario.concurrency)
  const count = callsOf(scenario, calls)
  const what = `${contender.name}, ${scenario.name}`
  collect({ type: "minor" })
  await delay(2)
  // Opens the sockets that are missing, and brings code and data back into the caches after the others'
  // turns.
  const ahead = scenario.body === "large" ? scenario.concurrency : 2 * scenario.concurrency
  await within(what, batchMillis, make(ahead))
  const { cpu, wall } = await within(
    what,
    batchMillis,
    timed(() => make(count))
  )
  return { cpu: cpu / count, wall: wall / count }
}

/**
 * Runs one scenario after the other, each with a warm-up and the rounds that count. So the code is settled on
 * that scenario, and the garbage of the large answers does not fall to the small ones. Answers the samples by scenario,
 * contender and round.
 */
export const measureRounds = async (contenders, options, progress) => {
  const next = random(options.seed)
  const total = options.warmup + options.rounds
  const samples = {}
  for (const scenario of options.scenarios) {
    const byContender = Object.fromEntries(contenders.map(({ name }) => [name, []]))
    samples[scenario.name] = byContender
    collect()
    for (let round = 0; round < total; round++) {
      progress(scenario.name, round, total)
      for (const contender of shuffled(contenders, next)) {
        const sample = await measure(contender, scenario, options.calls)
        if (round >= options.warmup) byContender[contender.name].push(sample)
      }
    }
  }
  return samples
}
