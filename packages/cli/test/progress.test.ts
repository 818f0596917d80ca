/** What is said of a run while it goes on. */

import type { Progress } from "@quartet/fleet/extend"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { describe, expect, it } from "vitest"
import { bar, end, follow, Pace, remedies, span, standing } from "../job/progress.js"

const at = (changes: Partial<Progress> = {}): Progress => ({
  run: "3f2a",
  job: "import",
  key: "items.csv",
  state: "running",
  read: 1000,
  total: 1000,
  done: 0,
  failed: 0,
  unknown: 0,
  error: undefined,
  pages: [],
  startedAt: new Date(0),
  endedAt: undefined,
  ...changes
})

describe("a run in words", () => {
  it.each([
    [at({ read: 0, total: undefined }), undefined, "nothing read yet"],
    [at({ done: 1200, read: 2000, total: undefined }), 40, "1,200 of at least 2,000 done, 40/s"],
    [at({ done: 400 }), 10, "400 of 1,000 done, 10/s, 1m 00s left"],
    [
      at({ done: 390, failed: 7, unknown: 3 }),
      10,
      "390 of 1,000 done, 7 failed, 3 unknown, 10/s, 1m 00s left"
    ],
    [at({ done: 1000, state: "done" }), 10, "done: 1,000 of 1,000 done"],
    [at({ done: 999, unknown: 1, state: "done" }), 10, "done: 999 of 1,000 done, 1 unknown"],
    [
      at({ state: "paused", error: "FleetError: no file" }),
      undefined,
      "paused: 0 of 1,000 done, FleetError: no file"
    ],
    [
      at({ pages: [{ page: 0, state: "waiting", runner: "a", error: "NetworkError: refused" }] }),
      undefined,
      "0 of 1,000 done, NetworkError: refused"
    ],
    [
      at({
        unknown: 27,
        pages: [
          { page: 0, state: "working", runner: "a", error: undefined },
          { page: 1, state: "waiting", runner: "a", error: "503 since 12:04 UTC, next try in 8 s" }
        ]
      }),
      2,
      "0 of 1,000 done, 27 unknown, 503 since 12:04 UTC, next try in 8 s"
    ]
  ])("of %j", (progress, pace, text) => expect(standing(progress, pace)).toBe(text))

  it("has a bar, which is empty as long as nobody knows how much there is", () => {
    expect(bar(at({ done: 250, failed: 250 }))).toEqual(["█".repeat(12) + "░".repeat(12), " 50%"])
    expect(bar(at({ total: undefined }))).toEqual(["░".repeat(24), "  …"])
    expect(bar(at({ total: 0, read: 0 }))).toEqual(["█".repeat(24), "100%"])
  })

  it.each([
    [0, "0s"],
    [59_400, "59s"],
    [65_000, "1m 05s"],
    [12_000_000, "3h 20m"]
  ])("tells %d ms as %s", (milliseconds, text) => expect(span(milliseconds)).toBe(text))

  it("knows its pace by the last seconds alone", () => {
    const pace = new Pace()
    expect(pace.after(0, at())).toBeUndefined()
    expect(pace.after(1000, at({ done: 100 }))).toBe(100)
    // After a long pause.
    pace.after(60_000, at({ done: 100 }))
    expect(pace.after(61_000, at({ done: 150 }))).toBe(50)
  })
})

describe("the pace of a run that waits", () => {
  it("is not known, nor afterwards by what ended meanwhile", () => {
    const waiting = { page: 0, state: "waiting", runner: "a", error: "503" } as const
    const pace = new Pace()
    pace.after(0, at())
    expect(pace.after(1000, at({ unknown: 20, pages: [waiting] }))).toBeUndefined()
    expect(pace.after(2000, at({ unknown: 40 }))).toBeUndefined()
    expect(pace.after(3000, at({ done: 100, unknown: 40 }))).toBe(100)
  })
})

