/** The ready jobs over a store in a file and the sandbox, with answers that are lost on the way. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Sandbox from "@quartet/sandbox"
import * as Admin from "@quartet/sdk/admin"
import { type TransportService as Service, Transport } from "@quartet/sdk/extend"
import * as Private from "@quartet/sdk/private"
import { temporaryFolder } from "@quartet/support/temporary.js"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Fleet from "../jobs/index.js"

const folder = temporaryFolder("ready")

const file = (name: string, lines: ReadonlyArray<unknown> = []): string => {
  const path = join(folder, name)
  if (lines.length > 0) writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
  return path
}

const many = <A>(count: number, make: (n: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, n) => make(n))

const { control, transport } = Effect.runSync(Sandbox.make({ seed: 5 }))

/** Operations that the answers of some calls are lost of, and how many pass before each. */
const losing = new Map<string, number>()
let passed = 0
const lossy: Service = {
  start: (request, settle) => {
    const every = losing.get(request.operation)
    const isLost = every !== undefined && ++passed % every === 0
    if (entities !== undefined && request.operation === "entities.list") {
      settle({ _tag: "Answered", status: 200, header: () => undefined, body: bytes(entities) })
      return () => undefined
    }
    return transport.start(request, (outcome) =>
      settle(isLost ? { _tag: "Failed", reason: "Reset", sent: true, cause: undefined } : outcome)
    )
  }
}

/** What lists of entities are answered, where it is not what the sandbox says. */
let entities: string | undefined
const bytes = (text: string) => new TextEncoder().encode(text)

/** Loses the answer to each n-th call of an operation while something runs. */
const lossyWhile = async <A>(operation: string, every: number, work: Promise<A>): Promise<A> => {
  losing.set(operation, every)
  passed = 0
  return work.finally(() => losing.clear())
}

const { admin, privateKey, projectId } = Sandbox.accounts
const at = { baseUrl: "http://sandbox.test", projectId }
/** A lost answer is not asked for again by the client itself: it is what the jobs have to find out about. */
const once = { policy: { attempts: 1 } }
const port = Layer.succeed(Transport, lossy)
const clients = Layer.merge(
  Admin.layer({ ...at, ...admin, ...once }),
  Private.layer({ baseUrl: at.baseUrl, privateKey, ...once })
)
const here = Layer.provide(clients, port)

const importShoes = Fleet.importEntities({
  kind: "shoe",
  identify: "sku",
  row: Schema.Struct({ sku: Schema.String, price: Schema.Number }),
  page: 20
})
const importBags = Fleet.importEntities({ kind: "bag", identify: "sku", concurrency: 1, lanes: 1 })
const written: Array<unknown> = []
const importOwn = Fleet.importJob("importOwn", {
  identify: "code",
  row: Schema.Struct({ code: Schema.propertySignature(Schema.NumberFromString).pipe(Schema.fromKey("sku")) }),
  write: (row) => Effect.sync(() => written.push(row)),
  onUnknown: Fleet.leaveUnknown
})
const importBlind = Fleet.importEntities({ name: "importBlind", kind: "blind", concurrency: 1, lanes: 1 })
const exportShoes = Fleet.exportJob("exportShoes", {
  list: Admin.entities.list,
  input: { kind: "shoe", query: { sort: "createdAt" } },
  limit: 7,
  page: 10
})
const refunds = Fleet.refundsJob({ concurrency: 1, lanes: 1 })
const greet = Fleet.notifyUsers({
  payload: (userId, { campaign }) => ({ userId, title: campaign }),
  onUnknown: Fleet.sendAgain
})
const push = Fleet.notifyFromServer({
  by: "push",
  audience: () => Stream.make("nobody"),
  payload: (userId) => ({ userId, title: "Hello" })
})

const running = Fleet.layer({
  jobs: [importShoes, importBags, importOwn, importBlind, exportShoes, refunds, greet, push],
  store: `file:${join(folder, "fleet.db")}`,
  clients
}).pipe(Layer.provide(port))

let run: <A, E>(work: Effect.Effect<A, E, Fleet.Fleet | Admin.Client>) => Promise<A>
let close = () => Promise.resolve()
beforeAll(async () => {
  const runtime = ManagedRuntime.make(Layer.merge(running, here))
  run = (work) => runtime.runPromise(work)
  close = () => runtime.dispose()
  await runtime.runtime()
})
afterAll(() => close())

