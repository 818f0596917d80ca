/** What `quartet job` makes of a store that is there or not, of items that there are or not, and of a file that is gone. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import type { Run } from "@quartet/fleet"
import { endless, mended, open, rows } from "@quartet/support/crew.js"
import { temporaryFolder } from "@quartet/support/temporary.js"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { list, show } from "../job/look.js"
import { migrateStore } from "../job/migrate.js"
import type {
  ExportOptions,
  ImportOptions,
  NotifyOptions,
  RefundsOptions,
  RunOptions
} from "../job/options.js"
import { runExport, runImport, runNotify, runRefunds } from "../job/run.js"
import { serve } from "../job/serve.js"
import { cancel, pause, remove, resume, retry, settle } from "../job/steer.js"
import type { Environment } from "../program.js"
import * as Terminal from "../terminal.js"

const environment = Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, Terminal.layer)

/** What a command ends with where nobody can be asked: `done`, or what it fails with. */
const ends = <A, E>(work: Effect.Effect<A, E, Environment>) =>
  work.pipe(
    Effect.as("done"),
    Effect.either,
    Effect.map(Either.merge),
    Effect.provideService(Terminal.CanAsk, false),
    Effect.provide(environment),
    Effect.runPromise
  )

/** What a command ends with, and what it says: lines of JSON to stdout, and lines to stderr. */
const outputOf = async <A, E>(work: Effect.Effect<A, E, Environment>) => {
  const written = { stdout: "", stderr: "" }
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text, ...others) => {
      written[name] += String(text)
      for (const argument of others) if (typeof argument === "function") argument()
      return true
    })
  )
  const ending = await ends(work).finally(() => {
    for (const spy of spies) spy.mockRestore()
  })
  const lines = (text: string) => text.split("\n").filter((line) => line !== "")
  return {
    ending,
    stdout: lines(written.stdout).map((line): unknown => JSON.parse(line)),
    stderr: lines(written.stderr)
  }
}

const folder = temporaryFolder("job")

const at = (store: string) => ({ store: Option.some(store), dotenv: Option.none(), isJson: true })

/** Another program that reads a store's file, from now on until it is ended. */
const reader = async (store: string) => {
  const program = spawn(
    process.execPath,
    [
      "--eval",
      `const file = new (require("libsql"))(process.argv[1])
       file.exec("BEGIN; SELECT * FROM quartet_failures")
       console.log("reads")
       process.stdin.resume().on("end", () => file.exec("COMMIT"))`,
      store.slice("file:".length)
    ],
    { stdio: ["pipe", "pipe", "inherit"] }
  )
  await once(program.stdout, "data")
  return {
    end: async () => {
      const exit = once(program, "exit")
      program.stdin.end()
      await exit
    }
  }
}

/** Whether a store's file, or its log, has a secret of an item. Another program looks: to close a file here would take its locks from the runner. */
const hasItems = (store: string) => {
  const look = `const { existsSync, readFileSync } = require("node:fs")
    const [, path] = process.argv
    console.log([path, path + "-wal"].some((file) => existsSync(file) && readFileSync(file).includes("hush-3")))`
  return (
    execFileSync(process.execPath, ["--eval", look, store.slice("file:".length)], {
      encoding: "utf8"
    }).trim() === "true"
  )
}

describe("a run that is removed while another program reads the store's file", () => {
  let crew: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    crew = await open()
  })
  afterAll(() => crew.end())

  it("can be read there until the next command after that, and it is said so", async () => {
    const run = await crew.start(rows, "removed.csv")
    await Effect.runPromise(run.wait)
    const reading = await reader(crew.store)
    const removed = await outputOf(
      remove({ ...at(crew.store), id: Option.some(run.id), olderThan: Option.none(), isAgreed: true })
    )
    expect(removed).toMatchObject({
      ending: "done",
      stderr: [
        "1 run removed",
        expect.stringMatching(/^what was deleted can still be read in the store's file/)
      ]
    })
    expect(hasItems(crew.store)).toBe(true)
    await reading.end()
    expect(await outputOf(list({ ...at(crew.store), job: Option.none() }))).toMatchObject({ ending: "done" })
    expect(hasItems(crew.store)).toBe(false)
    const other = await crew.start(rows, "other.csv")
    await Effect.runPromise(other.wait)
    const alone = await outputOf(
      remove({ ...at(crew.store), id: Option.some(other.id), olderThan: Option.none(), isAgreed: true })
    )
    expect(alone).toMatchObject({ ending: "done", stderr: ["1 run removed"] })
    expect(hasItems(crew.store)).toBe(false)
  })
})

