// The scenarios can fail: each is given a far end, or a server, that shows what must never be.

import { patient } from "@quartet/support/patience.js"
import { answer, serve } from "@quartet/support/raw-server.js"
import { isWhole } from "@quartet/support/scale.js"
import { canaries } from "@quartet/support/secrets/canaries.js"
import { sinks } from "@quartet/support/secrets/sinks.js"
import { afterEach, expect, test, vi } from "vitest"
import { type Far, near } from "./far/far.js"
import type { Scenario } from "./scenario.js"
import { calls } from "./scenarios/calls.js"
import { cancels } from "./scenarios/cancels.js"
import { chat } from "./scenarios/chat.js"
import { hostile } from "./scenarios/hostile.js"
import { refunds } from "./scenarios/refunds.js"
import { secrets } from "./scenarios/secrets.js"

// For one that hangs: no scenario is held to the speed of the machine.
vi.setConfig({ testTimeout: patient(400_000) })

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

type Answer<Name extends keyof Far> = Awaited<ReturnType<Far[Name]>>

/** A far end one of whose answers is changed. */
const changing =
  <Name extends keyof Far>(
    name: Name,
    change: (answer: Answer<Name>) => Answer<Name> | Promise<Answer<Name>>
  ) =>
  (honest: Far): Partial<Far> => {
    // The parameters stay what they are; TypeScript cannot tell that they are this function's.
    const ask = honest[name] as (...args: ReadonlyArray<unknown>) => Promise<Answer<Name>>
    return { [name]: async (...args: ReadonlyArray<unknown>) => change(await ask(...args)) }
  }

interface Lie {
  readonly of: Scenario
  readonly what: string
  readonly lie: (honest: Far) => Partial<Far>
  /** What the scenario says of it. */
  readonly says: ReadonlyArray<string | RegExp>
  readonly figures?: Readonly<Record<string, unknown>>
}

const more = (count: number): unknown => expect.toSatisfy((value: number) => value > count)

const lies: ReadonlyArray<Lie> = [
  {
    of: secrets,
    what: "sink by sink, a secret that the client could not know to mask",
    // The core of a key is no text that the client knows, so that nothing masks it in the answer.
    lie: changing("openSpiller", () =>
      saying("400 x", JSON.stringify({ message: `you sent ${canaries.privateKey.core}` }))
    ),
    // A clone of an error has no message, and a span no text of the server.
    says: Object.keys(sinks)
      .filter((name) => name !== "structuredClone" && name !== "spans")
      .map((name) => `: ${name} shows the privateKey`),
    figures: { leaks: more(Object.keys(sinks).length) }
  },
  {
    of: hostile,
    what: "an origin that was called and must not be",
    lie: changing("takeRecorded", (recorded) => ({ ...recorded, escapes: 1 })),
    says: ["1 origin escapes"],
    figures: { "origin escapes": 1, findings: 0 }
  },
  {
    of: hostile,
    what: "answers whose values are not what the server said",
    lie: changing("openRecorder", async (recorder) => ({
      ...recorder,
      hostileUrl: await saying("200 OK", '{"_id":"x","planted":1}')
    })),
    says: ["the answer.planted was not said"],
    figures: { "silent changes": more(20) }
  },
  {
    of: calls,
    what: "a call that was never seen",
    lie: changing("takeEntries", (entries) => entries.filter(({ call }) => call !== "qt-call-11")),
    says: ["✗ qt-call-11: "]
  },
  {
    of: calls,
    what: "every operation, client and transport of which fewer calls succeed than the schedule lets through",
    // The schedule that the scenario goes by stays as it is: what is dealt out are losses alone.
    lie: ({ setSchedule }) => ({
      setSchedule: (id, schedule) => setSchedule(id, { ...schedule, rate: 1, weights: { "reset-before": 1 } })
    }),
    says: ["boxes.get", "visitor with Promises", "end user", "undici", "fetch"].map(
      (part) => new RegExp(`✗ ${part}: \\d+ values, of at least \\d+`)
    )
  },
  {
    of: cancels,
    what: "a cancelled call whose connection stayed open",
    lie: changing("takeEntries", (entries) =>
      entries.map((entry) => (entry.call === "qt-cancel-3" ? { ...entry, abandoned: false } : entry))
    ),
    says: ["qt-cancel-3 was cancelled, and its connection stayed open"],
    figures: { findings: 1 }
  },
  {
    of: refunds,
    what: "a refund that was made twice",
    lie: changing("effects", (effects) =>
      effects.map(([call, times]) => [call, call === "qt-refund-7" ? times + 1 : times] as const)
    ),
    says: ["✗ qt-refund-7: took effect 2 times"],
    figures: { "duplicate effects": 1, unexplained: 1 }
  },
  {
    of: chat,
    what: "a message that is on the platform twice, and one that is not there",
    lie: changing("heard", (heard) =>
      heard.flatMap(([id, times]) =>
        id === "own-1" ? [] : [[id, id === "own-2" ? times + 1 : times] as const]
      )
    ),
    says: ["✗ own-1: ended as sent, and is there 0 times", "✗ own-2: ended as sent, and is there 2 times"],
    figures: { lost: 0, duplicated: 0, "out of order": 0 }
  }
]

/** The scenarios that take a second or two. */
const quick: ReadonlyArray<Scenario> = [cancels, chat]

for (const { figures = {}, lie, of, says, what } of lies.filter(
  (candidate) => isWhole || quick.includes(candidate.of)
))
  test(`${of.name} reports ${what}`, async () => {
    const far = near(lie)
    closers.push(far.end)
    const result = await of.run({ far, scale: "sample", seed: 7 })
    expect(result).toMatchObject({ holds: false, figures })
    const text = [result.got, ...result.details].join("\n")
    for (const said of says) expect(text).toMatch(said)
  })
