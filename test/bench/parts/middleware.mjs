// Middleware: what a small call costs with it, beside the same client without, and beside undici alone.

import { withMiddleware } from "../contenders.mjs"
import { callMany, collect, timed } from "../measure.mjs"
import { median, random, ratios, shuffled, spread } from "../statistics.mjs"

const calls = 400
const warmup = 3
const rounds = 11

/** The same client without middleware, and the bare rival. */
const without = "quartet-undici"
const rival = "undici"

/** Contenders of this part. */
export const contenders = [rival, without, ...withMiddleware.map(({ name }) => name)]

/** CPU of a call in microseconds, one at a time; the ratios are taken within each round. */
export const measure = async (ready, options, progress) => {
  const next = random(options.seed)
  const samples = Object.fromEntries(ready.map(({ name }) => [name, []]))
  for (let round = 0; round < warmup + rounds; round++) {
    progress("middleware", round, warmup + rounds)
    for (const { calls: own, name } of shuffled(ready, next)) {
      collect({ type: "minor" })
      await callMany(own, "small", 2, 1)
      const { cpu } = await timed(() => callMany(own, "small", calls, 1))
      if (round >= warmup) samples[name].push(cpu / calls)
    }
  }
  return Object.fromEntries(
    contenders.map((name) => [
      name,
      {
        cpu: median(samples[name]),
        overOwn: spread(ratios(samples[name], samples[without])),
        overRival: spread(ratios(samples[name], samples[rival]))
      }
    ])
  )
}

/** A list without middleware costs what none costs. */
export const judge = ({ "quartet-empty": empty }) => [
  { what: "a call with `middleware: []` / without", measured: empty.overOwn, atMost: 1.05 }
]
