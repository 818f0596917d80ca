// Several who use one database of PostgreSQL: two fleets in it, and users who may do less than a runner.

import { live } from "@quartet/support/effect.js"
import * as Postgres from "@quartet/support/postgres.js"
import { Chunk, Context, Duration, Effect, Layer, Schema, Stream } from "effect"
import { expect, vi } from "vitest"
import * as Fleet from "../jobs/index.js"
import { Platform } from "./platform.js"
import { client } from "./stores.js"

vi.mock("../jobs/times.js", () => import("./times.js"))

const postgres = Effect.acquireRelease(
  Effect.promise(() => Postgres.open()),
  ({ stop }) => Effect.promise(stop)
)

const numbers = (count: number) => Array.from({ length: count }, (_, item) => item)

const jobOn = (platform: Platform) =>
  Fleet.job("numbers", {
    input: Schema.Number,
    key: String,
    page: 10,
    source: (count) => Stream.fromIterable(numbers(count)),
    each: (item: number) => platform.send(undefined, item),
    onUnknown: (item: number) => platform.find(item)
  })

/** The same store, by another user or with something behind it. */
const storeOf = (url: string, { schema, user }: { readonly schema?: string; readonly user?: string }) => {
  const store = new URL(url)
  if (user !== undefined) [store.username, store.password] = [user, "secret"]
  if (schema !== undefined) store.searchParams.set("schema", schema)
  return store.href
}

live("two fleets of one database know nothing of each other, each in a schema of its own", function* () {
  const { query, url } = yield* postgres
  const fleets = yield* Effect.forEach(["shop", "office"], (schema) =>
    Effect.gen(function* () {
      const platform = new Platform(schema === "shop" ? { 3: "refused" } : {})
      const job = jobOn(platform)
      const store = storeOf(url, { schema })
      const context = yield* Layer.build(Fleet.layer({ jobs: [job], store, limits: { inFlight: 4 } }))
      return { context, job, platform, store }
    })
  )
  // The same job with the same key: a run of each.
  const ends = yield* Effect.forEach(
    fleets,
    ({ context, job }) =>
      Effect.provide(
        Effect.flatMap(job.start(40), (run) => run.wait),
        context
      ),
    { concurrency: "unbounded" }
  )
  expect(ends.map(({ done, failed, state }) => [state, done, failed])).toEqual([
    ["done", 39, 1],
    ["done", 40, 0]
  ])
  for (const { platform } of fleets)
    expect(platform.wrong(numbers(40).filter((item) => item !== 3))).toEqual([])
  for (const { context } of fleets) expect(yield* Context.get(context, Fleet.Fleet).runs()).toHaveLength(1)
  expect(
    yield* Effect.promise(() =>
      query("SELECT DISTINCT schemaname FROM pg_tables WHERE tablename LIKE 'quartet%' ORDER BY 1")
    )
  ).toBe("office\nshop")
})

live("a schema may have the name of a word of SQL, and its database no host before the query", function* () {
  const { url } = yield* postgres
  const { host, password, pathname, port, username } = new URL(url)
  const [hostname = ""] = host.split(":")
  const address = `postgres://${username}:${password}@${pathname}?host=${hostname}&port=${port}&schema=order`
  const sql = yield* client(address)
  expect(yield* sql`SELECT current_schema() AS schema`).toEqual([{ schema: "order" }])
})

live("a schema's name is one, and another option of the URL's connections holds beside it", function* () {
  const { url } = yield* postgres
  for (const schema of ["", "Shop", "a b", 'x"; DROP TABLE y', "pg_shop"])
    expect(
      yield* Effect.flip(Effect.scoped(Layer.build(Fleet.layerClient({ store: storeOf(url, { schema }) }))))
    ).toMatchObject({ _tag: "InputError", field: "store", rule: expect.stringContaining("schema") })
  const store = new URL(storeOf(url, { schema: "shop" }))
  store.searchParams.set("options", "-c statement_timeout=5s")
  const sql = yield* client(store.href)
  expect(yield* sql`SHOW statement_timeout`).toEqual([{ statement_timeout: "5s" }])
  expect(yield* sql`SHOW search_path`).toEqual([{ search_path: "shop" }])
})

live(
  "a database whose encoding cannot hold every text is refused, to who works and to who looks",
  function* () {
    const { query, url } = yield* postgres
    const of = (encoding: string) =>
      Effect.promise(async () => {
        await query(
          `CREATE DATABASE ${encoding.toLowerCase()} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`
        )
        const store = new URL(url)
        store.pathname = `/${encoding.toLowerCase()}`
        return store.href
      })
    const latin = yield* of("LATIN1")
    for (const store of [latin, storeOf(latin, { schema: "shop" })])
      for (const work of [
        Effect.asVoid(Layer.build(Fleet.layer({ jobs: [jobOn(new Platform({}))], store }))),
        Effect.asVoid(Layer.build(Fleet.layerClient({ store }))),
        Effect.asVoid(Fleet.migrate({ store, dryRun: true }))
      ])
        expect(yield* Effect.flip(Effect.scoped(work))).toMatchObject({
          _tag: "FleetError",
          reason: "Store",
          advice: expect.stringMatching(/encoding LATIN1.*ENCODING 'UTF8'/)
        })
    yield* Layer.build(Fleet.layerClient({ store: yield* of("SQL_ASCII") }))
  }
)

