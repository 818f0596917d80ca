/** A program with a database of its own, which uses a fleet in the middle of a transaction there. */
import { randomBytes } from "node:crypto"
import * as Sandbox from "@quartet/sandbox"
import * as Admin from "@quartet/sdk/admin"
import { Transport } from "@quartet/sdk/extend"
import { live } from "@quartet/support/effect.js"
import { ConfigProvider, Effect, Schema, Stream } from "effect"
import { expect } from "vitest"
import * as Fleet from "../jobs/index.js"
import { client, file } from "./stores.js"

const { admin, projectId } = Sandbox.accounts
const key = ConfigProvider.fromMap(new Map([["QUARTET_FLEET_KEY", randomBytes(32).toString("base64")]]))

live("neither runs, limits nor sessions stand in that transaction", function* () {
  const { transport } = yield* Sandbox.make({ seed: 5 })
  const own = yield* client(yield* file)
  yield* own`CREATE TABLE seen (n INTEGER)`
  const create = Fleet.job("create", {
    input: Schema.Struct({}),
    key: () => "all",
    lanes: 1,
    concurrency: 1,
    source: () => Stream.range(0, 7),
    each: (n, { idempotencyKey }) =>
      Effect.zipRight(
        own`INSERT INTO seen (n) VALUES (${n})`,
        Admin.entities.create({ kind: "x", payload: { n } }, { idempotencyKey })
      ).pipe(own.withTransaction),
    onUnknown: Fleet.sendAgain
  })
  const runner = Fleet.layer({
    jobs: [create],
    store: yield* file,
    limits: { perSecond: 1000, inFlight: 4 },
    clients: Admin.layer({ baseUrl: "http://sandbox.test", projectId, ...admin })
  })
  const ended = yield* Effect.gen(function* () {
    const run = yield* own.withTransaction(create.start({}))
    yield* run.wait
    return yield* own.withTransaction(run.status)
  }).pipe(Effect.provide(runner), Effect.provideService(Transport, transport), Effect.withConfigProvider(key))
  expect(ended).toMatchObject({ state: "done", done: 8, error: undefined })
  expect(yield* own`SELECT n FROM seen ORDER BY n`).toHaveLength(8)
})
