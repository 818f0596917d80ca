/** The control: planned faults, the log of what was received, the end of sessions, and writes that happen once. */
import { expect } from "@effect/vitest"
import { Input } from "@quartet/sdk"
import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user"
import * as Private from "@quartet/sdk/private"
import { bare, refused, served, story } from "@quartet/support/clients.js"
import * as Effect from "effect/Effect"
import { accounts } from "../index.js"

story("the log reconciles with the calls that were made, and holds no credentials", function* ({ control }) {
  yield* Admin.projects.list()
  control.clear()
  yield* EndUser.requests.list({ limit: 3 })
  yield* Effect.flip(Admin.requests.get({ id: "nothing" }))
  yield* Private.notifications.sendInApp(
    { payload: { toAll: true, title: "Water" } },
    { idempotencyKey: "once" }
  )
  const log = control.log()
  expect(log.map(({ audience, method, operation, status }) => [method, operation, audience, status])).toEqual(
    [
      ["GET", "requests.list", "endUser", 200],
      ["GET", "requests.get", "admin", 404],
      ["POST", "notifications.sendInApp", "private", 201]
    ]
  )
  expect(log[0]).toMatchObject({ path: "/request-action", query: "limit=3", idempotencyKey: undefined })
  expect(log[2]).toMatchObject({ idempotencyKey: "once", replayed: false })
  expect(JSON.stringify(log)).not.toMatch(/qk_|eyJ|password/)
})

story("planned failures hit so many requests, change nothing, and may ask to wait", function* ({ control }) {
  const before = (yield* EndUser.requests.list()).paging.total
  control.failNext(1, 503)
  control.failNext(1, 429, 7)
  const payload = { type: "BUY" }
  const fault = yield* Effect.flip(EndUser.requests.create({ payload }))
  expect(fault).toMatchObject({ _tag: "ServerFault", status: 503 })
  const limited = yield* Effect.flip(EndUser.requests.create({ payload }))
  expect(limited).toMatchObject({ _tag: "RateLimited", retryAfter: 7_000 })
  expect((yield* EndUser.requests.list()).paging.total).toBe(before)
})

story("a lost answer leaves the work done", function* ({ control }) {
  const before = (yield* EndUser.requests.list()).paging.total ?? 0
  control.loseNext(1)
  const lost = yield* Effect.flip(EndUser.requests.create({ payload: { type: "BUY" } }))
  expect(lost).toMatchObject({ _tag: "OutcomeUnknown", reason: "Network" })
  expect((yield* EndUser.requests.list()).paging.total).toBe(before + 1)
})

story("one idempotency key has one effect and one answer, another has its own", function* ({ control }) {
  const call = (idempotencyKey: string) =>
    Private.payments.payWithLink({ payload: { amount: 10 } }, { idempotencyKey })
  const before = control.state.transactions.size
  const first = yield* call("a")
  const again = yield* call("a")
  expect(again).toEqual(first)
  expect(control.state.transactions.size).toBe(before + 1)
  expect(control.log().at(-1)).toMatchObject({ idempotencyKey: "a", replayed: true, status: 201 })
  yield* call("b")
  expect(control.state.transactions.size).toBe(before + 2)
})

story("concurrent requests with one idempotency key have one effect", function* ({ control }) {
  const before = control.state.transactions.size
  const calls = Array.from({ length: 20 }, () =>
    Private.payments.payWithLink({ payload: { amount: 10 } }, { idempotencyKey: "same" })
  )
  const answers = yield* Effect.all(calls, { concurrency: "unbounded" })
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(control.state.transactions.size).toBe(before + 1)
})

story("an idempotency key is for one request, and a refusal does not use it up", function* () {
  // The client itself would refuse an amount of 0.
  const call = (amount: number) =>
    Private.payments.payWithLink({ payload: Input.raw({ amount }) }, { idempotencyKey: "key" })
  yield* refused(call(0), "Rejected")
  yield* call(1)
  yield* refused(call(2), "Conflict")
})

story("one caller's idempotency key is nothing to another", function* () {
  const payload = { type: "BUY" }
  const own = yield* EndUser.requests.create({ payload }, { idempotencyKey: "key" })
  const userId = String(own.userId)
  const adminRequest = yield* Admin.requests.create(
    { payload: { ...payload, userId } },
    { idempotencyKey: "key" }
  )
  expect(adminRequest._id).not.toBe(own._id)
})

served("when all sessions end, an admin signs in again by itself", function* ({ control, url }) {
  const config = { baseUrl: url, projectId: accounts.projectId, signInCooldown: 0, ...accounts.admin }
  yield* Effect.gen(function* () {
    yield* Admin.projects.list()
    control.expireSessions()
    expect((yield* Admin.projects.list()).items.length).toBe(1)
    expect(control.log().filter(({ operation }) => operation === "auth.login").length).toBe(2)
  }).pipe(Effect.provide(Admin.layer(config)))
})

story("an end user whose session has ended is answered 401", function* ({ control }) {
  yield* EndUser.auth.self()
  control.expireSessions()
  yield* refused(EndUser.auth.self(), "Unauthenticated")
})

served("latency holds every answer back", function* ({ control, url }) {
  const headers = { "x-api-key": accounts.apiKey }
  const late = { field: "latency", rule: "must be a finite duration, at least 0" }
  expect(() => control.setLatency("soon" as "1 second")).toThrow(expect.objectContaining(late))
  control.setLatency("120 millis")
  const began = performance.now()
  expect((yield* bare(`${url}/project/self`, { headers })).status).toBe(200)
  expect(performance.now() - began).toBeGreaterThanOrEqual(115)
  expect(control.log().at(-1)?.duration).toBeGreaterThanOrEqual(115)
})
