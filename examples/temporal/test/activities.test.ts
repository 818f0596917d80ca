// What Temporal asks of an activity: heartbeats, a cancellation that leaves nothing behind, a further attempt after a crash.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { CancelledFailure } from "@temporalio/activity"
import { MockActivityEnvironment } from "@temporalio/testing"
import { afterEach, expect, test, vi } from "vitest"
import { round } from "../src/rounds.js"
import { servePlatform, work } from "./numbers.js"

const closers: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** A platform and an empty store; `worker` is one more process of Temporal, as far as the store knows. */
const open = async (milliseconds: number) => {
  const platform = await servePlatform(milliseconds)
  const folder = await mkdtemp(join(tmpdir(), "quartet-temporal-"))
  closers.push(platform.close, () => rm(folder, { recursive: true, force: true }))
  const store = `file:${join(folder, "fleet.db")}`
  const worker = () => {
    const { activities, end } = work(store, platform.url)
    closers.push(end)
    return activities
  }
  return { platform, store, worker }
}

/** One attempt at an activity, as Temporal would make it. */
const attempt = <A>(activity: () => Promise<A>): Promise<A> =>
  new MockActivityEnvironment({ attempt: 1 }).run(activity)

const onceEach = (done: ReadonlyMap<number, number>, count: number): void => {
  expect([...done.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, item) => item))
  expect([...done.values()].filter((times) => times !== 1)).toEqual([])
}

test("two workers bring a run to its end by rounds over its open pages", async () => {
  const { platform, worker } = await open(5)
  const workers = [worker(), worker()] as const
  const run = await attempt(() => workers[0].startRun(250))
  expect(await attempt(() => workers[1].startRun(250))).toBe(run)
  let turn = 0
  const next = () => workers[turn++ % 2] ?? workers[0]
  const steps = {
    openPages: () => attempt(() => next().openPages(run)),
    workOnPage: (page: number) => attempt(() => next().workOnPage(run, page)),
    sleep: (milliseconds: number) => sleep(milliseconds)
  }
  while (!(await round(steps)));
  onceEach(platform.done, 250)
})

test("the heartbeat of a page tells how much of it has ended", async () => {
  const { worker } = await open(800)
  const activities = worker()
  const run = await attempt(() => activities.startRun(20))
  await attempt(() => activities.workOnPage(run, -1))
  const environment = new MockActivityEnvironment()
  const beats: Array<unknown> = []
  environment.on("heartbeat", (details) => beats.push(details))
  expect(await environment.run(() => activities.workOnPage(run, 0))).toEqual({ _tag: "Done" })
  expect(beats.length).toBeGreaterThan(0)
  for (const beat of beats) expect(beat).toMatchObject({ items: 20, ended: expect.any(Number) })
})

test("a cancelled attempt gives its page back: the next one goes on at once, and nothing is done twice", async () => {
  const { platform, worker } = await open(100)
  const [first, second] = [worker(), worker()]
  const run = await attempt(() => first.startRun(20))
  await attempt(() => first.workOnPage(run, -1))
  const environment = new MockActivityEnvironment({ attempt: 1 })
  const cancelled = environment.run(() => first.workOnPage(run, 0)).catch((error: unknown) => error)
  await vi.waitFor(() => expect(platform.done.size).toBeGreaterThan(3), 10_000)
  environment.cancel()
  expect(await cancelled).toBeInstanceOf(CancelledFailure)
  expect(platform.done.size).toBeLessThan(20)
  // Not `Held`: there is no lease to wait for.
  expect(await attempt(() => second.workOnPage(run, 0))).toEqual({ _tag: "Done" })
  onceEach(platform.done, 20)
})

test("after a crash the page is held until its lease has ended, and then another attempt goes on", async () => {
  const { platform, store, worker } = await open(100)
  const activities = worker()
  const run = await attempt(() => activities.startRun(20))
  await attempt(() => activities.workOnPage(run, -1))
  const crashing = spawn(
    process.execPath,
    ["--import", "tsx", "test/attempt.ts", store, platform.url, run, "0"],
    { stdio: "inherit" }
  )
  const ended = once(crashing, "exit")
  await vi.waitFor(() => expect(platform.done.size).toBeGreaterThan(3), 30_000)
  crashing.kill("SIGKILL")
  await ended
  expect(platform.done.size).toBeLessThan(20)
  let answer = await attempt(() => activities.workOnPage(run, 0))
  expect(answer).toMatchObject({ _tag: "Held", after: expect.any(Number) })
  while ("after" in answer) {
    await sleep(answer.after)
    answer = await attempt(() => activities.workOnPage(run, 0))
  }
  expect(answer).toEqual({ _tag: "Done" })
  onceEach(platform.done, 20)
}, 60_000)