/** Runs a job to its end. */
const done = <I, R>(job: Fleet.Job<I, R>, input: I) =>
  Effect.gen(function* () {
    const run = yield* job.start(input)
    const progress = yield* run.wait
    const failures = Chunk.toReadonlyArray(yield* Stream.runCollect(run.failures))
    return { progress, failures, run }
  })

const shoes = Effect.map(Admin.entities.list({ kind: "shoe", limit: 100 }), ({ items }) => items)

describe("importing", () => {
  it("makes one entity of each row, also where answers are lost, and lists the rows that are none", async () => {
    const rows = many(60, (n) => (n === 13 ? { sku: "s13", price: "much" } : { sku: `s${n}`, price: n }))
    const path = file("shoes.ndjson", rows)
    const { failures, progress } = await lossyWhile(
      "entities.create",
      4,
      run(done(importShoes, { file: path }))
    )
    expect(progress).toMatchObject({ state: "done", total: 60, done: 59, failed: 1, unknown: 0 })
    expect(failures).toMatchObject([
      { item: 13, state: "failed", tag: "InputError", input: { sku: "s13", price: "much" } }
    ])
    expect(failures[0]?.error).toContain('the field "row.price" is not what the schema says')
    const shoesMade = await run(shoes)
    expect(shoesMade.map((shoe) => shoe.sku).sort()).toEqual(
      rows.flatMap(({ sku }) => (sku === "s13" ? [] : sku)).sort()
    )
  })

  it("refuses an option that there is not, by its name", () => {
    const misspelt = { kind: "shoe", lane: 3 }
    expect(() => Fleet.importEntities(misspelt)).toThrow(/lane/)
  })

  it("takes a row as unknown where there is no schema of it", () => {
    const write = (_: { readonly sku: string }) => Effect.void
    // @ts-expect-error: what stands in a file is of any shape.
    expect(Fleet.importJob("own", { write, onUnknown: Fleet.leaveUnknown }).name).toBe("own")
  })

  it("is the same run for the same file, and another for another key", async () => {
    const input = { file: file("shoes.ndjson") }
    const [first, again, third] = await run(
      Effect.all([
        importShoes.start(input),
        importShoes.start(input),
        Effect.tap(importShoes.start({ ...input, key: "more" }), (started) => started.cancel)
      ])
    )
    expect(again.id).toBe(first.id)
    expect(third.id).not.toBe(first.id)
  })

  it.each([
    [
      "bags.ndjson",
      '{"sku":"b1","n":1}\n\n{"sku":"b1","n":2}\n',
      '{"sku":"b1","n":1}\n\n{"sku":"b2","n":2}\n'
    ],
    ["bags.csv", "sku,n\nc1,1\n\nc1,2\n", "sku,n\nc1,1\n\nc2,2\n"]
  ])(
    "stops at a value that identifies two rows, and goes on once it is corrected, without a lost row: %s",
    async (name, content, corrected) => {
      const path = join(folder, name)
      writeFileSync(path, content)
      const countBags = () =>
        run(Effect.map(Admin.entities.list({ kind: "bag", limit: 100 }), ({ items }) => items.length))
      const before = await countBags()
      const { progress, run: startedRun } = await lossyWhile(
        "entities.create",
        1,
        run(done(importBags, { file: path }))
      )
      const line = name.endsWith("csv") ? 4 : 3
      expect(progress).toMatchObject({ state: "paused", failed: 0, unknown: 0 })
      expect(progress.error).toContain(
        `line ${line}, column "sku": this value stands in the file already, and identifies its row`
      )
      writeFileSync(path, corrected)
      await run(startedRun.resume)
      expect(await run(startedRun.wait)).toMatchObject({ state: "done", total: 2, done: 2 })
      expect((await countBags()) - before).toBe(2)
    }
  )

  it.each([
    ["", '{"sku":"","n":1}'],
    ["null", '{"sku":null}'],
    ["a list", '{"sku":["a"]}'],
    ["nothing", '{"n":1}']
  ])("stops at a row that has %s where it is to be identified", async (_, content) => {
    const path = join(folder, "unnamed.ndjson")
    writeFileSync(path, content)
    const { progress, run: startedRun } = await run(done(importBags, { file: path, key: content }))
    expect(progress).toMatchObject({ state: "paused", done: 0, failed: 0 })
    expect(progress.error).toContain(
      'line 1, column "sku": must be a text or a number that identifies the row'
    )
    await run(startedRun.cancel)
  })

  it("of its own identifies rows as its schema reads them, and lets one that is none fail by itself", async () => {
    const path = file("own.ndjson", [{ sku: "1" }, { sku: "x" }, { sku: "x" }, { sku: "1.0" }])
    const { progress, run: startedRun } = await run(done(importOwn, { file: path }))
    expect(progress.error).toContain('line 4, column "code": this value stands in the file already')
    await run(startedRun.cancel)
  })

  it("leaves a row unknown whose answer is lost where nothing identifies it", async () => {
    const path = file("blind.ndjson", [{ a: 1 }])
    const { failures, progress } = await lossyWhile(
      "entities.create",
      1,
      run(done(importBlind, { file: path }))
    )
    expect(progress).toMatchObject({ done: 0, failed: 0, unknown: 1 })
    expect(failures[0]?.error).toContain("nothing can be looked up")
  })
})

