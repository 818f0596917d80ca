// A platform that is out of service for a while, over real HTTP: what is lost to it, how often it is asked whether it is back, and what is said.

import { createServer, type Server, type ServerResponse } from "node:http"
import * as Private from "@quartet/sdk/private"
import * as Transport from "@quartet/sdk/transport"
import { live } from "@quartet/support/effect.js"
import { nobody } from "@quartet/support/servers.js"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { expect, vi } from "vitest"
import * as Fleet from "../jobs/index.js"
import { file } from "./stores.js"
import { longestPause, shortestPause } from "./times.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

const inFlight = 6
const count = 60

/** A request that was made while the platform was down. */
interface Attempt {
  readonly at: number
  /** How many others were under way. */
  readonly others: number
  answeredAt: number
}

/** A platform that honours no key. `down` says how it answers while it is out of service. */
class Platform {
  down: ((response: ServerResponse) => void) | undefined
  /** How often each item was done. */
  readonly done = new Map<string, number>()
  readonly attempts: Array<Attempt> = []
  private under: Array<() => void> = []
  private readonly server: Server

  /** The first requests are answered together, once there are as many as may be in flight. */
  constructor(private isFirst = true) {
    this.server = createServer(async (request, response) => {
      const pieces: Array<Buffer> = []
      for await (const piece of request) pieces.push(piece)
      const body = Buffer.concat(pieces).toString()
      const answer = this.down
      if (answer === undefined) {
        response.setHeader("content-type", "application/json")
        if (request.method === "POST") {
          const item = String(JSON.parse(body).userId)
          this.done.set(item, (this.done.get(item) ?? 0) + 1)
        }
        const isThere =
          request.method === "POST" || this.done.has((request.url ?? "").split("/").at(-1) ?? "")
        response.writeHead(isThere ? 200 : 404).end("{}")
        return
      }
      const attempt: Attempt = { at: performance.now(), others: this.under.length, answeredAt: 0 }
      this.attempts.push(attempt)
      this.under.push(() => {
        attempt.answeredAt = performance.now()
        answer(response)
      })
      if (this.isFirst && this.under.length < inFlight) return
      this.isFirst = false
      // Others that are under way would be seen.
      setTimeout(() => {
        for (const end of this.under.splice(0)) end()
      }, 5)
    })
  }

  listen(url: string): Promise<void> {
    return new Promise((resolve) => {
      this.server.listen(Number(new URL(url).port), "127.0.0.1", resolve)
    })
  }

  close(): void {
    this.server.closeAllConnections()
    this.server.close()
  }
}

const open = (url: string, platform: Platform) =>
  Effect.acquireRelease(
    Effect.promise(() => platform.listen(url)),
    () => Effect.sync(() => platform.close())
  )

const answers =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end("{}")

/** What a job finds out of an item whose answer was lost. */
const lookUps = {
  "looks up": (id: string) =>
    Private.payments.get({ id }).pipe(
      Effect.map(Option.some),
      Effect.catchTag("NotFound", () => Effect.succeedNone)
    ),
  "cannot look up": () => Effect.fail(new Error("there is no list of what was sent")),
  "sends again": () => Effect.succeedNone
}

const jobOf = (how: keyof typeof lookUps) =>
  Fleet.job("send", {
    input: Schema.Struct({}),
    key: () => "all",
    page: 10,
    lanes: 4,
    concurrency: 4,
    source: () => Stream.map(Stream.range(0, count - 1), (n) => `user-${n}`),
    each: (userId, { idempotencyKey }) =>
      Private.notifications.sendInApp({ payload: { userId } }, { idempotencyKey }),
    onUnknown: lookUps[how]
  })

const started = (url: string, job: ReturnType<typeof jobOf>) =>
  Effect.gen(function* () {
    const runner = Fleet.layer({
      jobs: [job],
      store: yield* file,
      limits: { inFlight },
      clients: Private.layer({ baseUrl: url, privateKey: "key", policy: { attempts: 1 } })
    })
    return { runner }
  })

/** What the run's pages say that they wait for. */
const waitsFor = (run: Fleet.Run, what: RegExp) =>
  Effect.repeat(Effect.delay(run.status, 10), {
    until: ({ pages }) => pages.some(({ error = "", state }) => state === "waiting" && what.test(error))
  })

const said = (why: string): RegExp =>
  new RegExp(`^${why} since \\d\\d:\\d\\d UTC, (next try in \\d+ s|trying now)$`)

