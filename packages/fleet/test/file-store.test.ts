// The store in a file: several connections write to it at once, as several runners do.
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readlinkSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import type { SqlClient } from "@effect/sql/SqlClient"
import { live } from "@quartet/support/effect.js"
import { Effect, Fiber, Layer } from "effect"
import { expect, it } from "vitest"
import { fileOf, layer, numberOf } from "../store/store.js"
import { client, file } from "./stores.js"

/** Two runners on a file, with a table of numbers. */
const two = Effect.gen(function* () {
  const url = yield* file
  const first = yield* client(url)
  const second = yield* client(url)
  yield* first`CREATE TABLE numbers (number INTEGER PRIMARY KEY, text TEXT)`
  return { first, second, url }
})

const add = (sql: SqlClient, number: number) => sql`INSERT INTO numbers (number) VALUES (${number})`
const numbers = (sql: SqlClient) =>
  Effect.map(sql`SELECT number FROM numbers ORDER BY number`, (rows) =>
    rows.map(({ number }) => numberOf(number))
  )

/** A transaction that is open until it is told to end. */
const open = (sql: SqlClient) =>
  Effect.gen(function* () {
    const isOpen = yield* Effect.makeLatch()
    const end = yield* Effect.makeLatch()
    const fiber = yield* Effect.fork(
      add(sql, 1).pipe(Effect.zipRight(isOpen.open), Effect.zipRight(end.await), sql.withTransaction)
    )
    yield* isOpen.await
    return { fiber, end: Effect.zipRight(end.open, Fiber.join(fiber)) }
  })

const moment = Effect.sleep(50)

live(
  "what found the file busy is done once it is free, and hinders nothing that comes after it",
  function* () {
    const { first, second } = yield* two
    const writing = yield* open(first)
    const waiting = yield* Effect.fork(
      Effect.all(
        [
          add(second, 2),
          second`INSERT INTO numbers (number) VALUES (3) RETURNING number`,
          second.withTransaction(Effect.zipRight(add(second, 4), add(second, 5)))
        ],
        { concurrency: "unbounded" }
      )
    )
    // Who reads need not wait, and sees what was written before.
    expect(yield* numbers(second)).toEqual([])
    yield* moment
    yield* writing.end
    yield* Fiber.join(waiting)
    yield* second.withTransaction(add(second, 6))
    yield* first.withTransaction(add(first, 7))
    expect(yield* numbers(first)).toEqual([1, 2, 3, 4, 5, 6, 7])
  }
)

live(
  "a program that opens the file and ends leaves its log to several who are there in one process",
  function* () {
    const { first, second, url } = yield* two
    const path = url.slice("file:".length)
    const program =
      'const file = new (require("libsql"))(process.argv[1]); file.exec("SELECT * FROM numbers"); file.close()'
    for (const [number, sql] of [first, second].entries()) {
      execFileSync(process.execPath, ["--eval", program, path])
      expect(existsSync(`${path}-wal`)).toBe(true)
      yield* add(sql, number)
    }
    expect(yield* numbers(first)).toEqual([0, 1])
  }
)

live("what is interrupted while it waits for the file is not done, and hinders nothing", function* () {
  const { first, second } = yield* two
  const writing = yield* open(first)
  const waiting = yield* Effect.fork(
    Effect.all([add(second, 2), second.withTransaction(add(second, 3))], { concurrency: "unbounded" })
  )
  yield* moment
  const interrupted = yield* Effect.fork(Fiber.interrupt(waiting))
  yield* writing.end
  yield* Fiber.join(interrupted)
  expect(yield* numbers(second)).toEqual([1])
  yield* second.withTransaction(add(second, 4))
  expect(yield* numbers(first)).toEqual([1, 4])
})

live("what fails in a transaction, or is interrupted there, undoes all of it", function* () {
  const { first, second } = yield* two
  yield* Effect.flip(first.withTransaction(Effect.zipRight(add(first, 1), add(first, 1))))
  const writing = yield* open(first)
  yield* Fiber.interrupt(writing.fiber)
  yield* first.withTransaction(
    Effect.zipRight(
      add(first, 2),
      Effect.ignore(first.withTransaction(Effect.zipRight(add(first, 3), Effect.fail("no"))))
    )
  )
  yield* Effect.flip(add(second, 2))
  yield* add(second, 4)
  expect(yield* numbers(second)).toEqual([2, 4])
})

live("a statement waits for the transactions of its own process", function* () {
  const { first } = yield* two
  const writing = yield* open(first)
  const waiting = yield* Effect.fork(add(first, 2))
  yield* moment
  yield* Fiber.interrupt(writing.fiber)
  yield* Fiber.join(waiting)
  expect(yield* numbers(first)).toEqual([2])
})

live("numbers, texts and truth are kept; an empty value alone is one", function* () {
  const { first } = yield* two
  const big = 9_007_199_254_740_993n
  yield* first`INSERT INTO numbers VALUES (${big}, ${"it's"}), (2, ${true}), (3, ${null}), (4, ${new Date(5)})`
  yield* first`INSERT INTO numbers (text) VALUES (${null})`
  expect(yield* first`SELECT text FROM numbers WHERE number < 5 ORDER BY number`.values).toEqual([
    ["1"],
    [null],
    ["5"]
  ])
  expect(yield* first`SELECT * FROM numbers WHERE number = ${big}`).toEqual([{ number: big, text: "it's" }])
})