describe("exporting", () => {
  it("writes all entries once and in order, whatever the sizes of pages", async () => {
    const path = file("out.csv")
    const { progress } = await run(done(exportShoes, { file: path }))
    expect(progress).toMatchObject({ state: "done", done: 59 })
    const lines = readFileSync(path, "utf8").trim().split("\r\n")
    expect(lines[0]).toMatch(/^sku,price,kind,_id,/)
    const listed = await run(Admin.entities.list({ kind: "shoe", limit: 100, query: { sort: "createdAt" } }))
    expect(lines.slice(1).map((line) => line.split(",")[0])).toEqual(listed.items.map(({ sku }) => sku))
  })

  it("goes on at the page of the list at which it was", async () => {
    const { source } = exportShoes.definition
    const input = { file: file("resumed.ndjson") }
    const read = (skip: number) => {
      const sourced = source(input, skip)
      const items = "from" in sourced ? sourced.items : sourced
      return Effect.runPromise(
        Stream.runCollect(items as Stream.Stream<{ readonly sku: string }, unknown, Admin.Client>).pipe(
          Effect.map((all) => Chunk.toReadonlyArray(all).map(({ sku }) => sku)),
          Effect.provide(here)
        )
      )
    }
    const all = await read(0)
    control.clear()
    expect(await read(30)).toEqual(all.slice(30))
    const pages = control.log().flatMap(({ query }) => /[?&]?page=(\d+)/.exec(query)?.[1] ?? [])
    expect(pages).toEqual(["5", "6", "7", "8", "9"])
    expect(await read(59)).toEqual([])
  })
})

describe("refunding", () => {
  const payments = Admin.payments
    .list({ limit: 10, query: { status: "succeeded" } })
    .pipe(Effect.map(({ items }) => items))

  it("refunds each payment once, looks up lost answers, and lists what the platform refuses", async () => {
    const [first, two, three] = await run(payments)
    const path = file("refunds.ndjson", [
      { id: first?._id },
      { id: two?._id, amount: "1.50", reason: "late" },
      { id: three?._id, amount: -1 },
      { id: "nobody" }
    ])
    const { failures, progress } = await lossyWhile("payments.refund", 2, run(done(refunds, { file: path })))
    expect(progress).toMatchObject({ state: "done", done: 2, failed: 2, unknown: 0 })
    expect(failures.map(({ item, tag }) => [item, tag])).toEqual([
      [2, "InputError"],
      [3, "NotFound"]
    ])
    expect(await run(Admin.payments.get({ id: two?._id ?? "" }))).toMatchObject({
      status: "partially_refunded",
      refundedAmount: 1.5
    })
    const events = await run(Admin.payments.events({ id: first?._id ?? "" }))
    expect(events.items.filter(({ type }) => type === "refunded")).toHaveLength(1)
  })

  it("stops at a payment that stands in the file twice", async () => {
    const path = file("twice.ndjson", [{ id: "a" }, { _id: "a" }])
    const { progress, run: startedRun } = await run(done(refunds, { file: path }))
    expect(progress).toMatchObject({ state: "paused" })
    expect(progress.error).toContain('line 2, column "id": this payment stands in the file already')
    await run(startedRun.cancel)
  })
})

