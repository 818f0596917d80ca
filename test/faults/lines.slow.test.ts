// Every line of the table, small and in this process: what `npm run torture` prints at full size holds here too.
import { afterEach, describe, expect, test } from "vitest"
import { near } from "./bare/far.js"
import type { Far } from "./far/far.js"
import type { Line } from "./line.js"
import { calls } from "./lines/calls.js"
import { cancels } from "./lines/cancels.js"
import { chat } from "./lines/chat.js"
import { hostile } from "./lines/hostile.js"
import { outage } from "./lines/outage.js"
import { refunds } from "./lines/refunds.js"
import { secrets } from "./lines/secrets.js"
import { signInStorm } from "./lines/sign-ins.js"

const lines: ReadonlyArray<Line> = [calls, cancels, refunds, outage, signInStorm, secrets, hostile, chat]
const seed = 7
/** For one that hangs: no line is held to the speed of the machine. */
const timeout = 400_000

let far: Far | undefined
afterEach(() => far?.end())

describe("the line holds:", () => {
  for (const line of lines)
    test(
      line.title("sample"),
      async () => {
        far = near()
        const { details, figures, got, holds, must } = await line.run({ far, scale: "sample", seed })
        expect(holds, [`must be ${must}`, `is ${got}`, ...details].join("\n")).toBe(true)
        expect(Object.values(figures).every(Number.isFinite)).toBe(true)
      },
      timeout
    )
})
