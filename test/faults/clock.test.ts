// The harness's clock goes on with the work that is done, and with nothing else: deadlines are not the machine's to miss.
import * as Effect from "effect/Effect"
import { beforeEach, expect, test } from "vitest"
import * as Clock from "./clock.js"

beforeEach(() => Clock.use(() => Promise.resolve()))

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setTimeout(resolve, 1))
}

test("stands still while the far end does not get on, and goes on with it", async () => {
  let goOn: () => void = () => undefined
  const far = new Promise<void>((resolve) => {
    goOn = resolve
  })
  Clock.use(() => far)
  // The turn that was under way still ends.
  await turns(20)
  let isAwake = false
  const slept = Clock.sleep(10 * Clock.step).then(() => {
    isAwake = true
  })
  const before = Clock.now()
  await turns(300)
  expect(isAwake).toBe(false)
  expect(Clock.now() - before).toBeLessThanOrEqual(Clock.step)
  goOn()
  await slept
  expect(Clock.now() - before).toBeGreaterThanOrEqual(9 * Clock.step)
})

test("takes a moment in which this process stood still for one step", () => {
  const before = Clock.now()
  const until = performance.now() + 20 * Clock.step
  while (performance.now() < until);
  expect(Clock.now() - before).toBeLessThanOrEqual(Clock.step)
})

test("is the clock of whatever runs on Effect's own, fibers or not", async () => {
  const slept = Effect.runPromise(Effect.as(Effect.sleep("1 hour"), "awake"))
  expect(Clock.sleeping()).toBeGreaterThan(0)
  Clock.skip(3_600_000)
  expect(await slept).toBe("awake")
})

test("does not count what was skipped as time that it ran", () => {
  const [now, worked] = [Clock.now(), Clock.worked()]
  Clock.skip(1_000_000)
  expect(Math.round(Clock.now() - now)).toBeGreaterThanOrEqual(1_000_000)
  expect(Clock.worked() - worked).toBeLessThanOrEqual(2 * Clock.step)
})