describe("items that are named", () => {
  let crew: Awaited<ReturnType<typeof open>>
  let done: Run
  beforeAll(async () => {
    crew = await open()
    done = await crew.start(rows, "items.csv")
    await Effect.runPromise(done.wait)
  })
  afterAll(() => crew.end())

  const options = () => ({ ...at(crew.store), id: done.id })

  it.each([
    ["show --json", { isJson: true, hasFailures: false }],
    ["show --failures", { isJson: false, hasFailures: true }],
    ["show --failures --json", { isJson: true, hasFailures: true }],
    ["show", { isJson: false, hasFailures: false }]
  ])(
    "are shown by `job %s` without the secrets of their input, as `job serve` shows them",
    async (_, how) => {
      const lines: Array<string> = []
      const write = vi
        .spyOn(process.stdout, "write")
        .mockImplementation((...args: ReadonlyArray<unknown>) => {
          const [text, done] = args
          lines.push(String(text))
          // A command waits until what it printed was taken.
          if (typeof done === "function") queueMicrotask(() => Reflect.apply(done, undefined, []))
          return true
        })
      const ended = await ends(show({ ...options(), ...how })).finally(() => write.mockRestore())
      expect(ended).toBe("done")
      const all = lines.join("")
      expect(all).not.toContain("hush")
      if (how.isJson || how.hasFailures) expect(all).toMatch(/"title": ?"Row 3"/)
    }
  )
  const status = () => Effect.runPromise(done.status)

  it("are settled where all of them were not done; else none is, and the others are named, with a code of its own", async () => {
    expect(
      await ends(settle({ ...options(), isAll: false, items: Option.some([3, 9999, 4, 9999]) }))
    ).toMatchObject({
      message: `9999 and 4 are not among the items of the run ${done.id} that were not done. Nothing was changed.`,
      code: 4
    })
    expect(await status()).toMatchObject({ failed: 2, unknown: 1 })
    expect(await ends(settle({ ...options(), isAll: false, items: Option.some([3, 7, 3]) }))).toBe("done")
    expect(await status()).toMatchObject({ failed: 1, unknown: 0 })
    expect(await ends(settle({ ...options(), isAll: false, items: Option.some([3]) }))).toMatchObject({
      code: 4
    })
  })

  it("are tried again where all of them have failed; else none is, and the others are named, with a code of its own", async () => {
    const again = { ...options(), readAgain: false, isSent: false, isUnknown: false }
    expect(await ends(retry({ ...again, items: Option.some([11, 7]) }))).toMatchObject({
      message: `7 is not among the items of the run ${done.id} that failed. Nothing was changed.`,
      next: expect.stringContaining("; --unknown takes those too"),
      code: 4
    })
    expect(await status()).toMatchObject({ state: "done" })
    expect(await ends(retry({ ...again, items: Option.some([11]) }))).toBe("done")
  })

  it.each([
    ["none", Option.none(), false],
    ["some, and all", Option.some([3]), true]
  ])("are named, or all are meant: %s is refused", async (_, items, isAll) => {
    expect(await ends(settle({ ...options(), items, isAll }))).toMatchObject({
      message: "which items were done?",
      code: 2
    })
  })

  it("are sent without a look only where they are unknown", async () => {
    const wrong = { ...options(), readAgain: false, isSent: true, isUnknown: false, items: Option.none() }
    expect(await ends(retry(wrong))).toMatchObject({
      message: "--send is for items that are unknown",
      code: 2
    })
  })

  it("are named up to twenty", async () => {
    const items = Array.from({ length: 30 }, (_, n) => 100 + n)
    expect(await ends(settle({ ...options(), isAll: false, items: Option.some(items) }))).toMatchObject({
      message: expect.stringMatching(/^100, .*, 119 and 10 more are not among/)
    })
  })
})

