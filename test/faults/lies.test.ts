// The lines of the table can fail: each is given a far end, or a server, that shows what must never be.
import { afterEach, expect, test, vi } from "vitest"
import { answer, serve } from "../support/raw-server.js"
import { isWhole } from "../support/scale.js"
import { canaries } from "../support/secrets/canaries.js"
import { sinks } from "../support/secrets/sinks.js"
import { type Far, near } from "./far/far.js"
import type { Line } from "./line.js"
import { calls } from "./lines/calls.js"
import { cancels } from "./lines/cancels.js"
import { chat } from "./lines/chat.js"
import { hostile } from "./lines/hostile.js"
import { refunds } from "./lines/refunds.js"
import { secrets } from "./lines/secrets.js"

// For one that hangs: no line is held to the speed of the machine.
vi.setConfig({ testTimeout: 400_000 })

const closers: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** A server that answers every request with the same JSON. */
const saying = async (status: string, json: string): Promise<string> => {
  const body = json.replaceAll(/[^ -~]/g, escaped)
  const { close, url } = await serve(() => answer(status, ["content-type: application/json"], body))
  closers.push(close)
  return url
}

interface Lie {
  readonly line: Line
  readonly what: string
  readonly lie: (honest: Far) => Partial<Far>
  /** What the line says of it. */
  readonly says: ReadonlyArray<string | RegExp>
  readonly figures?: Readonly<Record<string, unknown>>
}

const more = (count: number): unknown => expect.toSatisfy((value: number) => value > count)

const lies: ReadonlyArray<Lie> = [
  {
    line: secrets,
    what: "sink by sink, a secret that the client could not know to mask",
    // The core of a key is no text that the client knows, so that nothing masks it in the answer.
    lie: () => ({
      openSpiller: () => saying("400 x", JSON.stringify({ message: `you sent ${canaries.privateKey.core}` }))
    }),
    says: Object.keys(sinks).flatMap((name) =>
      name === "structuredClone" ? [] : [`: ${name} shows the privateKey`]
    ),
    figures: { leaks: more(Object.keys(sinks).length) }
  },
  {
    line: hostile,
    what: "an origin that was called and must not be",
    lie: ({ takeRecorded }) => ({ takeRecorded: async () => ({ ...(await takeRecorded()), escapes: 1 }) }),
    says: ["1 origin escapes"],
    figures: { "origin escapes": 1, findings: 0 }
  },
  {
    line: hostile,
    what: "answers whose values are not what the server said",
    lie: ({ openRecorder }) => ({
      openRecorder: async (seed) => ({
        ...(await openRecorder(seed)),
        hostileUrl: await saying("200 OK", '{"_id":"x","planted":1}')
      })
    }),
    says: ["the answer.planted was not said"],
    figures: { "silent changes": more(20) }
  },
  {
    line: calls,
    what: "a call that was never seen",
    lie: ({ takeEntries }) => ({
      takeEntries: async (id) => (await takeEntries(id)).filter(({ call }) => call !== "qt-call-11")
    }),
    says: ["✗ qt-call-11: "]
  },
  {
    line: calls,
    what: "every operation, client and transport of which fewer calls succeed than the plan lets through",
    // The plan that the line goes by stays as it is: what is dealt out are losses alone.
    lie: ({ setPlan }) => ({
      setPlan: (id, plan) => setPlan(id, { ...plan, rate: 1, weights: { "reset-before": 1 } })
    }),
    says: ["boxes.get", "visitor with Promises", "end user", "undici", "fetch"].map(
      (part) => new RegExp(`✗ ${part}: \\d+ values, of at least \\d+`)
    )
  },
  {
    line: cancels,
    what: "a cancelled call whose connection stayed open",
    lie: ({ takeEntries }) => ({
      takeEntries: async (id) =>
        (await takeEntries(id)).map((entry) =>
          entry.call === "qt-cancel-3" ? { ...entry, abandoned: false } : entry
        )
    }),
    says: ["qt-cancel-3 was cancelled, and its connection stayed open"],
    figures: { findings: 1 }
  },
  {
    line: refunds,
    what: "a refund that was made twice",
    lie: ({ effects }) => ({
      effects: async (kind) =>
        (await effects(kind)).map(
          ([call, times]) => [call, call === "qt-refund-7" ? times + 1 : times] as const
        )
    }),
    says: ["✗ qt-refund-7: took effect 2 times"],
    figures: { "duplicate effects": 1, unexplained: 1 }
  },
  {
    line: chat,
    what: "a message that is on the platform twice, and one that is not there",
    lie: ({ heard }) => ({
      heard: async () =>
        (await heard()).flatMap(([id, times]) =>
          id === "own-1" ? [] : [[id, id === "own-2" ? times + 1 : times] as const]
        )
    }),
    says: ["✗ own-1: ended as sent, and is there 0 times", "✗ own-2: ended as sent, and is there 2 times"]
  }
]

/** The lines that take a second or two. */
const quick: ReadonlyArray<Line> = [cancels, chat]

for (const { figures = {}, lie, line, says, what } of isWhole
  ? lies
  : lies.filter(({ line }) => quick.includes(line)))
  test(`${line.name} reports ${what}`, async () => {
    const far = near(lie)
    closers.push(far.end)
    const result = await line.run({ far, scale: "sample", seed: 7 })
    expect(result).toMatchObject({ holds: false, figures })
    const text = [result.got, ...result.details].join("\n")
    for (const said of says) expect(text).toMatch(said)
  })
