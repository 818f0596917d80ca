// The soak in a process of its own, since it counts what a process holds on to. The far end is in it too, and keeps
// its logs: so memory is for the full run, and what is compared here are sockets, timers, fibers and listeners.
import { expect, test } from "vitest"
import { near } from "../far/far.js"
import { soak } from "./soak.js"

const told = /(\d+) (sockets|timers|fibers|listeners)/g

/** What a text says is held, by its name. */
const heldIn = (text: string): ReadonlyMap<string, number> =>
  new Map([...text.matchAll(told)].map(([, count, name = ""]) => [name, Number(count)]))

test(`after the ${soak.title("sample")}, no more is held than before`, async () => {
  const far = near()
  const { details, figures, got } = await soak.run({ far, scale: "sample", seed: 7 })
  await far.end()
  const [after = "", before = ""] = got.split("(before:")
  const baseline = heldIn(before)
  expect([...baseline.keys()]).toEqual(["sockets", "timers", "fibers", "listeners"])
  for (const [name, count] of heldIn(after))
    expect(count, [`${name}: ${got}`, ...details].join("\n")).toBeLessThanOrEqual(baseline.get(name) ?? -1)
  expect(figures.jobs).toBeGreaterThan(0)
}, 240_000)
