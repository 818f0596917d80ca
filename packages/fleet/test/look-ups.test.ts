/** Rows whose answers are lost, where entries like them were there before: what is found need not be what the row became. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Sandbox from "@quartet/sandbox"
import * as Admin from "@quartet/sdk/admin"
import { type TransportService as Service, Transport } from "@quartet/sdk/extend"
import { temporaryFolder } from "@quartet/support/temporary.js"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import { identified } from "../jobs/identify.js"
import * as Fleet from "../jobs/index.js"

const folder = temporaryFolder("look-ups")

const { admin, projectId } = Sandbox.accounts
const at = { baseUrl: "http://sandbox.test", projectId }

/** Imports one row over a platform that honours no key and loses the first request or its answer. `before` was there already. */
const imported = (
  loss: "answer" | "request",
  before: ReadonlyArray<object>,
  meanwhile: ReadonlyArray<object> = [],
  /** The row's value, and what the platform makes of it wherever it reads it. */
  [sku, kept]: readonly [string, string] = ["s1", "s1"]
) =>
  Effect.gen(function* () {
    const { transport } = yield* Sandbox.make({ seed: 5 })
    const others = Admin.layer({ ...at, ...admin }).pipe(Layer.provide(Layer.succeed(Transport, transport)))
    const create = (payload: object) => Admin.entities.create({ kind: "shoe", payload })
    yield* Effect.provide(Effect.forEach(before, create), others)
    let isLost = false
    const lossy: Service = {
      start: (request, settle) => {
        const { "idempotency-key": _, ...headers } = request.headers
        const { body } = request
        const keyless = {
          ...request,
          headers,
          path: request.path.replaceAll(encodeURIComponent(sku), encodeURIComponent(kept)),
          ...(body?._tag === "Json"
            ? { body: { ...body, text: body.text.replaceAll(JSON.stringify(sku), JSON.stringify(kept)) } }
            : {})
        }
        if (request.operation !== "entities.create" || isLost) return transport.start(keyless, settle)
        isLost = true
        const lose = () => {
          Effect.runFork(
            Effect.provide(Effect.ignore(Effect.forEach(meanwhile, create)), others)
          ).addObserver(() => settle({ _tag: "Failed", reason: "Reset", sent: true, cause: undefined }))
        }
        if (loss === "answer") return transport.start(keyless, lose)
        lose()
        return () => true
      }
    }
    const path = join(folder, `${Math.random()}.ndjson`)
    writeFileSync(path, `${JSON.stringify({ sku, size: 40 })}\n`)
    const shoes = Fleet.importEntities({ kind: "shoe", identify: "sku" })
    const runner = Fleet.layer({
      jobs: [shoes],
      store: `file:${path}.db`,
      clients: Admin.layer({ ...at, ...admin })
    }).pipe(Layer.provide(Layer.succeed(Transport, lossy)))
    const result = yield* Effect.provide(
      Effect.gen(function* () {
        const run = yield* shoes.start({ file: path })
        const { done, unknown } = yield* run.wait
        const failures = Chunk.toReadonlyArray(yield* Stream.runCollect(run.failures))
        return { done, unknown, errors: failures.map(({ error }) => error) }
      }),
      runner
    )
    const { items } = yield* Effect.provide(Admin.entities.list({ kind: "shoe", limit: 500 }), others)
    return { ...result, created: items.filter(({ size }) => size === 40).length }
  }).pipe(Effect.runPromise)

const same = { sku: "s1", size: 39 }
const filled = Array.from({ length: 60 }, (_, n) => ({ sku: `other${n}` }))

describe("a row that is imported over a platform that honours no key", () => {
  it.each([
    ["nothing", []],
    ["other entries", filled],
    ["an entry with the same value", [same]],
    ["an entry with the same value among others", [...filled, same]]
  ])("is made once, whether it or its answer was lost, where %s was there before", async (_, before) => {
    for (const loss of ["answer", "request"] as const)
      expect(await imported(loss, before)).toMatchObject({ done: 1, unknown: 0, created: 1 })
  })

  it.each([
    ["in small letters", "Ann@X.com", "ann@x.com"],
    ["without spaces", " s1", "s1"],
    ["with one space", "a  b", "a b"],
    ["in another form", "Cafe\u0301", "Caf\u00e9"],
    ["without any space", "SW1A 1AA", "SW1A1AA"],
    ["in large letters", "Stra\u00dfe", "STRASSE"],
    ["in the small letters of another language", "IZMIR", "\u0131zm\u0131r"],
    ["without zeros", "007", "7"],
    ["without zeros before a letter", "0007A", "7A"],
    ["without zeros, of many digits", "000000000000000012345", "12345"],
    ["without its sign", "+7", "7"],
    // It finds them by what was sent.
    ["without a tag", "ann+shop@x.com", "ann@x.com"],
    ["without commas", "1,000", "1000"],
    ["as a date", "2026-01-02", "2026-01-02T00:00:00.000Z"]
  ])("is never made twice over one that keeps its value %s", async (_, sku, kept) => {
    expect(await imported("answer", [], [], [sku, kept])).toMatchObject({
      done: 0,
      unknown: 1,
      created: 1,
      errors: ['an entry is new whose "sku" is written in another way']
    })
    expect(await imported("request", filled, [], [sku, kept])).toMatchObject({ done: 1, created: 1 })
  })

  it("is unknown where two others with its value are new", async () => {
    expect(await imported("request", [same], [same, same])).toMatchObject({
      done: 0,
      unknown: 1,
      errors: ['several entries with this "sku" are new']
    })
  })

  it("is unknown where the platform does not filter, and nobody could see what was there", async () => {
    const plain = filled.map(({ sku: code }) => ({ data: { sku: code } }))
    expect(await imported("answer", plain)).toMatchObject({ done: 0, unknown: 1 })
  })
})

