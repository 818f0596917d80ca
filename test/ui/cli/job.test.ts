/** What `quartet job` makes of a store that is there or not, of items that there are or not, and of a file that is gone. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Run } from "../../../clients/fleet/index.js"
import type { RunGiven } from "../../../ui/cli/job/given.js"
import { list, show } from "../../../ui/cli/job/look.js"
import { run } from "../../../ui/cli/job/run.js"
import { serve } from "../../../ui/cli/job/serve.js"
import { cancel, pause, resume, retry, settle } from "../../../ui/cli/job/steer.js"
import type { Environment } from "../../../ui/cli/program.js"
import * as Terminal from "../../../ui/cli/terminal.js"
import { open, rows } from "../jobs/crew.js"

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

const folder = mkdtempSync(join(tmpdir(), "quartet-job-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const at = (store: string) => ({ store: Option.some(store), dotenv: Option.none(), isJson: true })

describe("items that are named", () => {
  let crew: Awaited<ReturnType<typeof open>>
  let done: Run
  beforeAll(async () => {
    crew = await open()
    done = await crew.start(rows, "items.csv")
    await Effect.runPromise(done.wait)
  })
  afterAll(() => crew.end())

  const given = () => ({ ...at(crew.store), id: done.id })
  const status = () => Effect.runPromise(done.status)

  it("are settled where all of them were not done; else none is, and the others are named, with a code of its own", async () => {
    expect(await ends(settle({ ...given(), items: [3, 9999, 4, 9999] }))).toMatchObject({
      message: `9999 and 4 are not among the items of the run ${done.id} that were not done. Nothing was changed.`,
      code: 4
    })
    expect(await status()).toMatchObject({ failed: 2, unknown: 1 })
    expect(await ends(settle({ ...given(), items: [3, 7, 3] }))).toBe("done")
    expect(await status()).toMatchObject({ failed: 1, unknown: 0 })
    expect(await ends(settle({ ...given(), items: [3] }))).toMatchObject({ code: 4 })
  })

  it("are tried again where all of them have failed; else none is, and the others are named, with a code of its own", async () => {
    const again = { ...given(), readAgain: false, isUnknown: false }
    expect(await ends(retry({ ...again, items: Option.some([11, 7]) }))).toMatchObject({
      message: `7 is not among the items of the run ${done.id} that failed. Nothing was changed.`,
      next: expect.stringContaining("; --unknown takes those too"),
      code: 4
    })
    expect(await status()).toMatchObject({ state: "done" })
    expect(await ends(retry({ ...again, items: Option.some([11]) }))).toBe("done")
  })

  it("are named up to twenty", async () => {
    const items = Array.from({ length: 30 }, (_, n) => 100 + n)
    expect(await ends(settle({ ...given(), items }))).toMatchObject({
      message: expect.stringMatching(/^100, .*, 119 and 10 more are not among/)
    })
  })
})

describe("a store that is not there", () => {
  const path = join(folder, "none here.db")
  const given = { ...at(`file:${path}`), id: "a" }
  it.each([
    ["list", list({ ...given, job: Option.none() })],
    ["show", show({ ...given, hasFailures: false })],
    ["pause", pause(given)],
    ["resume", resume(given)],
    ["cancel", cancel({ ...given, isAgreed: true })],
    ["retry", retry({ ...given, items: Option.none(), isUnknown: false, readAgain: false })],
    ["settle", settle({ ...given, items: [1] })],
    ["serve", serve({ ...given, port: 0 })]
  ])("is not made by `job %s`, which says where it looked", async (_, work) => {
    expect(await ends(work)).toMatchObject({ message: `there is no store of runs at ${path}`, code: 2 })
    expect(existsSync(path)).toBe(false)
  })
})

const standard: RunGiven = {
  ...at(`file:${join(folder, "fleet.db")}`),
  job: "export",
  file: Option.none(),
  to: Option.none(),
  call: Option.none(),
  input: Option.none(),
  as: Option.none(),
  identify: Option.none(),
  numbers: [],
  booleans: [],
  columns: [],
  keepsFormulas: false,
  payload: Option.none(),
  receiver: Option.none(),
  honoursKeys: false,
  key: Option.none(),
  module: Option.none(),
  perSecond: Option.none(),
  inFlight: 16,
  isDry: false,
  isAgreed: false,
  isSandbox: true
}

it("a run that nobody agrees to makes no store", async () => {
  const path = join(folder, "refunds.csv")
  writeFileSync(path, "id\n1\n")
  const work = run({ ...standard, job: "refunds", file: Option.some(path) })
  expect(await ends(work)).toMatchObject({ message: expect.stringContaining("It is about money"), code: 2 })
  expect(existsSync(join(folder, "fleet.db"))).toBe(false)
})

it("an export that is done and whose file is gone fails, and says how it is made again", async () => {
  const path = join(folder, "users.csv")
  const given = { ...standard, file: Option.some(path), call: Option.some("users.list"), columns: ["_id"] }
  expect(await ends(run(given))).toBe("done")
  const whole = readFileSync(path, "utf8")
  rmSync(path)
  expect(await ends(run(given))).toMatchObject({
    _tag: "Problem",
    message: expect.stringMatching(/^the run [0-9a-f]{20} is done, and its file .*users\.csv is not there$/),
    next: expect.stringContaining("--key <text>")
  })
  expect(existsSync(path)).toBe(false)
  expect(await ends(run({ ...given, key: Option.some("again") }))).toBe("done")
  expect(readFileSync(path, "utf8")).toBe(whole)
  expect(await ends(run({ ...given, key: Option.some("again") }))).toBe("done")
})

describe("an import", () => {
  const items = join(folder, "items.csv")
  writeFileSync(items, "sku,price\na,1\nb,2\n")
  const given: RunGiven = {
    ...standard,
    // The characters that a URL would end at.
    store: Option.some(`file:${join(folder, "100%? #1.db")}`),
    job: "import",
    file: Option.some(items),
    to: Option.some("entities.create"),
    input: Option.some('{"kind":"shoe"}'),
    identify: Option.some("sku"),
    numbers: ["price"],
    isAgreed: true
  }
  const written = (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    return { ...given, file: Option.some(join(folder, name)) }
  }

  it.each<[keyof RunGiven, unknown, string]>([
    ["input", Option.some('{"kind":"hat"}'), "--input"],
    ["identify", Option.none(), "--identify"],
    ["numbers", [], "--numbers"],
    ["honoursKeys", true, "--honours-keys"]
  ])("that was done with another %s is no answer to this command", async (name, value, option) => {
    expect(await ends(run(given))).toBe("done")
    expect(await ends(run({ ...given, [name]: value }))).toMatchObject({
      message: expect.stringMatching(
        new RegExp(`^the run [0-9a-f]{20} of this key was started with another ${option}$`)
      ),
      next: expect.stringContaining("--key <text>"),
      code: 2
    })
    expect(await ends(run({ ...given, [name]: value, key: Option.some(option) }))).toBe("done")
  })

  it("is the same one wherever it is started from", async () => {
    expect(await ends(run(given))).toBe("done")
    const here = process.cwd()
    process.chdir(folder)
    try {
      expect(await ends(run({ ...given, file: Option.some("items.csv"), numbers: [] }))).toMatchObject({
        message: expect.stringContaining("another --numbers")
      })
    } finally {
      process.chdir(here)
    }
  })

  it.each<[keyof RunGiven, unknown, string]>([
    ["identify", Option.some("skuu"), '--identify: {file} has no column "skuu" (did you mean "sku"?)'],
    ["numbers", ["price", "prise"], '--numbers: {file} has no column "prise" (did you mean "price"?)'],
    ["booleans", ["isNew"], '--booleans: {file} has no column "isNew"'],
    [
      "input",
      Option.some('{"kind":"shoe","kindd":"a"}'),
      '--input: "kindd" is no field of entities.create (did you mean "kind"?)'
    ]
  ])(
    "whose %s names what is not there is refused, also where it is tried first",
    async (name, value, message) => {
      for (const isDry of [false, true])
        expect(await ends(run({ ...given, [name]: value, isDry }))).toMatchObject({
          message: message.replace("{file}", items),
          code: 2
        })
    }
  )

  it.each([
    ["none.csv", undefined, /^there is no file /],
    ["semicolons.csv", "sku;price\na;1\n", /the CSV has ";" between its columns: save it with commas$/],
    ["nameless.csv", "sku,,price\na,1,2\n", /the CSV has no name for its column 2$/],
    ["ragged.csv", "sku,price\na\n", /the CSV has a row with more or fewer cells than columns at line 2$/],
    ["quoted.csv", 'sku,price\n"a,1\n', /the CSV has a quote that is not closed/]
  ])("of %s is refused with the rule", async (name, content, message) => {
    const of =
      content === undefined ? { ...given, file: Option.some(join(folder, name)) } : written(name, content)
    expect(await ends(run(of))).toMatchObject({ message: expect.stringMatching(message) })
  })

  it("that pauses itself says how it goes on, in words that a shell takes", async () => {
    const { file } = written("users.csv", "name\nana\n")
    const notify = { ...standard, store: given.store, isAgreed: true, job: "notify", file }
    const sent = { key: Option.some("spring"), payload: Option.some('{"title":"Spring"}') }
    expect(await ends(run({ ...notify, ...sent }))).toMatchObject({
      message: expect.stringContaining("number 1 has no userId, id or _id"),
      next: expect.stringMatching(/quartet job resume [0-9a-f]{20} --store 'file:.*100%\? #1\.db'$/)
    })
  })

  it("reads files, and no folder", async () => {
    expect(await ends(run({ ...given, file: Option.some(folder) }))).toMatchObject({
      message: `${folder} is a folder`,
      code: 2
    })
    const out = { ...standard, call: Option.some("users.list"), file: Option.some(folder) }
    expect(await ends(run(out))).toMatchObject({ message: `${folder} is a folder`, code: 2 })
  })
})
