// Four processes on one new file: they begin at once, one is killed and one told to end, and the rest goes on.
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Fleet from "@quartet/fleet"
import { accounts } from "@quartet/sandbox"
import { eventually } from "@quartet/support/eventually.js"
import { claims, jwt } from "@quartet/support/jwt.js"
import { patient } from "@quartet/support/patience.js"
import { listen } from "@quartet/support/servers.js"
import { Effect, ManagedRuntime } from "effect"
import { afterEach, expect, test } from "vitest"
import * as Crew from "../faults/fleet/crew.js"
import { make as makeJobs } from "../faults/fleet/jobs.js"

const closers: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const count = 3000

test("runners of one machine share a file: nothing is lost, nothing is done twice, and each ends when it is told to", async () => {
  const keys = new Set<unknown>()
  const { close, url } = await listen(
    createServer((request, response) => {
      request.resume()
      const isSignIn = request.url?.includes("/auth/") === true
      if (!isSignIn) keys.add(request.headers["idempotency-key"])
      response.writeHead(200, { "content-type": "application/json" })
      response.end(
        isSignIn
          ? JSON.stringify({ accessToken: jwt(claims), sessionId: "the-session", user: {} })
          : '{"sent":1,"ids":["a"]}'
      )
    })
  )
  closers.push(close)
  const folder = await mkdtemp(join(tmpdir(), "quartet-file-"))
  closers.push(() => rm(folder, { recursive: true, force: true }))
  const store = `file:${join(folder, "fleet.db")}`
  const shape = { page: 50, lanes: 32, concurrency: 2 }
  const crew = Crew.make(folder, {
    engine: { kind: "none" },
    store,
    baseUrl: url,
    shape,
    perSecond: 250,
    deadline: 30_000
  })
  closers.push(crew.end)
  const runners = [crew.start(), crew.start(), crew.start(), crew.start()]
  const runtime = ManagedRuntime.make(Fleet.layerClient({ store }))
  closers.push(() => runtime.dispose())
  const { notices } = makeJobs(shape, () => undefined)
  const run = await runtime.runPromise(notices.start({ audience: "all", count, users: [accounts.projectId] }))
  const [killed, stopped] = runners
  await eventually(() => expect(keys.size).toBeGreaterThan(count / 10), 60_000)
  if (killed !== undefined) await crew.kill(killed)
  await eventually(() => expect(keys.size).toBeGreaterThan(count / 5), 60_000)
  expect(stopped === undefined || (await crew.replace(stopped))).toBe(true)
  const end = await runtime.runPromise(Effect.timeout(run.wait, patient(120_000)))
  expect(end).toMatchObject({ state: "done", done: count, failed: 0, unknown: 0 })
  expect(keys.size).toBe(count)
  for (const runner of crew.working()) expect(await crew.replace(runner), runner.name).toBe(true)
})
