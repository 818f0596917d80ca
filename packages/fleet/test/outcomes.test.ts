/** Each item's first answer is another status: what a run makes of it is what the kernel's table says of that status. */

import * as Sandbox from "@quartet/sandbox"
import * as Admin from "@quartet/sdk/admin"
import {
  doneBy,
  isTransient,
  type Outcome,
  type TransportService as Service,
  Transport
} from "@quartet/sdk/extend"
import { patient } from "@quartet/support/patience.js"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { expect, it } from "vitest"
import * as Fleet from "../jobs/index.js"
import { file } from "./stores.js"

const { admin, projectId } = Sandbox.accounts
const statuses = Array.from({ length: 300 }, (_, at) => 300 + at)

const answered = (status: number): Outcome => ({
  _tag: "Answered",
  status,
  header: () => undefined,
  body: new Uint8Array()
})

/** A platform that answers the first request for each item with the status that the item is. */
const statusFirst = (): Service => {
  const { transport } = Effect.runSync(Sandbox.make({ seed: 5 }))
  const begun = new Set<number>()
  return {
    start: (request, settle) => {
      const { body, operation } = request
      const n = operation === "entities.create" && body?._tag === "Json" ? JSON.parse(body.text).n : undefined
      if (n === undefined || begun.has(n)) return transport.start(request, settle)
      begun.add(n)
      settle(answered(n))
      return () => undefined
    }
  }
}

it(
  "a run asks onUnknown after the statuses that leave a write in doubt, and after no other; it fails those that refuse it",
  async () => {
    const sentItems: Array<number> = []
    const job = Fleet.job("create", {
      concurrency: 32,
      input: Schema.Struct({}),
      item: Schema.Number,
      key: () => "all",
      source: () => Stream.fromIterable(statuses),
      each: (n, { idempotencyKey }) =>
        Admin.entities.create({ kind: "x", payload: { n } }, { idempotencyKey }),
      onUnknown: (n) =>
        Effect.sync(() => {
          sentItems.push(n)
          return Option.none()
        })
    })
    const failed = await Effect.gen(function* () {
      const clients = Admin.layer({ baseUrl: "http://sandbox.test", projectId, ...admin })
      const runner = Fleet.layer({ jobs: [job], store: yield* file, clients })
      return yield* Effect.gen(function* () {
        const run = yield* job.start({})
        const status = yield* run.wait
        expect(status).toMatchObject({ state: "done", unknown: 0 })
        return [...(yield* Stream.runCollect(run.failures))].map(({ input }) => Number(input))
      }).pipe(Effect.provide(runner))
    }).pipe(Effect.provideService(Transport, statusFirst()), Effect.scoped, Effect.runPromise)
    const sorted = (numbers: ReadonlyArray<number>) => [...numbers].sort((left, right) => left - right)
    expect(sorted(sentItems)).toEqual(statuses.filter((status) => doneBy(status) === "perhaps"))
    // A 401 has the client sign in anew.
    const refused = statuses.filter(
      (status) => doneBy(status) === "no" && !isTransient(status) && status !== 401
    )
    expect(sorted(failed)).toEqual(refused)
  },
  patient(60_000)
)

it(
  "an item that nobody can look up says what the platform had answered",
  async () => {
    const job = Fleet.job("create", {
      input: Schema.Struct({}),
      item: Schema.Number,
      key: () => "all",
      source: () => Stream.make(408, 500, 502, 503, 504),
      each: (n) => Admin.entities.create({ kind: "x", payload: { n } }),
      onUnknown: () => Effect.fail(new Error("nobody knows"))
    })
    const errors = await Effect.gen(function* () {
      const clients = Admin.layer({ baseUrl: "http://sandbox.test", projectId, ...admin })
      const runner = Fleet.layer({ jobs: [job], store: yield* file, clients })
      return yield* Effect.gen(function* () {
        const run = yield* job.start({})
        yield* run.wait
        return [...(yield* Stream.runCollect(run.failures))].map(({ error }) => error)
      }).pipe(Effect.provide(runner))
    }).pipe(Effect.provideService(Transport, statusFirst()), Effect.scoped, Effect.runPromise)
    expect(errors).toEqual(
      [408, 500, 502, 503, 504].map((status) => `nobody knows (the platform answered ${status})`)
    )
  },
  patient(60_000)
)

it(
  "a platform that is out of service (503) costs a write no attempt, however often, also where it has a key",
  async () => {
    const { transport } = Effect.runSync(Sandbox.make({ seed: 5 }))
    let left = 2
    const away: Service = {
      start: (request, settle) => {
        if (request.operation !== "entities.create" || left === 0) return transport.start(request, settle)
        left -= 1
        settle(answered(503))
        return () => undefined
      }
    }
    const job = Fleet.job("create", {
      input: Schema.Struct({}),
      attempts: 1,
      key: () => "all",
      source: () => Stream.make(1),
      each: (n, { idempotencyKey }) =>
        Admin.entities.create({ kind: "x", payload: { n } }, { idempotencyKey }),
      onUnknown: () => Effect.succeedNone
    })
    const status = await Effect.gen(function* () {
      const clients = Admin.layer({ baseUrl: "http://sandbox.test", projectId, ...admin })
      const runner = Fleet.layer({ jobs: [job], store: yield* file, clients })
      return yield* Effect.provide(
        Effect.flatMap(job.start({}), ({ wait }) => wait),
        runner
      )
    }).pipe(Effect.provideService(Transport, away), Effect.scoped, Effect.runPromise)
    expect(status).toMatchObject({ state: "done", done: 1, failed: 0, unknown: 0 })
  },
  patient(60_000)
)