describe("items that are unknown", () => {
  let crew: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    crew = await open()
  })
  afterAll(() => crew.end())

  const unknownRun = async (key: string) => {
    const run = await crew.start(rows, key)
    await Effect.runPromise(run.wait)
    return { run, options: { ...at(crew.store), id: run.id } }
  }

  it("are shown with the commands that send them, or note them as done", async () => {
    const { options, run } = await unknownRun("shown.csv")
    const written: Array<string> = []
    const write = vi.spyOn(process.stdout, "write").mockImplementation((...args: ReadonlyArray<unknown>) => {
      written.push(String(args[0]))
      for (const argument of args) if (typeof argument === "function") argument()
      return true
    })
    await ends(show({ ...options, isJson: false, hasFailures: false })).finally(() => write.mockRestore())
    const words = ` --store ${crew.store}`
    expect(written.join("")).toContain(`quartet job settle ${run.id} --all${words}`)
    expect(written.join("")).toContain(
      `quartet job retry ${run.id} --items <numbers> --unknown --send${words}`
    )
  })

  it("are asked about again without --send, and sent with it", async () => {
    const { options, run } = await unknownRun("sent.csv")
    const again = { ...options, readAgain: false, isUnknown: true, items: Option.some([7]) }
    expect(await ends(retry({ ...again, isSent: false }))).toBe("done")
    expect(await Effect.runPromise(run.wait)).toMatchObject({ done: 17, unknown: 1 })
    mended.add(7)
    expect(await ends(retry({ ...again, isSent: true }))).toBe("done")
    expect(await Effect.runPromise(run.wait)).toMatchObject({ done: 18, unknown: 0 })
    mended.delete(7)
  })

  it("are all noted as done with --all, and those that failed are not", async () => {
    const { options, run } = await unknownRun("settled.csv")
    expect(await ends(settle({ ...options, isAll: true, items: Option.none() }))).toBe("done")
    expect(await Effect.runPromise(run.status)).toMatchObject({ done: 18, failed: 2, unknown: 0 })
  })
})

describe("runs that are removed", () => {
  let crew: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    crew = await open()
  })
  afterAll(() => crew.end())

  const ids = async () => (await Effect.runPromise(crew.fleet.runs())).map(({ id }) => id)
  const options = () => ({ ...at(crew.store), id: Option.none(), olderThan: Option.none(), isAgreed: true })

  it("are named, or old: neither and both are refused", async () => {
    const refused = { message: "which runs are to be removed?", code: 2 }
    expect(await ends(remove(options()))).toMatchObject(refused)
    expect(
      await ends(remove({ ...options(), id: Option.some("a"), olderThan: Option.some(1) }))
    ).toMatchObject(refused)
  })

  it("are asked about, and have ended", async () => {
    const run = await crew.start(rows, "asked.csv")
    await Effect.runPromise(run.wait)
    const named = { ...options(), id: Option.some(run.id) }
    expect(await ends(remove({ ...named, isAgreed: false }))).toMatchObject({
      message: expect.stringContaining("does everything once more"),
      code: 2
    })
    expect(await ids()).toEqual([run.id])
    expect(await ends(remove(named))).toBe("done")
    expect(await ids()).toEqual([])
    const going = await crew.start(endless, "going")
    expect(await ends(remove({ ...options(), id: Option.some(going.id) }))).toMatchObject({
      message: expect.stringContaining("it cannot be removed")
    })
    await Effect.runPromise(going.cancel)
  })

  it("are refused before anybody is asked where they have not ended", async () => {
    const going = await crew.start(endless, "unasked")
    const unasked = { ...options(), id: Option.some(going.id), isAgreed: false }
    expect(await ends(remove(unasked))).toMatchObject({
      message: `the run ${going.id} is running: it cannot be removed`,
      next: `Cancel it first: quartet job cancel ${going.id} --store ${crew.store}`
    })
    await Effect.runPromise(going.cancel)
  })

  it("are cancelled after a question, which is left out where they have ended", async () => {
    const going = await crew.start(endless, "cancelled")
    const unasked = (id: string) => ends(cancel({ ...options(), id, isAgreed: false }))
    expect(await unasked(going.id)).toMatchObject({
      message: expect.stringContaining("It cannot be resumed"),
      code: 2
    })
    await Effect.runPromise(going.cancel)
    const done = await crew.start(rows, "done.csv")
    await Effect.runPromise(done.wait)
    expect(await unasked(done.id)).toMatchObject({ message: expect.stringContaining("cannot be cancelled") })
  })

  it("by their age are those alone that ended before it", async () => {
    const run = await crew.start(rows, "old.csv")
    const { endedAt } = await Effect.runPromise(run.wait)
    const going = await crew.start(endless, "young")
    expect(await ends(remove({ ...options(), olderThan: Option.some(3_600_000) }))).toBe("done")
    expect(await ids()).toContain(run.id)
    await vi.waitUntil(() => Date.now() > Number(endedAt) + 10)
    expect(await ends(remove({ ...options(), olderThan: Option.some(0) }))).toBe("done")
    expect(await ids()).toEqual([going.id])
    await Effect.runPromise(going.cancel)
  })

  it.each([
    ["ahead", 7_200_000],
    ["behind", -7_200_000]
  ])("are as old as the store says, where the machine's clock is %s", async (_, wrong) => {
    const run = await crew.start(rows, `wrong ${wrong}.csv`)
    const { endedAt } = await Effect.runPromise(run.wait)
    await vi.waitUntil(() => Date.now() > Number(endedAt) + 10)
    const real = Date.now.bind(Date)
    vi.spyOn(Date, "now").mockImplementation(() => real() + wrong)
    try {
      const young = await outputOf(remove({ ...options(), olderThan: Option.some(3_600_000) }))
      expect(young).toMatchObject({ ending: "done", stderr: ["there is nothing to remove"] })
      expect(await ids()).toContain(run.id)
      const asked = { ...options(), olderThan: Option.some(0) }
      expect(await ends(remove({ ...asked, isAgreed: false }))).toMatchObject({
        message: expect.stringMatching(/Remove .*does everything once more/)
      })
      const old = await outputOf(remove(asked))
      expect(old).toMatchObject({ ending: "done", stderr: [expect.stringMatching(/^\d+ runs? removed$/)] })
      expect(await ids()).not.toContain(run.id)
    } finally {
      vi.mocked(Date.now).mockRestore()
    }
  })
})