describe("notifying", () => {
  it("sends each user one notification, the same again with its key where the answer was lost", async () => {
    const users = await run(Admin.users.list({ limit: 100 }))
    const before = control.state.notifications.all().length
    const { progress } = await lossyWhile("notifications.send", 3, run(done(greet, { campaign: "spring" })))
    expect(progress).toMatchObject({ state: "done", failed: 0, unknown: 0, done: users.items.length })
    const sentNotifications = control.state.notifications.all().slice(before)
    expect(new Set(sentNotifications.map(({ userId }) => userId)).size).toBe(sentNotifications.length)
    expect(sentNotifications).toHaveLength(users.items.length)
  })

  it("by the server says which users the platform does not know", async () => {
    const { failures } = await run(done(push, { campaign: "x" }))
    expect(failures).toMatchObject([{ item: 0, input: "nobody", tag: "Rejected" }])
  })
})

describe("a row of a refund", async () => {
  const { refundOf } = await import("../jobs/refunds.js")
  it("is the whole where no amount is given", () => {
    expect(refundOf("refunds", { id: "a", amount: "" })).toMatchObject({
      right: { id: "a", amount: undefined }
    })
  })
  it.each([
    [{ _id: "p3", id: "p4" }, "id", "is another one than its _id: give one of them"],
    [{ _id: "", id: "p4" }, "id", "is another one than its _id: give one of them"],
    [{ id: "a", amount: null }, "amount", "must be a number above 0, such as 12.50"],
    [{ id: "a", reason: null }, "reason", "must be text"]
  ])("is refused where it says two things, or null: %j", (row, field, rule) => {
    expect(refundOf("refunds", row)).toMatchObject({ left: { field: `row.${field}`, rule } })
  })
  it("may have its id under both names", () => {
    expect(refundOf("refunds", { _id: "a", id: "a" })).toMatchObject({ right: { id: "a" } })
  })
  it.each(["Amount", "amout", "note"])("is refused where it has a field %s, which is none of it", (field) => {
    expect(refundOf("refunds", { id: "a", [field]: "1" })).toMatchObject({
      left: { field: `row.${field}`, rule: "is none of a refund's: id, amount and reason" }
    })
  })
})

describe("looking a row up in a list", () => {
  const look = (row: unknown, field: string, kind: string) =>
    run(
      Effect.either(
        Fleet.found(Admin.entities.list, { row, field, input: { kind }, baseline: Option.some([]) })
      )
    )

  it("finds it by the filter, and where the platform refuses that, by reading", async () => {
    expect(await look({ sku: "s7" }, "sku", "shoe")).toMatchObject({ right: { value: { sku: "s7" } } })
    expect(await look({ sku: "s777" }, "sku", "shoe")).toMatchObject({ right: { _tag: "None" } })
    await run(Admin.entities.create({ kind: "nested", payload: { data: { code: 7 } } }))
    expect(await look({ code: "7" }, "code", "nested")).toMatchObject({
      right: { value: { data: { code: 7 } } }
    })
    expect(await look({ code: "8" }, "code", "nested")).toMatchObject({ right: { _tag: "None" } })
  })

  it.each(["", "null", "{}", '{"message":"later"}'])(
    "fails where the answer is no list, which does not show that an entry is missing: %s",
    async (answer) => {
      entities = answer
      const outcome = await look({ sku: "s7" }, "sku", "shoe").finally(() => {
        entities = undefined
      })
      expect(outcome).toMatchObject({ left: { _tag: "AnswerError", reason: "Shape", rule: "is no list" } })
    }
  )

  it("does not know where no entry shows the field, or the row has none", async () => {
    expect(await look({ colour: "red" }, "colour", "shoe")).toMatchObject({
      left: { message: 'the platform shows no "colour" in what it lists' }
    })
    expect(await look({ sku: "" }, "sku", "shoe")).toMatchObject({
      left: { message: 'the row has no "sku" to look for' }
    })
  })
})