describe("following a run", () => {
  const watched = (states: ReadonlyArray<Progress>, isTTY: boolean, columns = 100) =>
    Effect.gen(function* () {
      const written: Array<string> = []
      const screen = { isTTY, columns, write: (text: string) => written.push(text) }
      const progress = Stream.mapEffect(Stream.fromIterable(states), (state) =>
        Effect.delay(Effect.succeed(state), 1000)
      )
      const fiber = yield* Effect.fork(follow(progress, false, screen))
      yield* TestClock.adjust(60_000)
      return { last: yield* Fiber.join(fiber), written }
    }).pipe(Effect.provide(TestContext.TestContext), Effect.runPromise)

  it("moves a bar on a terminal, no wider than that, until the run is at rest", async () => {
    const { last, written } = await watched(
      [at({ done: 100 }), at({ done: 200 }), at({ done: 1000, state: "done" }), at({ done: 7 })],
      true
    )
    expect(last).toMatchObject({ done: 1000 })
    expect(written).toHaveLength(4)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what moves the cursor.
    const shown = written.slice(0, 3).map((text) => text.replaceAll(/\u001b\[[\d;]*[mK]|\r/g, ""))
    expect(shown[1]).toBe("████░░░░░░░░░░░░░░░░░░░░ 20% 200 of 1,000 done, 100/s, 8s left")
    expect(written[3]).toBe("\n")
  })

  it.each([
    [40, "20% 200 of 1,000 done, 100/s, 8s left"],
    [30, "20% 200 of 1,000 done, 100/s,"],
    [0, "████░░░░░░░░░░░░░░░░░░░░ 20% 200 of 1,000 done, 100/s, 8s left"]
  ])(
    "leaves the bar out where there is no room for it, and cuts the words last: %d columns",
    async (columns, line) => {
      const { written } = await watched([at({ done: 100 }), at({ done: 200 })], true, columns)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what moves the cursor.
      expect(written[1]?.replaceAll(/\u001b\[[\d;]*[mK]|\r/g, "")).toBe(line)
    }
  )
})

describe("the end of a run", () => {
  const ended = (progress: Progress) =>
    Effect.runPromise(Effect.either(end(progress, "3f2a", " --store file:a.db")))

  it("is a good one where all was done", async () => {
    expect(await ended(at({ state: "done", done: 1000 }))).toMatchObject({ _tag: "Right" })
  })

  it("names what was not done, and what to do", async () => {
    expect(await ended(at({ state: "done", done: 990, failed: 7, unknown: 3 }))).toMatchObject({
      left: {
        message: "the run 3f2a is done, except for 7 that failed and 3 that may have been done",
        next: expect.stringContaining("See them: quartet job show 3f2a --failures --store file:a.db\n")
      }
    })
  })

  it("says of items that may have been sent what a person does, step by step, and of those that failed what else", async () => {
    const next = async (changes: Partial<Progress>) =>
      String(
        Object(Either.getOrThrow(Either.flip(await ended(at({ state: "done", done: 990, ...changes }))))).next
      ).split("\n")
    const see = "See them: quartet job show 3f2a --failures --store file:a.db"
    const failed =
      "Those that failed were not done: correct what their errors name, then: quartet job retry 3f2a --store file:a.db, with --read-again where that was in the file"
    const unknown = [
      "Of those that are unknown nobody knows whether they were done. Look each up at the platform:",
      "  it is there: quartet job settle 3f2a --items <numbers> --store file:a.db",
      "  all of them are there: quartet job settle 3f2a --all --store file:a.db",
      "  it is not: quartet job retry 3f2a --items <numbers> --unknown --send --store file:a.db",
      "  the platform can be asked again: quartet job retry 3f2a --unknown --store file:a.db"
    ]
    expect(await next({ failed: 10 })).toEqual([see, failed])
    expect(await next({ unknown: 10 })).toEqual([see, ...unknown])
    expect(await next({ failed: 5, unknown: 5 })).toEqual([see, failed, ...unknown])
  })

  it("offers nothing of a cancelled run that would be refused", () => {
    const cancelled = at({ state: "cancelled", done: 990, failed: 5, unknown: 5 })
    expect(remedies(cancelled, "3f2a", "")).toEqual([
      "See them: quartet job show 3f2a --failures",
      "Of those that are unknown nobody knows whether they were done. Look each up at the platform:",
      "  it is there: quartet job settle 3f2a --items <numbers>",
      "  all of them are there: quartet job settle 3f2a --all",
      "The run is cancelled: none of them is tried again."
    ])
  })

  it("has the code of refused credentials where these have paused it", async () => {
    expect(await ended(at({ state: "paused", error: "Unauthenticated: no" }))).toMatchObject({
      left: { code: 3 }
    })
    expect(await ended(at({ state: "paused", error: "NotFound: no" }))).toMatchObject({ left: { code: 1 } })
    expect(await ended(at({ state: "cancelled" }))).toMatchObject({
      left: { message: "the run 3f2a was cancelled" }
    })
  })
})
