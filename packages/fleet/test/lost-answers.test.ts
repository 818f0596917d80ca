/** Calls of items whose answers are lost, on a platform that honours no idempotency key: what the client repeats is done twice there. */

import * as Sandbox from "@quartet/sandbox"
import * as Admin from "@quartet/sdk/admin"
import { type Outcome, type TransportService as Service, Transport } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { expect, it } from "vitest"
import * as Fleet from "../jobs/index.js"
import { file } from "./stores.js"

const { admin, projectId } = Sandbox.accounts

/** How an answer to a write is lost; the write is done. */
const losses: Readonly<Record<string, (outcome: Outcome) => Outcome>> = {
  "the connection": () => ({ _tag: "Failed", reason: "Reset", sent: true, cause: undefined }),
  "a 500": () => ({ _tag: "Answered", status: 500, header: () => undefined, body: new Uint8Array() })
}

it.each(Object.keys(losses))(
  "are asked about before anything is sent again, where %s lost them",
  async (how) => {
    const { transport } = Effect.runSync(Sandbox.make({ seed: 5 }))
    let writes = 0
    let lost = 0
    let lookUps = 0
    /** Whether the same request might begin once its answer was lost. */
    const shut: Array<boolean | undefined> = []
    const keyless: Service = {
      start: (request, settle) => {
        if (request.operation !== "entities.create") return transport.start(request, settle)
        writes += 1
        const isLost = writes % 3 === 0
        const { "idempotency-key": _, ...headers } = request.headers
        expect(request.mayBegin?.()).toBe(true)
        return transport.start({ ...request, headers }, (outcome) => {
          if (isLost) lost += 1
          settle(isLost ? (losses[how]?.(outcome) ?? outcome) : outcome)
          // As of one that an adapter still holds back.
          if (isLost) shut.push(request.mayBegin?.())
        })
      }
    }
    const job = Fleet.job("create", {
      input: Schema.Struct({}),
      key: () => "all",
      source: () => Stream.range(0, 19),
      each: (n, { idempotencyKey }) =>
        Admin.entities.create({ kind: "x", payload: { n } }, { idempotencyKey }),
      onUnknown: (n) =>
        Effect.map(Admin.entities.list({ kind: "x", limit: 100 }), ({ items }) => {
          lookUps += 1
          return Option.fromNullable(items.find((entity) => Object(entity).n === n))
        })
    })
    const [status, created] = await Effect.gen(function* () {
      const clients = Admin.layer({ baseUrl: "http://sandbox.test", projectId, ...admin })
      const runner = Fleet.layer({ jobs: [job], store: yield* file, clients })
      const status = yield* Effect.provide(
        Effect.flatMap(job.start({}), ({ wait }) => wait),
        runner
      )
      const { items } = yield* Effect.provide(Admin.entities.list({ kind: "x", limit: 100 }), clients)
      return [status, items.map((entity) => Number(Object(entity).n))] as const
    }).pipe(Effect.provideService(Transport, keyless), Effect.scoped, Effect.runPromise)
    expect(status).toMatchObject({ state: "done", done: 20, failed: 0, unknown: 0 })
    expect(created.sort((left, right) => left - right)).toEqual(Array.from({ length: 20 }, (_, n) => n))
    expect([lost > 3, lookUps]).toEqual([true, lost])
    expect(new Set(shut)).toEqual(new Set([false]))
  }
)

/** What becomes of a run whose `each` does more to its call than to make it, over a platform that knows no keys. */
const composed = (
  each: (
    call: Effect.Effect<unknown, unknown, Admin.Client>,
    isSent: () => boolean
  ) => Effect.Effect<unknown, Error, Admin.Client>
) =>
  Effect.gen(function* () {
    const { transport } = yield* Sandbox.make({ seed: 5 })
    let lookUps = 0
    const sent = new Set<string | undefined>()
    const slow: Service = {
      start: (request, settle) => {
        const { "idempotency-key": key, ...headers } = request.headers
        return transport.start({ ...request, headers }, (outcome) => {
          if (request.operation === "entities.create") sent.add(key)
          setTimeout(settle, 20, outcome)
        })
      }
    }
    const job = Fleet.job("create", {
      input: Schema.Struct({}),
      key: () => "all",
      source: () => Stream.range(0, 4),
      each: (n, { idempotencyKey }) =>
        each(Admin.entities.create({ kind: "x", payload: { n } }, { idempotencyKey }), () =>
          sent.has(idempotencyKey)
        ),
      onUnknown: (n) =>
        Effect.map(Admin.entities.list({ kind: "x", limit: 100 }), ({ items }) => {
          lookUps += 1
          return Option.fromNullable(items.find((entity) => Object(entity).n === n))
        })
    })
    const clients = Admin.layer({ baseUrl: "http://sandbox.test", projectId, ...admin })
    return yield* Effect.gen(function* () {
      const runner = Fleet.layer({ jobs: [job], store: yield* file, clients })
      return yield* Effect.gen(function* () {
        const run = yield* job.start({})
        const first = yield* run.wait
        const retried = yield* run.retry({ states: ["failed", "unknown"] })
        const { items } = yield* Effect.provide(
          Effect.zipRight(run.wait, Admin.entities.list({ kind: "x", limit: 100 })),
          clients
        )
        return { first, retried, last: yield* run.status, created: items.length, lookUps }
      }).pipe(Effect.provide(runner))
    }).pipe(Effect.provideService(Transport, slow))
  }).pipe(Effect.scoped, Effect.runPromise)

it("are asked about where the job's own time-out ended the call", async () => {
  const call = await composed((create, isSent) => {
    const late = Effect.repeat(Effect.sleep(1), { until: isSent })
    return Effect.mapError(
      // An answer that comes in time on a busy machine is none that was waited for.
      Effect.raceFirst(Effect.zipRight(create, Effect.never), Effect.zipRight(late, Effect.fail("late"))),
      () => new Error("it took too long")
    )
  })
  expect(call.first).toMatchObject({ state: "done", done: 5, failed: 0, unknown: 0 })
  expect([call.created, call.lookUps, call.retried]).toEqual([5, 5, 0])
})

it("leave an item unknown whose call was done and whose next step fails: it is asked about before it is tried again", async () => {
  const call = await composed((create) =>
    Effect.zipRight(
      Effect.mapError(create, () => new Error("no")),
      Effect.fail(new Error("the next step"))
    )
  )
  expect(call.first).toMatchObject({ state: "done", done: 0, failed: 0, unknown: 5 })
  expect(call.last).toMatchObject({ state: "done", done: 5, failed: 0, unknown: 0 })
  expect([call.created, call.lookUps, call.retried]).toEqual([5, 5, 5])
})