it.each([
  ["ann@x.com", "Ann@X.com"],
  ["7", "007"],
  ["a b", " a  b"],
  ["Caf\u00e9", "Cafe\u0301"]
])("rows whose values a platform may keep as one are refused: %j and %j", (left, right) => {
  const ruleOf = identified("sku")
  expect(ruleOf({ sku: left })).toBeUndefined()
  expect(ruleOf({ sku: right })).toMatchObject({ column: "sku" })
  expect(ruleOf({ sku: `${left}-2` })).toBeUndefined()
})

it.each(["", " ", "\t\u00a0"])("a row whose value is %j has none", (sku) => {
  expect(identified("sku")({ sku })).toMatchObject({ rule: expect.stringContaining("must be a text") })
})

it("without what was there before, an entry is no proof, and none is one", async () => {
  const { transport } = Effect.runSync(Sandbox.make({ seed: 5 }))
  const look = (sku: string, baseline: Option.Option<unknown>) =>
    Fleet.found(Admin.entities.list, { row: { sku }, field: "sku", input: { kind: "shoe" }, baseline })
  const looked = await Admin.entities
    .create({ kind: "shoe", payload: same })
    .pipe(
      Effect.zipRight(
        Effect.all([
          Effect.either(look("s1", Option.none())),
          Effect.either(look("s1", Option.some(null))),
          Effect.either(look("s2", Option.none()))
        ])
      ),
      Effect.provide(Admin.layer({ ...at, ...admin })),
      Effect.provideService(Transport, transport),
      Effect.runPromise
    )
  const unclear = {
    left: { message: 'an entry with this "sku" is there, and may have been there before the row was sent' }
  }
  expect(looked).toMatchObject([unclear, unclear, { right: { _tag: "None" } }])
})

describe("an entry is found by the list", () => {
  const { as, client, operation } = Admin.entities.list
  const { transport } = Effect.runSync(Sandbox.make({ seed: 5 }))
  const run = <A, E>(effect: Effect.Effect<A, E, Admin.Client>): Promise<A> =>
    effect.pipe(
      Effect.provide(Admin.layer({ ...at, ...admin })),
      Effect.provideService(Transport, transport),
      Effect.runPromise
    )
  /** A list that answers so, by its input. */
  const listing = (answer: (input: Readonly<Record<string, unknown>>) => object) =>
    Object.assign((input: object) => Effect.sync(() => answer({ ...input }) as never), {
      as,
      client,
      operation
    })
  const look = (
    list: ReturnType<typeof listing>,
    row: Readonly<Record<string, unknown>>,
    { before, field = "sku" }: { readonly before: ReadonlyArray<string>; readonly field?: string }
  ) =>
    Fleet.found(list, { row, field, input: { kind: "shoe" }, baseline: Option.some(before) }).pipe(
      Effect.map(Option.map((entry: { readonly _id: string }) => entry._id)),
      Effect.option,
      run
    )
  const all = (...items: ReadonlyArray<object>) =>
    listing(({ page }) => ({ items: page === 2 ? [] : items, paging: {} }))
  const foundId = (id: string) => Option.some(Option.some(id))

  it("by its own field, and not by that of another entry within it", async () => {
    const child = { _id: "2", sku: "K2", parent: { sku: "K1" } }
    const list = all({ _id: "0", sku: "K0" }, child)
    expect(await look(list, { sku: "K1" }, { before: ["0"] })).toEqual(Option.some(Option.none()))
    expect(await look(all({ _id: "1", data: { sku: "K1" } }), { sku: "K1" }, { before: [] })).toEqual(
      foundId("1")
    )
  })

  it("unless a new one says nothing of the field, where others do", async () => {
    const list = all({ _id: "0", sku: "K0" }, { _id: "1", title: "new" })
    expect(await look(list, { sku: "K1" }, { before: ["0"] })).toEqual(Option.none())
  })

  it("by its _id, whatever a project calls id", async () => {
    const items = [
      { _id: "1", id: "vendor", sku: "K0" },
      { _id: "2", id: "vendor", sku: "K1" }
    ]
    expect(await look(all(...items), { sku: "K1" }, { before: ["1"] })).toEqual(foundId("2"))
  })

  it("by a field that has the name of a page as by any other", async () => {
    const list = listing(({ page = 1 }) => ({ items: page === 1 ? [{ _id: "1", page: 7 }] : [], paging: {} }))
    expect(await look(list, { page: 7 }, { before: [], field: "page" })).toEqual(foundId("1"))
  })

  it.each([
    ["one alone", 1, {}, ["0"]],
    ["none", 0, {}, []],
    ["a page of ten of nobody knows how many", 10, {}, null],
    ["all ten", 10, { total: 10 }, expect.arrayContaining(["0", "9"])],
    ["ten of eleven", 10, { total: 11 }, null]
  ])("of those that were there before: %s", async (_, count, paging, ids) => {
    const items = Array.from({ length: count }, (_, at) => ({ _id: String(at), sku: "K1" }))
    const request = { row: { sku: "K1" }, field: "sku", input: { kind: "shoe" } }
    expect(
      await run(
        Fleet.foundBefore(
          listing(() => ({ items, paging })),
          request
        )
      )
    ).toEqual(ids)
  })
})
