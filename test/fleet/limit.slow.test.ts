// One budget for four processes, as the server sees it: so many requests in any second, and one pause for all.
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Fleet from "@quartet/fleet"
import { accounts } from "@quartet/sandbox"
import { claims, jwt } from "@quartet/support/jwt.js"
import { patient } from "@quartet/support/patience.js"
import * as Postgres from "@quartet/support/postgres.js"
import { listen } from "@quartet/support/servers.js"
import { Effect, ManagedRuntime } from "effect"
import { afterEach, expect, test } from "vitest"
import * as Crew from "../faults/fleet/crew.js"
import { make as makeJobs } from "../faults/fleet/jobs.js"

const closers: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const perSecond = 50

/**
 * A platform that notes when each request came, and answers the one of this number with a pause. A machine that is busy wakes it late, so a
 * request came between `since`, when it had last been awake, and `at`.
 */
const open = async (pausesAt: number, seconds: number) => {
  const arrivals: Array<{ readonly since: number; readonly at: number }> = []
  let awake = performance.now()
  const tick = setInterval(() => {
    awake = performance.now()
  }, 1)
  closers.push(async () => clearInterval(tick))
  let answeredAt: number | undefined
  const server = createServer((request, response) => {
    arrivals.push({ since: awake, at: performance.now() })
    request.resume()
    const isPause = arrivals.length === pausesAt
    if (isPause) {
      answeredAt = performance.now()
      response.writeHead(429, { "retry-after": String(seconds), "content-type": "application/json" })
      response.end('{"message":"too many"}')
      return
    }
    const isSignIn = request.url?.includes("/auth/") === true
    response.writeHead(200, { "content-type": "application/json" })
    response.end(
      isSignIn
        ? JSON.stringify({ accessToken: jwt(claims), sessionId: "the-session", user: {} })
        : '{"sent":1,"ids":["a"]}'
    )
  })
  const { close, url } = await listen(server)
  closers.push(close)
  return { url, arrivals, answeredAt: () => answeredAt }
}

const four = async (url: string, count: number) => {
  const postgres = await Postgres.open()
  closers.push(postgres.stop)
  const folder = await mkdtemp(join(tmpdir(), "quartet-limit-"))
  closers.push(() => rm(folder, { recursive: true, force: true }))
  // So many lanes that each of four has some.
  const shape = { page: 10, lanes: 32, concurrency: 2 }
  const crew = Crew.make(folder, {
    engine: { kind: "none" },
    store: postgres.url,
    baseUrl: url,
    shape,
    perSecond,
    deadline: 30_000
  })
  closers.push(crew.end)
  const runtime = ManagedRuntime.make(Fleet.layerClient({ store: postgres.url }))
  closers.push(() => runtime.dispose())
  for (let runner = 0; runner < 4; runner++) crew.start()
  await crew.ready()
  const { notices } = makeJobs(shape, () => undefined)
  const run = await runtime.runPromise(notices.start({ audience: "all", count, users: [accounts.projectId] }))
  const end = await runtime.runPromise(Effect.timeout(run.wait, patient(120_000)))
  const runners = new Set(crew.journal().map(({ runner }) => runner.name))
  // Each has a part of the lanes.
  expect(runners.size, crew.said().join("\n")).toBe(4)
  return end
}

test("four processes at 50 a second never exceed 50 in any second at the server by more than the machine is late", async () => {
  const { arrivals, url } = await open(0, 0)
  const end = await four(url, 1000)
  expect(end).toMatchObject({ state: "done", done: 1000, failed: 0, unknown: 0 })
  const times = arrivals.map(({ at }) => at)
  const most = Math.max(
    ...arrivals.map(
      ({ since: from }) => arrivals.filter(({ at, since }) => since >= from && at < from + 1000).length
    )
  )
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000
  console.log(
    `at most ${most} in a second; ${(times.length / seconds).toFixed(1)} a second over ${seconds.toFixed(1)} s`
  )
  // The ways of two requests may differ by 50 ms, of which their processes take up to 40; these are as late as this one is.
  const late = Math.max(...arrivals.map(({ at, since }) => at - since))
  expect(most).toBeLessThanOrEqual(Math.ceil((perSecond * (1_000 + 40 + late)) / 1_050))
  // It is a limit and no standstill.
  expect(times.length / seconds).toBeGreaterThan(perSecond / 4)
})

test("one answer of 429 with Retry-After stops all four", async () => {
  const seconds = 3
  const { answeredAt, arrivals, url } = await open(300, seconds)
  const end = await four(url, 600)
  expect(end).toMatchObject({ state: "done", done: 600, failed: 0, unknown: 0 })
  const from = answeredAt() ?? 0
  expect(from).toBeGreaterThan(0)
  const late = arrivals.map(({ at }) => at - from).filter((at) => at > 0 && at < seconds * 1000)
  console.log(`after the pause was asked for: ${late.map((at) => at.toFixed(0)).join(", ") || "none"} ms`)
  // Requests that are on their way arrive; on a busy machine that takes its time, but not until the last third of the pause.
  expect(late.filter((at) => at > (seconds * 1000) / 1.5)).toEqual([])
})