/** Each of these was alone, and later than the one before by a pause that grows. */
const expectProbes = (probes: ReadonlyArray<Attempt>): void => {
  expect(probes.map(({ others }) => others)).toEqual(probes.map(() => 0))
  for (const [index, { at }] of probes.entries()) {
    const before = probes[index - 1]
    if (before === undefined) continue
    // A pause is up to a quarter shorter, and a timer a moment early.
    const least = 0.75 * Math.min(longestPause, shortestPause * 2 ** index) - 2
    expect(at - before.answeredAt).toBeGreaterThanOrEqual(least)
  }
}

/** Runs the job while the platform is down, until that was tried so often; then it is up. */
const outage = (
  how: (response: ServerResponse) => void,
  why: string,
  job: ReturnType<typeof jobOf>,
  probes = 6
) =>
  Effect.gen(function* () {
    const url = yield* Effect.promise(nobody)
    const platform = new Platform()
    platform.down = how
    yield* open(url, platform)
    const { runner } = yield* started(url, job)
    return yield* Effect.gen(function* () {
      const run = yield* job.start({})
      yield* waitsFor(run, said(why))
      yield* Effect.repeat(Effect.sleep(10), {
        until: () =>
          platform.attempts.length >= inFlight + probes &&
          platform.attempts.every(({ answeredAt }) => answeredAt > 0)
      })
      const { state } = yield* run.status
      expect(state).toBe("running")
      platform.down = undefined
      return { end: yield* run.wait, platform }
    }).pipe(Effect.provide(runner))
  }).pipe(Effect.provide(Transport.layer))

live(
  "503: no more than what was in flight and what tried is unknown, of items that nobody can look up",
  function* () {
    const { end, platform } = yield* outage(answers(503), "503", jobOf("cannot look up"))
    const { attempts, done } = platform
    expectProbes(attempts.slice(inFlight))
    expect(end).toMatchObject({
      state: "done",
      failed: 0,
      unknown: attempts.length,
      done: count - attempts.length
    })
    // None of them is sent again.
    expect([done.size, Math.max(...done.values())]).toEqual([count - attempts.length, 1])
  }
)

live.each(["looks up", "sends again"] as const)(
  "503: nothing is unknown where the job %s, and each item is done once",
  function* (how) {
    const { end, platform } = yield* outage(answers(503), "503", jobOf(how))
    expectProbes(platform.attempts.slice(inFlight))
    expect(end).toMatchObject({ state: "done", failed: 0, unknown: 0, done: count })
    expect([platform.done.size, Math.max(...platform.done.values())]).toEqual([count, 1])
  }
)

live("429: nothing is unknown, and each item is done once", function* () {
  const { end, platform } = yield* outage(answers(429), "429", jobOf("cannot look up"))
  expectProbes(platform.attempts.slice(inFlight))
  expect(end).toMatchObject({ state: "done", failed: 0, unknown: 0, done: count })
  expect([platform.done.size, Math.max(...platform.done.values())]).toEqual([count, 1])
})

live("a Retry-After is waited for, by all that would try", function* () {
  const { platform } = yield* outage(answers(503, { "retry-after": "1" }), "503", jobOf("looks up"), 2)
  const [first, second] = platform.attempts.slice(inFlight)
  const wave = Math.max(...platform.attempts.slice(0, inFlight).map(({ answeredAt }) => answeredAt))
  expect(Number(first?.at) - wave).toBeGreaterThan(990)
  expect(Number(second?.at) - Number(first?.answeredAt)).toBeGreaterThan(990)
})

live(
  "refused connections, then 503, then 429: it waits through all of them, and says which it is",
  function* () {
    const url = yield* Effect.promise(nobody)
    const platform = new Platform(false)
    platform.down = answers(503)
    const job = jobOf("looks up")
    yield* Effect.gen(function* () {
      const { runner } = yield* started(url, job)
      yield* Effect.gen(function* () {
        const run = yield* job.start({})
        yield* waitsFor(run, said("NetworkError"))
        yield* open(url, platform)
        yield* waitsFor(run, said("503"))
        platform.down = answers(429)
        yield* waitsFor(run, said("429"))
        expect(platform.attempts.map(({ others }) => others)).toEqual(platform.attempts.map(() => 0))
        platform.down = undefined
        expect(yield* run.wait).toMatchObject({ state: "done", failed: 0, unknown: 0, done: count })
        expect([platform.done.size, Math.max(...platform.done.values())]).toEqual([count, 1])
      }).pipe(Effect.provide(runner))
    }).pipe(Effect.provide(Transport.layer))
  }
)