live("a client has one connection, however many transactions there were", function* () {
  const { first, url } = yield* two
  const files = () =>
    readdirSync("/proc/self/fd").filter((name) => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`) === url.slice("file:".length)
      } catch {
        return false
      }
    }).length
  const before = files()
  for (let number = 0; number < 200; number++) yield* first.withTransaction(add(first, number))
  expect(before).toBe(2)
  expect(files()).toBe(before)
})

live("a file is the one that its URL names, whatever is in its name", function* () {
  const folder = dirname((yield* file).slice("file:".length))
  for (const name of ["a?b.db", "a#b.db", "a%20b.db", "a%b.db"]) {
    const path = join(folder, name)
    expect(fileOf(`file:${path}`)).toBe(path)
    yield* client(`file:${path}`)
    expect(existsSync(path)).toBe(true)
  }
  const path = join(folder, "c d.db")
  expect(fileOf(pathToFileURL(path).href)).toBe(path)
  yield* client(pathToFileURL(path).href)
  expect(existsSync(path)).toBe(true)
})

live("what cannot be a store is named, with the rule that it breaks", function* () {
  const folder = dirname((yield* file).slice("file:".length))
  writeFileSync(
    join(folder, "text.db"),
    "This is no database, but a text that is long enough to be read as one.".repeat(20)
  )
  for (const [path, rule] of [
    [folder, "is a folder: name a file in it"],
    [join(folder, "none", "a.db"), `is in a folder that is not there: make ${join(folder, "none")}`],
    [join(folder, "text.db"), "is no database: name another file"]
  ])
    expect(yield* Effect.flip(Effect.scoped(Layer.build(layer(`file:${path}`))))).toMatchObject({
      reason: "Store",
      advice: `the fleet's store ${path} ${rule}`
    })
})

it.each(["postgres://host/file:a", "file:", "file://host/a.db", "fleet.db"])("%s names no file", (url) => {
  expect(fileOf(url)).toBe(undefined)
})

/** How many files of this folder the process holds. */
const heldIn = (folder: string): number =>
  readdirSync("/proc/self/fd").filter((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`).startsWith(folder)
    } catch {
      return false
    }
  }).length

live("a client that was closed holds no file, however many statements there were", function* () {
  const url = yield* file
  const folder = dirname(url.slice("file:".length))
  yield* Effect.scoped(
    Effect.gen(function* () {
      const sql = yield* client(url)
      yield* sql`CREATE TABLE numbers (number INTEGER PRIMARY KEY)`
      for (let number = 0; number < 20; number++) yield* add(sql, number)
      expect(yield* numbers(sql)).toHaveLength(20)
      expect(heldIn(folder)).toBeGreaterThan(0)
    })
  )
  expect(heldIn(folder)).toBe(0)
})

live("a file that cannot be read as a database is not held either", function* () {
  const folder = dirname((yield* file).slice("file:".length))
  const path = join(folder, "text.db")
  writeFileSync(path, "no database".repeat(500))
  yield* Effect.flip(Effect.scoped(Layer.build(layer(`file:${path}`))))
  expect(heldIn(folder)).toBe(0)
})

live("the file of a store, and those beside it, are their owner's alone", function* () {
  const url = yield* file
  const path = url.slice("file:".length)
  const sql = yield* client(url)
  yield* sql`CREATE TABLE numbers (number INTEGER PRIMARY KEY)`
  const modes = readdirSync(dirname(path)).map((name) => statSync(join(dirname(path), name)).mode & 0o777)
  expect(modes).toEqual([0o600, 0o600, 0o600])
})

live("a file that was there keeps its mode", function* () {
  const url = yield* file
  const path = url.slice("file:".length)
  writeFileSync(path, "", { mode: 0o640 })
  yield* client(url)
  expect(statSync(path).mode & 0o777).toBe(0o640)
})

live("a client that was closed fails, in a transaction too, and the process goes on", function* () {
  const url = yield* file
  const sql = yield* Effect.scoped(client(url))
  const half = yield* Effect.scoped(
    Effect.gen(function* () {
      const second = yield* client(url)
      const isOpen = yield* Effect.makeLatch()
      const end = yield* Effect.makeLatch()
      const fiber = yield* Effect.forkDaemon(
        second.withTransaction(Effect.zipRight(isOpen.open, Effect.zipRight(end.await, add(second, 1))))
      )
      yield* isOpen.await
      return Effect.zipRight(end.open, Fiber.await(fiber))
    })
  )
  const works = [add(sql, 1), Effect.asVoid(numbers(sql)), sql.withTransaction(add(sql, 1))]
  for (const work of works) expect((yield* Effect.exit(Effect.asVoid(work)))._tag).toBe("Failure")
  expect((yield* half)._tag).toBe("Failure")
})
