// The lines of the table can fail: each is given a far end, or a server, that shows what must never be.
import { afterEach, describe, expect, test } from "vitest"
import { answer, serve } from "../support/raw-server.js"
import { canaries } from "../support/secrets/canaries.js"
import { sinks } from "../support/secrets/sinks.js"
import { near } from "./bare/far.js"
import type { EffectKind } from "./far/platform.js"
import { Side } from "./far/side.js"
import type { Line, Result } from "./line.js"
import { calls } from "./lines/calls.js"
import { cancels } from "./lines/cancels.js"
import { chat } from "./lines/chat.js"
import { hostile } from "./lines/hostile.js"
import { refunds } from "./lines/refunds.js"
import { secrets } from "./lines/secrets.js"
import type { Plan } from "./proxy/plan.js"
import type { Entry } from "./proxy/proxy.js"

/** For one that hangs: no line is held to the speed of the machine. */
const timeout = 400_000

const closers: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const run = (line: Line, side: Side): Promise<Result> => {
  const far = near(side)
  closers.push(far.end)
  return line.run({ far, scale: "sample", seed: 7 })
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** A server that answers every request with the same JSON. */
const saying = async (status: string, json: string): Promise<string> => {
  const body = json.replaceAll(/[^ -~]/g, escaped)
  const { close, url } = await serve(() => answer(status, ["content-type: application/json"], body))
  closers.push(close)
  return url
}

describe("secrets", () => {
  class Telling extends Side {
    override async openSpiller(): Promise<string> {
      // The core of a key is no text that the client knows, so that nothing masks it in the answer.
      return saying("400 x", JSON.stringify({ message: `you sent ${canaries.privateKey.core}` }))
    }
  }

  test(
    "reports, sink by sink, a secret that the client could not know to mask",
    async () => {
      const { details, figures, holds } = await run(secrets, new Telling())
      expect(holds).toBe(false)
      expect(figures.leaks).toBeGreaterThan(Object.keys(sinks).length)
      for (const sink of Object.keys(sinks).filter((name) => name !== "structuredClone"))
        expect(details.join("\n")).toContain(`: ${sink} shows the privateKey`)
    },
    timeout
  )
})

describe("hostile input", () => {
  class Escaping extends Side {
    override async takeRecorded() {
      return { ...(await super.takeRecorded()), escapes: 1 }
    }
  }
  class Altering extends Side {
    override async openRecorder(seed: number) {
      const hostileUrl = await saying("200 OK", '{"_id":"x","planted":1}')
      return { ...(await super.openRecorder(seed)), hostileUrl }
    }
  }

  test(
    "reports an origin that was called and must not be",
    async () => {
      const { figures, got, holds } = await run(hostile, new Escaping())
      expect({ holds, figures }).toMatchObject({ holds: false, figures: { escapes: 1, findings: 0 } })
      expect(got).toContain("1 origin escapes")
    },
    timeout
  )

  test(
    "reports answers whose values are not what the server said",
    async () => {
      const { details, figures, holds } = await run(hostile, new Altering())
      expect(holds).toBe(false)
      expect(figures.altered).toBeGreaterThan(20)
      expect(details.join("\n")).toContain("the answer.planted was not said")
    },
    timeout
  )
})

describe("calls", () => {
  class Unseeing extends Side {
    override async takeEntries(id: number): Promise<ReadonlyArray<Entry>> {
      const entries = await super.takeEntries(id)
      return entries.filter(({ call }) => call !== "qt-call-11")
    }
  }
  class Merciless extends Side {
    // The plan that the line goes by stays as it is: what is dealt out are losses alone.
    override async setPlan(id: number, plan: Plan): Promise<void> {
      await super.setPlan(id, { ...plan, rate: 1, weights: { "reset-before": 1 } })
    }
  }

  test(
    "reports a call that was never seen",
    async () => {
      const { details, holds } = await run(calls, new Unseeing())
      expect(holds).toBe(false)
      expect(details.join("\n")).toContain("✗ qt-call-11: ")
    },
    timeout
  )

  test(
    "reports every operation, client and transport of which fewer calls succeed than the plan lets through",
    async () => {
      const { details, holds } = await run(calls, new Merciless())
      expect(holds).toBe(false)
      for (const part of ["boxes.get", "visitor with Promises", "end user", "undici", "fetch"])
        expect(details.join("\n")).toMatch(new RegExp(`✗ ${part}: \\d+ values, of at least \\d+`))
    },
    timeout
  )
})

describe("cancels", () => {
  class Deaf extends Side {
    override async takeEntries(id: number): Promise<ReadonlyArray<Entry>> {
      const entries = await super.takeEntries(id)
      return entries.map((entry) => (entry.call === "qt-cancel-3" ? { ...entry, abandoned: false } : entry))
    }
  }

  test(
    "reports a cancelled call whose connection stayed open",
    async () => {
      const { details, figures, holds } = await run(cancels, new Deaf())
      expect({ holds, figures }).toMatchObject({ holds: false, figures: { findings: 1 } })
      expect(details.join("\n")).toContain("qt-cancel-3 was cancelled, and its connection stayed open")
    },
    timeout
  )
})

describe("refunds", () => {
  class Doubling extends Side {
    override async effects(kind: EffectKind): Promise<ReadonlyArray<readonly [string, number]>> {
      const effects = await super.effects(kind)
      return effects.map(([call, times]) => [call, call === "qt-refund-7" ? times + 1 : times])
    }
  }

  test(
    "reports a refund that was made twice",
    async () => {
      const { details, figures, holds } = await run(refunds, new Doubling())
      expect({ holds, figures }).toMatchObject({ holds: false, figures: { duplicates: 1, unexplained: 1 } })
      expect(details.join("\n")).toContain("✗ qt-refund-7: took effect 2 times")
    },
    timeout
  )
})

describe("chat", () => {
  class Misremembering extends Side {
    override async heard(): Promise<ReadonlyArray<readonly [string, number]>> {
      const heard = await super.heard()
      return heard.flatMap(([id, times]): typeof heard =>
        id === "own-1" ? [] : [[id, id === "own-2" ? times + 1 : times]]
      )
    }
  }

  test(
    "reports a message that is on the platform twice, and one that is not there",
    async () => {
      const { details, holds } = await run(chat, new Misremembering())
      expect(holds).toBe(false)
      expect(details.join("\n")).toContain("✗ own-1: ended as sent, and is there 0 times")
      expect(details.join("\n")).toContain("✗ own-2: ended as sent, and is there 2 times")
    },
    timeout
  )
})
