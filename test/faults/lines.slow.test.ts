// Every line of the table, small and in this process: what `npm run torture` prints at full size holds here too.
import { afterEach, expect, test, vi } from "vitest"
import type { Far } from "./far/far.js"
import { near } from "./far/far.js"
import { lines } from "./lines.js"

const seed = 7
// For one that hangs: no line is held to the speed of the machine.
vi.setConfig({ testTimeout: 400_000 })

let far: Far | undefined
afterEach(() => far?.end())

// The soak counts what a process holds on to, and has one of its own.
for (const { run, title } of lines.filter(({ name }) => name !== "soak"))
  test(`the line holds: ${title("sample")}`, async () => {
    far = near()
    const { details, figures, got, holds, must } = await run({ far, scale: "sample", seed })
    expect(holds, [`must be ${must}`, `is ${got}`, ...details].join("\n")).toBe(true)
    expect(Object.values(figures).every(Number.isFinite)).toBe(true)
  })
