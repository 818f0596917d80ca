// One contender in one scenario in a loop, for a profiler.

import { measure } from "./measure.mjs"

export const profile = async (contender, options) => {
  const [scenario] = options.scenarios
  const end = performance.now() + options.seconds * 1000
  console.log(`${contender.name}, ${scenario.name}, for ${options.seconds} s`)
  while (performance.now() < end) {
    const { cpu, wall } = await measure(contender, scenario, options.calls)
    console.log(`  CPU ${cpu.toFixed(0)} µs, wall ${wall.toFixed(0)} µs per call`)
  }
}
