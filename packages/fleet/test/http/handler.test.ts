// The handler over a real fleet on a file: what it answers, what it does, and whom it refuses.

import { endless, letters, mended, open, rows } from "@quartet/support/crew.js"
import { Effect, Schema } from "effect"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { make } from "../../http/handler.js"
import * as Wire from "../../http/wire.js"
import { FleetError } from "../../jobs/index.js"
import type { Service } from "../../jobs/run.js"

const here = "http://127.0.0.1:4400"

let crew: Awaited<ReturnType<typeof open>>
let handle: ReturnType<typeof make>
/** A run that is done, but for three of its rows. */
let id: string

beforeAll(async () => {
  crew = await open()
  handle = make(crew.fleet)
  const run = await crew.start(rows, "spring.csv")
  id = run.id
  await Effect.runPromise(run.wait)
})
afterAll(() => crew.end())

const ask = (path: string, init?: RequestInit) => handle(new Request(here + Wire.base + path, init))
const json = { "content-type": "application/json" }
const post = (path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  ask(path, { method: "POST", headers: { ...json, ...headers }, body: JSON.stringify(body) })
const read = async <A, I>(schema: Schema.Schema<A, I>, answer: Promise<Response>): Promise<A> => {
  const { status, json } = await answer.then(async (response) => ({
    status: response.status,
    json: await response.json()
  }))
  expect([status, json]).toEqual([200, expect.anything()])
  return Schema.decodeUnknownSync(schema)(json)
}
const refusal = async (answer: Promise<Response>) => {
  const { status, ...rest } = await answer.then(async (response) => ({
    status: response.status,
    ...Schema.decodeUnknownSync(Wire.Refusal)(await response.json())
  }))
  return [status, rest.reason]
}

describe("what it answers", () => {
  test("the runs, the newest first, some at a time", async () => {
    const { runs, total } = await read(Wire.Runs, ask("?limit=1"))
    expect(total).toBe(1)
    expect(runs[0]).toMatchObject({ run: id, job: "rows", key: "spring.csv", state: "done", total: 20 })
    expect(runs[0]?.startedAt).toBeInstanceOf(Date)
    expect((await read(Wire.Runs, ask("?offset=1"))).runs).toEqual([])
    expect((await read(Wire.Runs, ask("?job=other"))).total).toBe(0)
  })

  test("one run, and who works on it", async () => {
    const run = await read(Wire.Progress, ask(`/${id}`))
    expect(run).toMatchObject({ done: 17, failed: 2, unknown: 1, pages: [] })
  })

  test("failures page by page, by what became of them, without the secrets of their input", async () => {
    const first = await read(Wire.Failures, ask(`/${id}/failures?limit=2`))
    expect(first.failures.map(({ item, state }) => [item, state])).toEqual([
      [3, "failed"],
      [7, "unknown"]
    ])
    expect(first.failures[0]?.error).toContain("a title is missing")
    expect(first.failures[0]?.input).toContain('"title": "Row 3"')
    expect(first.failures[0]?.input).not.toContain("hush")
    expect(first.next).toBe(7)
    const rest = await read(Wire.Failures, ask(`/${id}/failures?limit=2&after=${first.next}`))
    expect([rest.failures.map(({ item }) => item), rest.next]).toEqual([[11], undefined])
    const unknown = await read(Wire.Failures, ask(`/${id}/failures?state=unknown`))
    expect(unknown.failures.map(({ item }) => item)).toEqual([7])
  })

  test("that something is not there, or not so", async () => {
    expect(await refusal(ask("/nowhere"))).toEqual([404, "Unknown"])
    expect(await refusal(ask(`/${id}/anything`))).toEqual([404, "Address"])
    expect(await refusal(ask(`/${id}/failures/1`))).toEqual([404, "Address"])
    expect(await refusal(ask("?limit=1000"))).toEqual([400, "Input"])
    expect(await refusal(ask(`/${id}/failures?state=all`))).toEqual([400, "Input"])
    expect(await refusal(ask(`/${id}/pause`))).toEqual([405, "Method"])
    expect(await refusal(post(""))).toEqual([405, "Method"])
    expect(await refusal(post(`/${id}/pause`))).toEqual([409, "State"])
  })

  test("nothing of the store, whatever failed", async () => {
    const url = "postgres://admin:hush@db.test/fleet"
    const failing = (error: Effect.Effect<never, FleetError>): Service => ({
      start: () => error,
      runs: () => error,
      run: () => error,
      ended: () => error,
      isForgotten: Effect.succeed(true)
    })
    for (const [error, status] of [
      [new FleetError({ reason: "Store", advice: "it does not answer", cause: new Error(url) }), 503],
      [Effect.dieMessage(url), 500]
    ] as const) {
      const answer = await make(failing(error))(new Request(here + Wire.base))
      expect(answer.status).toBe(status)
      expect(await answer.text()).not.toContain("hush")
    }
  })
})

describe("what it does", () => {
  test("pauses, resumes and cancels a run", async () => {
    const { id: secondId } = await crew.start(endless, "one")
    expect((await read(Wire.Done, post(`/${secondId}/pause`))).run.state).toBe("paused")
    expect((await read(Wire.Done, post(`/${secondId}/resume`))).run.state).toBe("running")
    expect((await read(Wire.Done, post(`/${secondId}/cancel`))).run.state).toBe("cancelled")
    expect(await refusal(post(`/${secondId}/resume`))).toEqual([409, "State"])
  })

  test("tries items again, and notes others as done", async () => {
    const run = await crew.start(rows, "again.csv")
    await Effect.runPromise(run.wait)
    mended.add(3)
    expect((await read(Wire.Done, post(`/${run.id}/retry`, { items: [3] }))).count).toBe(1)
    await Effect.runPromise(run.wait)
    expect((await read(Wire.Done, post(`/${run.id}/settle`, { items: [7, 8] }))).count).toBe(1)
    expect(await read(Wire.Progress, ask(`/${run.id}`))).toMatchObject({ done: 19, failed: 1, unknown: 0 })
    expect((await read(Wire.Done, post(`/${run.id}/retry`, { states: ["unknown"] }))).count).toBe(0)
  })

  test("sends unknown items without a look where it is told to, and notes all of them as done", async () => {
    const run = await crew.start(letters, "letters")
    await Effect.runPromise(run.wait)
    const one = { states: ["unknown"], items: [2] }
    expect((await read(Wire.Done, post(`/${run.id}/retry`, one))).count).toBe(1)
    expect(await Effect.runPromise(run.wait)).toMatchObject({ done: 0, unknown: 6 })
    expect((await read(Wire.Done, post(`/${run.id}/retry`, { ...one, send: true }))).count).toBe(1)
    expect(await Effect.runPromise(run.wait)).toMatchObject({ done: 1, unknown: 5 })
    expect((await read(Wire.Done, post(`/${run.id}/settle`, { all: true }))).count).toBe(5)
    expect(await read(Wire.Progress, ask(`/${run.id}`))).toMatchObject({ done: 6, unknown: 0 })
  })

  test("removes a run that has ended, and answers where it stood", async () => {
    const run = await crew.start(rows, "removed.csv")
    await Effect.runPromise(run.wait)
    expect((await read(Wire.Done, post(`/${run.id}/remove`))).run).toMatchObject({ state: "done", total: 20 })
    expect(await refusal(ask(`/${run.id}`))).toEqual([404, "Unknown"])
    const going = await crew.start(endless, "going")
    expect(await refusal(post(`/${going.id}/remove`))).toEqual([409, "State"])
    await Effect.runPromise(going.cancel)
  })

  test("refuses a body that is not the action's, and does nothing", async () => {
    expect(await refusal(post(`/${id}/retry`, { item: [3] }))).toEqual([400, "Input"])
    expect(await refusal(post(`/${id}/settle`, { items: ["7"] }))).toEqual([400, "Input"])
    expect(await refusal(post(`/${id}/settle`))).toEqual([400, "Input"])
    expect(await refusal(post(`/${id}/settle`, { all: false }))).toEqual([400, "Input"])
    expect(await refusal(post(`/${id}/settle`, { all: true, items: [7] }))).toEqual([400, "Input"])
    expect(await refusal(post(`/${id}/pause`, { now: true }))).toEqual([400, "Input"])
    expect(await refusal(ask(`/${id}/retry`, { method: "POST", headers: json, body: "{" }))).toEqual([
      400,
      "Input"
    ])
    expect(await refusal(post(`/${id}/settle`, { items: [], more: "x".repeat(2 ** 20) }))).toEqual([
      413,
      "Input"
    ])
    expect(await read(Wire.Progress, ask(`/${id}`))).toMatchObject({ state: "done", failed: 2, unknown: 1 })
  })
})

describe("whom it answers", () => {
  const settle = (headers: Record<string, string>) => post(`/${id}/settle`, { items: [7] }, headers)

  test("refuses a name that only resolves to this machine", async () => {
    const rebound = new Request(`http://evil.test:4400${Wire.base}`)
    expect(await refusal(handle(rebound))).toEqual([403, "Host"])
    expect(await refusal(settle({ host: "evil.test:4400" }))).toEqual([403, "Host"])
    expect((await handle(new Request(`http://localhost:4400${Wire.base}`))).status).toBe(200)
    expect((await handle(new Request(`http://[::1]:4400${Wire.base}`))).status).toBe(200)
  })

  test("refuses pages of other sites, and of other servers of this machine", async () => {
    for (const origin of ["https://evil.test", "http://127.0.0.1:3000", "http://localhost:4400", "null", ""])
      expect(await refusal(settle({ origin }))).toEqual([403, "Origin"])
    // A browser omits the origin of an image, and says that it is for another site.
    const image = { "sec-fetch-site": "cross-site", "sec-fetch-dest": "image", referer: "https://evil.test/" }
    expect(await refusal(ask("", { headers: image }))).toEqual([403, "Origin"])
  })

  test("refuses what a form of another site can send", async () => {
    const body = JSON.stringify({ items: [7] })
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json-seq"])
      expect(
        await refusal(ask(`/${id}/settle`, { method: "POST", headers: { "content-type": type }, body }))
      ).toEqual([415, "Input"])
  })

  test("answers pages of its own origin, and lets none other read it", async () => {
    const answer = await ask("", { headers: { origin: here, "sec-fetch-site": "same-origin" } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get("access-control-allow-origin")).toBeNull()
    expect(answer.headers.get("cache-control")).toBe("no-store")
    expect((await settle({ origin: here })).status).toBe(200)
  })
})