live("a user without USAGE on the schema hears so at once", function* () {
  const { query, url } = yield* postgres
  yield* Effect.scoped(Layer.build(Fleet.layerClient({ store: storeOf(url, { schema: "shop" }) })))
  yield* Effect.promise(() =>
    query("CREATE ROLE viewer LOGIN PASSWORD 'secret'; REVOKE ALL ON SCHEMA public FROM PUBLIC")
  )
  for (const [schema, advice] of [
    ["shop", "may not use its schema shop: it lacks USAGE, which GRANT USAGE ON SCHEMA shop TO"],
    [undefined, "no schema for its tables"]
  ] as const) {
    const store = storeOf(url, { user: "viewer", ...(schema === undefined ? {} : { schema }) })
    const [took, error] = yield* Effect.timed(
      Effect.flip(Effect.scoped(Layer.build(Fleet.layerClient({ store }))))
    )
    expect(error).toMatchObject({ reason: "Store", advice: expect.stringContaining(advice) })
    expect(Duration.toSeconds(took)).toBeLessThan(5)
  }
})

/** A store with a run that is done but for two items, and a paused one, and users who may do these things with its tables. */
const withUsers = (schema: string | undefined) =>
  Effect.gen(function* () {
    const { query, url } = yield* postgres
    const store = storeOf(url, schema === undefined ? {} : { schema })
    const platform = new Platform({ 3: "refused", 5: "dark" })
    const job = jobOn(platform)
    yield* Effect.scoped(
      Effect.flatMap(Layer.build(Fleet.layer({ jobs: [job], store })), (context) =>
        Effect.provide(
          Effect.flatMap(job.start(20), ({ wait }) => wait),
          context
        )
      )
    )
    const where = schema ?? "public"
    for (const [user, rights] of [
      ["viewer", "SELECT"],
      ["operator", "SELECT, INSERT, UPDATE, DELETE"]
    ])
      yield* Effect.promise(() =>
        query(
          `CREATE ROLE ${user} LOGIN PASSWORD 'secret'; GRANT USAGE ON SCHEMA ${where} TO ${user};
           GRANT ${rights} ON ALL TABLES IN SCHEMA ${where} TO ${user}`
        )
      )
    yield* Effect.promise(() => query("REVOKE CREATE ON SCHEMA public FROM PUBLIC"))
    const fleetOf = (user: string) =>
      Effect.map(
        Layer.build(Fleet.layerClient({ store: storeOf(store, { user }) })),
        Context.get(Fleet.Fleet)
      )
    return { fleetOf, job, platform, store }
  })

live.each([
  ["public", undefined],
  ["shop", "shop"]
] as const)(
  "a user who may only read looks at runs, and hears which right it lacks to steer them (schema %s)",
  function* ([, schema]) {
    const { fleetOf, job } = yield* withUsers(schema)
    const fleet = yield* fleetOf("viewer")
    const [run] = yield* fleet.runs()
    if (run === undefined) throw new Error("there is a run")
    expect(yield* run.status).toMatchObject({ state: "done", done: 18, failed: 1, unknown: 1 })
    expect(Chunk.size(yield* Stream.runCollect(run.failures))).toBe(2)
    expect(yield* run.input).toBe(20)
    const lacking = {
      reason: "Store",
      advice: expect.stringMatching(
        /permission denied for table quartet_\w+ \(42501\).* INSERT, UPDATE and DELETE/
      )
    }
    for (const steering of [
      run.retry(),
      run.settle([3]),
      run.remove,
      Effect.provideService(job.start(7), Fleet.Fleet, fleet)
    ])
      expect(yield* Effect.flip(Effect.asVoid(steering))).toMatchObject(lacking)
    expect(yield* run.status).toMatchObject({ state: "done", done: 18, failed: 1, unknown: 1 })
  }
)

live.each([
  ["public", undefined],
  ["shop", "shop"]
] as const)(
  "a user who may change rows and make no tables starts, steers and works (schema %s)",
  function* ([, schema]) {
    const { fleetOf, job, platform, store } = yield* withUsers(schema)
    const fleet = yield* fleetOf("operator")
    const paused = yield* Effect.provideService(job.start(7), Fleet.Fleet, fleet)
    yield* paused.pause
    yield* paused.resume
    yield* paused.cancel
    yield* paused.remove
    const [run] = yield* fleet.runs()
    expect(yield* run?.settle([5]) ?? Effect.succeed(0)).toBe(1)
    expect(yield* run?.retry() ?? Effect.succeed(0)).toBe(1)
    platform.heal()
    // Nor can it bar the first fleet from a store of before that was done.
    yield* Effect.flatMap(client(store), (sql) => sql`DROP TYPE quartet_lanes`)
    yield* Layer.build(
      Fleet.layer({ jobs: [job], store: storeOf(store, { user: "operator" }), limits: { inFlight: 2 } })
    )
    expect(yield* run?.wait ?? Effect.void).toMatchObject({ state: "done", done: 20, failed: 0 })
    expect(platform.wrong(numbers(20))).toEqual([])
  }
)