describe("the URL of a store", () => {
  const listed = (store: string) => ends(list({ ...at(store), job: Option.none() }))

  it.each([
    "postgres://me:hush@127.0.0.1/db",
    "postgres://me:hu/sh@127.0.0.1/db",
    "postgres://me:12#34@127.0.0.1/db",
    "postgres://127.0.0.1/db?user=me&password=hush",
    "postgresql://127.0.0.1:5432/db?pass%77ord=hush&schema=shop"
  ])("that holds a password is refused in an argument, wherever it stands: %s", async (store) => {
    expect(await listed(store)).toMatchObject({
      message: "--store holds a password, which other users of this machine can read",
      code: 2
    })
  })

  it.each([
    "postgres://me@127.0.0.1:1/db?user=me@here&schema=shop",
    "postgres://[::1]:1/db?user=me@here",
    `file:${join(folder, "none.db?password=no")}`
  ])("that holds none is not: %s", async (store) => {
    expect(JSON.stringify(await listed(store))).not.toContain("holds a password")
  })

  it.each(["postgres://127.0.0.1:abc/db", "postgres://me@127.0.0.1/db#1"])(
    "that cannot be read says so, and how its signs are written: %s",
    async (store) => {
      expect(await listed(store)).toMatchObject({
        message: expect.stringMatching(
          /^the store cannot be read as a URL: .*# is written as %23, \/ as %2F/
        ),
        next: expect.stringContaining("QUARTET_FLEET_STORE"),
        code: 2
      })
    }
  )
})

describe("a store that is not there", () => {
  const path = join(folder, "none here.db")
  const options = { ...at(`file:${path}`), id: "a" }
  it.each([
    ["list", list({ ...options, job: Option.none() })],
    ["show", show({ ...options, hasFailures: false })],
    ["pause", pause(options)],
    ["resume", resume(options)],
    ["cancel", cancel({ ...options, isAgreed: true })],
    ["retry", retry({ ...options, items: Option.none(), isSent: false, isUnknown: false, readAgain: false })],
    ["settle", settle({ ...options, isAll: false, items: Option.some([1]) })],
    ["rm", remove({ ...options, id: Option.some("a"), olderThan: Option.none(), isAgreed: true })],
    ["serve", serve({ ...options, port: 0 })],
    ["migrate", migrateStore({ ...options, isDry: false })]
  ])("is not made by `job %s`, which says where it looked", async (_, work) => {
    expect(await ends(work)).toMatchObject({ message: `there is no store of runs at ${path}`, code: 2 })
    expect(existsSync(path)).toBe(false)
  })
})

const standard: RunOptions = {
  ...at(`file:${join(folder, "fleet.db")}`),
  perSecond: Option.none(),
  inFlight: 16,
  isDry: false,
  isAgreed: false,
  platform: Option.none(),
  isSandbox: true
}

const refundsOf = (file: string): RefundsOptions => ({
  ...standard,
  file,
  delimiter: Option.none(),
  key: Option.none()
})

const exportTo = (file: string): ExportOptions => ({
  ...standard,
  file,
  call: "users.list",
  input: Option.none(),
  as: Option.none(),
  columns: [],
  keepsFormulas: false,
  key: Option.none()
})

const notificationsTo = (file: string): NotifyOptions => ({
  ...standard,
  file: Option.some(file),
  key: "spring",
  payload: '{"title":"Spring"}',
  receiver: "userId",
  to: "notifications.send",
  call: Option.none(),
  input: Option.none(),
  as: Option.none(),
  delimiter: Option.none(),
  honoursKeys: false,
  isRaw: false
})

it("a run that nobody agrees to makes no store", async () => {
  const path = join(folder, "refunds.csv")
  writeFileSync(path, "id\n1\n")
  const work = runRefunds(refundsOf(path))
  expect(await ends(work)).toMatchObject({ message: expect.stringContaining("It is about money"), code: 2 })
  expect(existsSync(join(folder, "fleet.db"))).toBe(false)
})

