// What is committed to a file outlives a crash of the machine once it is answered.
import { live } from "@quartet/support/effect.js"
import { Effect, Exit, Fiber } from "effect"
import { expect, vi } from "vitest"
import * as LogSync from "../store/log-sync.js"
import { client, file } from "./stores.js"

/** What is done in place of a sync. */
let syncing = (sync: () => Promise<void>): Promise<void> => sync()
vi.mock("../store/log-sync.js", async (original) => {
  const { make } = await original<typeof LogSync>()
  return {
    make: <E>(sync: () => Promise<void>, onError: (cause: unknown) => E) => make(() => syncing(sync), onError)
  }
})

const moment = Effect.sleep(20)

live(
  "whoever has written waits for a sync that began after that, and shares it with all who wait",
  function* () {
    const ends: Array<() => void> = []
    const sync = () => new Promise<void>((resolve) => ends.push(resolve))
    const synced = LogSync.make(sync, String)
    const first = yield* Effect.fork(synced)
    yield* moment
    const others = yield* Effect.fork(
      Effect.all([synced, synced], { concurrency: "unbounded", discard: true })
    )
    yield* moment
    expect(ends.length).toBe(1)
    ends[0]?.()
    yield* Fiber.join(first)
    yield* moment
    expect([ends.length, yield* Fiber.poll(others)]).toMatchObject([2, { _tag: "None" }])
    ends[1]?.()
    yield* Fiber.join(others)
    expect(ends.length).toBe(2)
  }
)

live("a sync that fails fails those who wait for it, and not those who come after", function* () {
  let count = 0
  const synced = LogSync.make(
    () => (++count === 1 ? Promise.reject(new Error("full")) : Promise.resolve()),
    String
  )
  expect([yield* Effect.flip(synced), yield* Effect.exit(synced)]).toEqual(["Error: full", Exit.void])
})

live(
  "a write to a file is answered once its log is synced, in a transaction too; a read beside a single write waits for none",
  function* () {
    const sql = yield* client(yield* file)
    yield* sql`CREATE TABLE numbers (number INTEGER PRIMARY KEY)`
    let end = (): void => undefined
    let syncs = 0
    syncing = () => {
      syncs += 1
      return new Promise((resolve) => {
        end = resolve
      })
    }
    const insert = sql`INSERT INTO numbers (number) VALUES (1)`
    const remove = sql.withTransaction(sql`DELETE FROM numbers`)
    for (const write of [insert, remove]) {
      const before = syncs
      const writing = yield* Effect.fork(write)
      yield* Effect.repeat(Effect.sleep(5), { until: () => syncs > before })
      // A transaction has the file to itself until it is answered.
      if (write === insert) yield* sql`SELECT number FROM numbers`
      expect(yield* Fiber.poll(writing)).toMatchObject({ _tag: "None" })
      end()
      yield* Fiber.join(writing)
    }
    expect(syncs).toBe(2)
    syncing = (sync) => sync()
  }
)