it("an export that is done and whose file is gone fails, and says how it is made again", async () => {
  const path = join(folder, "users.csv")
  const options = { ...exportTo(path), columns: ["_id"] }
  expect(await ends(runExport(options))).toBe("done")
  const whole = readFileSync(path, "utf8")
  rmSync(path)
  expect(await ends(runExport(options))).toMatchObject({
    _tag: "Problem",
    message: expect.stringMatching(/^the run [0-9a-f]{20} is done, and its file .*users\.csv is not there$/),
    next: expect.stringContaining("--key <text>")
  })
  expect(existsSync(path)).toBe(false)
  expect(await ends(runExport({ ...options, key: Option.some("again") }))).toBe("done")
  expect(readFileSync(path, "utf8")).toBe(whole)
  expect(await ends(runExport({ ...options, key: Option.some("again") }))).toBe("done")
})

describe("an import", () => {
  const items = join(folder, "items.csv")
  writeFileSync(items, "sku,price\na,1\nb,2\n")
  const options: ImportOptions = {
    ...standard,
    // The characters that a URL would end at.
    store: Option.some(`file:${join(folder, "100%? #1.db")}`),
    file: items,
    delimiter: Option.none(),
    to: "entities.create",
    as: Option.none(),
    input: Option.some('{"kind":"shoe"}'),
    identify: Option.some("sku"),
    numbers: ["price"],
    booleans: [],
    honoursKeys: false,
    isRaw: false,
    key: Option.none(),
    isAgreed: true
  }
  const written = (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    return { ...options, file: join(folder, name) }
  }

  it.each<[keyof ImportOptions, unknown, string]>([
    ["input", Option.some('{"kind":"hat"}'), "--input"],
    ["identify", Option.none(), "--identify"],
    ["numbers", [], "--numbers"],
    ["honoursKeys", true, "--honours-keys"]
  ])("that was done with another %s is no answer to this command", async (name, value, option) => {
    expect(await ends(runImport(options))).toBe("done")
    expect(await ends(runImport({ ...options, [name]: value }))).toMatchObject({
      message: expect.stringMatching(
        new RegExp(`^the run [0-9a-f]{20} of this key was started with another ${option}$`)
      ),
      next: expect.stringContaining("--key <text>"),
      code: 2
    })
    expect(await ends(runImport({ ...options, [name]: value, key: Option.some(option) }))).toBe("done")
  })

  it("is the same one wherever it is started from", async () => {
    expect(await ends(runImport(options))).toBe("done")
    const here = process.cwd()
    process.chdir(folder)
    try {
      expect(await ends(runImport({ ...options, file: "items.csv", numbers: [] }))).toMatchObject({
        message: expect.stringContaining("another --numbers")
      })
    } finally {
      process.chdir(here)
    }
  })

  it.each<[keyof ImportOptions, unknown, string]>([
    ["identify", Option.some("skuu"), '--identify: {file} has no column "skuu" (did you mean "sku"?)'],
    ["numbers", ["price", "prise"], '--numbers: {file} has no column "prise" (did you mean "price"?)'],
    ["booleans", ["isNew"], '--booleans: {file} has no column "isNew"'],
    [
      "input",
      Option.some('{"kind":"shoe","kindd":"a"}'),
      '--input: "kindd" is no field of entities.create (did you mean "kind"?)'
    ],
    [
      "input",
      Option.some('{"kind":12345678901234567890}'),
      "--input has a number with more digits than a number holds: write it as text"
    ],
    ["input", Option.some('{"kind":"shoe","kind":"hat"}'), '--input has "kind" twice: give it once']
  ])(
    "whose %s names what is not there is refused, also where it is tried first",
    async (name, value, message) => {
      for (const isDry of [false, true])
        expect(await ends(runImport({ ...options, [name]: value, isDry }))).toMatchObject({
          message: message.replace("{file}", items),
          code: 2
        })
    }
  )

  it.each([
    ["none.csv", undefined, /^there is no file /],
    ["twice.csv", "sku,price,sku\na,1,b\n", /the CSV, column "sku" is there twice$/],
    ["proto.csv", "sku,__proto__,price\na,x,1\n", /column "__proto__" has a name that no row can hold/],
    ["nameless.csv", "sku,,price\na,1,2\n", /the CSV has no name for its column 2$/],
    ["ragged.csv", "sku,price\na\n", /ragged\.csv, line 2: has more or fewer cells than there are columns$/],
    ["quoted.csv", 'sku,price\n"a,1\n', /the CSV has a quote that is not closed/]
  ])("of %s is refused with the rule", async (name, content, message) => {
    const of = content === undefined ? { ...options, file: join(folder, name) } : written(name, content)
    expect(await ends(runImport(of))).toMatchObject({ message: expect.stringMatching(message) })
  })

  const shoes = (cells: ReadonlyArray<string>) => `sku,price\n${cells.join("\n")}\n`

  it("keeps texts of which nobody says that they are numbers: ids, codes, and what a number would change", async () => {
    const of = written("codes.csv", "sku,ean,price\n007,12345678901234567890,12.50\n0x10,1e400,3\n")
    expect(await outputOf(runImport({ ...of, isDry: true }))).toMatchObject({
      ending: "done",
      stdout: [
        { input: { kind: "shoe", payload: { sku: "007", ean: "12345678901234567890", price: 12.5 } } },
        { input: { kind: "shoe", payload: { sku: "0x10", ean: "1e400", price: 3 } } }
      ]
    })
  })

  it.each([
    ["csv", "sku,password,note,apiToken\na,hush-1,it is hush-1,hush-2\n"],
    ["ndjson", '{"sku":"a","password":"hush-1","note":"it is hush-1","headers":{"Authorization":"hush-2"}}\n']
  ])("that is only tried shows the rows of a file of %s without their secrets", async (format, content) => {
    const { ending, stdout } = await outputOf(
      runImport({ ...written(`secrets.${format}`, content), numbers: [], isDry: true })
    )
    expect([ending, JSON.stringify(stdout)]).toEqual(["done", expect.stringContaining('"sku":"a"')])
    expect(JSON.stringify(stdout)).not.toContain("hush")
  })

  it.each(["12345678901234567890", "0x10", "0o17", "1e400", " 5", '"1,000"', "1 000", "007", "much"])(
    "refuses a number that is written as %s, with its row, and sends the others",
    async (cell) => {
      const of = written("odd.csv", shoes(["a,1", `b,${cell}`, "c,2"]))
      const { ending, stdout } = await outputOf(runImport({ ...of, key: Option.some(cell) }))
      expect(ending).toMatchObject({ message: expect.stringContaining("except for 1 that failed") })
      expect(stdout.at(-1)).toMatchObject({ state: "done", done: 2, failed: 1 })
      const id = String(Object(stdout.at(-1)).run)
      const failures = await outputOf(
        show({ ...at(Option.getOrThrow(options.store)), id, hasFailures: true })
      )
      expect(failures.stdout).toMatchObject([
        {
          item: 1,
          tag: "InputError",
          error: expect.stringMatching(/the field "row\.price" (must be|has more|is larger)/)
        }
      ])
    }
  )

  it("that is only tried reads the whole file, and lists every row that would be refused: line, column and rule", async () => {
    const of = written(
      "tried.csv",
      shoes(["a,1", "b,0x10", "c", '"d\nd",12345678901234567890', "", "e,5", "f,1,2", "g,"])
    )
    expect(await outputOf(runImport({ ...of, isDry: true }))).toEqual({
      ending: expect.objectContaining({
        message: `4 rows of ${of.file} would be refused, of 7 rows. Nothing was started.`,
        next: "Correct the file, and give the command again."
      }),
      stdout: [
        { call: "admin.entities.create", input: { kind: "shoe", payload: { sku: "a", price: 1 } } },
        { call: "admin.entities.create", input: { kind: "shoe", payload: { sku: "e", price: 5 } } },
        { call: "admin.entities.create", input: { kind: "shoe", payload: { sku: "g" } } }
      ],
      stderr: [
        'quartet: line 3, column "price": must be a number as JSON writes it, such as 12.50',
        "quartet: line 4: has more or fewer cells than there are columns",
        'quartet: line 5, column "price": has more digits than a number holds: leave it a text',
        "quartet: line 9: has more or fewer cells than there are columns"
      ]
    })
  })

  it("that is only tried shows twenty rows that would be refused, and counts all; the first calls are five", async () => {
    const cells = Array.from({ length: 2000 }, (_, n) => (n % 2 === 0 ? `a${n},${n}` : `a${n},x`))
    const { ending, stderr, stdout } = await outputOf(
      runImport({ ...written("many.csv", shoes(cells)), isDry: true })
    )
    expect(stdout).toHaveLength(5)
    expect(stderr).toHaveLength(21)
    expect(stderr[19]).toMatch(/^quartet: line 41, /)
    expect(stderr[20]).toBe("quartet: and 980 more rows")
    expect(ending).toMatchObject({
      message: expect.stringMatching(/^1000 rows of .* of 2000 rows\./)
    })
  })

  it.each([
    [
      "open.csv",
      'sku,price\na,x\n"b,1\n',
      /has a quote that is not closed at line \d; nothing behind it was read$/
    ],
    [
      "broken.ndjson",
      '{"sku":"a","price":"x"}\n{"sku":\n{"sku":12345678901234567890}\n',
      /line 3: has a number with more digits/
    ]
  ])("that is only tried lists what is no row too: %s", async (name, content, last) => {
    const { ending, stderr } = await outputOf(runImport({ ...written(name, content), isDry: true }))
    expect(stderr[0]).toContain('column "price": must be a number')
    expect(stderr.at(-1)).toMatch(last)
    expect(ending).toMatchObject({ message: expect.stringContaining("would be refused") })
  })

  it("that is only tried, as refunds or notifications are, lists the rows that these refuse", async () => {
    const refunds = written("tried-refunds.csv", "id,amount\np1,5\np2,-5\np1,3\n,1\n")
    expect((await outputOf(runRefunds({ ...refundsOf(refunds.file), isDry: true }))).stderr).toEqual([
      'quartet: line 3, column "amount": must be a number above 0, such as 12.50',
      'quartet: line 4, column "id": this payment stands in the file already',
      'quartet: line 5, column "id": must be the id of a payment as text'
    ])
    const users = written("tried-users.csv", "id,name\nu1,a\n,b\nu3,c\n")
    const notify = { ...notificationsTo(users.file), key: "a", isDry: true }
    const { stderr, stdout } = await outputOf(runNotify(notify))
    expect(stderr).toEqual(["quartet: line 3: has no userId, id or _id"])
    expect(stdout).toHaveLength(2)
  })

  it.each([
    ["same.csv", "sku,price\na,1\n,2\na,3\nb,4\n", [3, 4]],
    ["same.ndjson", '{"sku":"a","price":1}\n{"price":2}\n\n{"sku":"a"}\n{"sku":"b"}\n', [2, 4]]
  ])(
    "refuses rows that --identify does not tell apart, before it and where it is only tried: %s",
    async (name, content, [empty, twice]) => {
      const of = written(name, content)
      const rules = [
        `line ${empty}, column "sku": must be a text or a number that identifies the row`,
        `line ${twice}, column "sku": this value stands in the file already, and identifies its row`
      ]
      const tried = await outputOf(runImport({ ...of, isDry: true }))
      expect(tried.stderr).toEqual(rules.map((rule) => `quartet: ${rule}`))
      expect(tried.ending).toMatchObject({ message: expect.stringContaining("2 rows of") })
      expect(await ends(runImport(of))).toMatchObject({ message: expect.stringContaining(rules[0] ?? "") })
    }
  )

  it("identifies rows by the number that --numbers makes of a cell, not by how it is written", async () => {
    const of = { ...written("forms.csv", "sku,price\na,1\nb,1.0\n"), identify: Option.some("price") }
    expect((await outputOf(runImport({ ...of, isDry: true }))).stderr).toEqual([
      'quartet: line 3, column "price": this value stands in the file already, and identifies its row'
    ])
  })

  it("that is only tried, as refunds or notifications are, lists lines of NDJSON that say two things", async () => {
    const refunds = written(
      "two.ndjson",
      '{"_id":"p3","id":"p4"}\n{"id":"p5","amount":5,"am\\u006funt":50}\n{"id":"p6","amount":null}\n{"id":"p7"}\n'
    )
    const tried = await outputOf(runRefunds({ ...refundsOf(refunds.file), isDry: true }))
    expect(tried.stderr).toEqual([
      'quartet: line 1, column "id": is another one than its _id: give one of them',
      'quartet: line 2: has "amount" twice: give it once',
      'quartet: line 3, column "amount": must be a number above 0, such as 12.50'
    ])
    expect(tried.stdout).toMatchObject([{ input: { id: "p7" } }])
    const users = written("two-users.ndjson", '{"_id":"a","id":"b"}\n{"_id":"n1","id":"n2","userId":"u1"}\n')
    const notify = { ...notificationsTo(users.file), key: "two", isDry: true }
    const { stderr, stdout } = await outputOf(runNotify(notify))
    expect(stderr).toEqual(["quartet: line 1: has an id that is another one than its _id"])
    expect(stdout).toMatchObject([{ input: { payload: { userId: "u1" } } }])
  })

  it.each([
    ["exact.csv", "sku,price\na,0.1000000000000000055511151231257827\n"],
    ["exact.ndjson", '{"sku":"a","price":0.1000000000000000055511151231257827}\n']
  ])("refuses a fraction that a number would change, in either format: %s", async (name, content) => {
    const { stderr } = await outputOf(runImport({ ...written(name, content), isDry: true }))
    expect(stderr).toEqual([expect.stringContaining("more digits than a number holds")])
  })

  it("takes what is between the cells from the first line and says so, or as it is told", async () => {
    const { file } = written("semicolons.csv", "sku;price\na,b;1\n")
    const tried = { ...options, file, isDry: true }
    const calls = [
      { call: "admin.entities.create", input: { kind: "shoe", payload: { sku: "a,b", price: 1 } } }
    ]
    const guessed = await outputOf(runImport(tried))
    expect(guessed).toMatchObject({ ending: "done", stdout: calls })
    expect(guessed.stderr).toEqual([
      `quartet: ${file} is read with ";" between its cells, which its first line has most of: --delimiter says what it is`,
      expect.stringContaining("Nothing was started")
    ])
    const said = await outputOf(runImport({ ...tried, delimiter: Option.some(";") }))
    expect(said).toMatchObject({
      ending: "done",
      stdout: calls,
      stderr: [expect.stringContaining("Nothing was")]
    })
    expect(await ends(runImport({ ...options, file }))).toBe("done")
    expect(await ends(runImport({ ...options, file, delimiter: Option.some(";") }))).toBe("done")
    expect(
      await ends(
        runImport({ ...options, file, delimiter: Option.some("|"), numbers: [], identify: Option.none() })
      )
    ).toMatchObject({
      message: expect.stringContaining("--delimiter")
    })
    const tabs = written("tabs.csv", "sku\tprice\na\t1\n")
    for (const word of ["tab", "\\t", "\t"])
      expect(await ends(runImport({ ...tabs, isDry: true, delimiter: Option.some(word) }))).toBe("done")
    const lines = written("lines.ndjson", '{"sku":"a"}\n')
    expect(await ends(runImport({ ...lines, delimiter: Option.some(";") }))).toMatchObject({ code: 2 })
  })

  it("sends bodies with names that are nearly known ones where --raw says so, of rows and of notifications", async () => {
    const near = written("near.ndjson", '{"email":"zed@quartet.test","fulName":"Zed"}\n')
    const users = { ...near, to: "users.create", input: Option.none(), identify: Option.none(), numbers: [] }
    const refused = await outputOf(runImport({ ...users, isDry: true }))
    expect(refused.stderr).toEqual([
      'quartet: line 1, column "fulName": is not a field of this body (did you mean "fullName"?); --raw passes it'
    ])
    const passed = await outputOf(runImport({ ...users, isDry: true, isRaw: true }))
    expect(passed.stdout).toMatchObject([{ input: { payload: { fulName: "Zed" } } }])
    expect(await ends(runImport({ ...users, isRaw: true }))).toBe("done")
    expect(await ends(runImport(users))).toMatchObject({ message: expect.stringContaining("another --raw") })

    const notify = {
      ...notificationsTo(near.file),
      store: options.store,
      payload: '{"titel":"Spring"}',
      isRaw: true
    }
    const one = written("one-user.csv", "id\nu1\n")
    const tried = await outputOf(runNotify({ ...notify, file: Option.some(one.file), isDry: true }))
    expect(tried).toMatchObject({
      ending: "done",
      stdout: [{ input: { payload: { titel: "Spring", userId: "u1" } } }]
    })
    const useless = { ...options, input: Option.none(), isRaw: true, to: "files.delete", isDry: true }
    expect(await ends(runImport(useless))).toMatchObject({
      message: expect.stringContaining("has no names that --raw would pass")
    })
  })

  it("of notifications takes all users of the project, the oldest first, where no audience is named", async () => {
    const everybody = { ...notificationsTo(""), file: Option.none(), isDry: true }
    const { ending, stdout } = await outputOf(runNotify(everybody))
    expect(ending).toBe("done")
    expect(stdout).toHaveLength(5)
    const some = { ...everybody, input: Option.some('{"query":{"status":"inactive"}}') }
    expect((await outputOf(runNotify(some))).stdout).not.toEqual(stdout)
  })

  it("that pauses itself says how it goes on, in words that a shell takes", async () => {
    const { file } = written("users.csv", "name\nana\n")
    const notify = { ...notificationsTo(file), store: options.store, isAgreed: true }
    expect(await ends(runNotify(notify))).toMatchObject({
      message: expect.stringContaining("number 1 has no userId, id or _id"),
      next: expect.stringMatching(/quartet job resume [0-9a-f]{20} --store 'file:.*100%\? #1\.db'$/)
    })
  })

  it("reads files, and no folder", async () => {
    expect(await ends(runImport({ ...options, file: folder }))).toMatchObject({
      message: `${folder} is a folder`,
      code: 2
    })
    expect(await ends(runExport(exportTo(folder)))).toMatchObject({
      message: `${folder} is a folder`,
      code: 2
    })
  })
})
