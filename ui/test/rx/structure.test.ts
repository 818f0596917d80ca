// Two inputs are one question where they are sent alike, and only there.
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { adminClient, flush } from "@quartet/support/react.js"
import { Option, Schema } from "effect"
import * as fc from "effect/FastCheck"
import { describe, expect, test } from "vitest"
import { canonical, idOf, share } from "../../rx/structure.js"

class Place extends Schema.Class<Place>("Place")({ city: Schema.String, at: Schema.Date }) {}
class Visit extends Schema.Class<Visit>("Visit")({
  _id: Schema.String,
  notes: Schema.Array(Schema.String),
  place: Place,
  until: Schema.OptionFromNullOr(Schema.Date)
}) {}

const text = (input: unknown): string => canonical(input).text

const doubles = fc.double({ noDefaultInfinity: false })
const dates = fc.date({ noInvalidDate: true })
const scalars = fc.oneof(fc.string(), doubles, fc.boolean(), fc.constant(null), dates)
const inputs = fc.letrec((tie) => {
  const lists = fc.array(tie("value"), { maxLength: 4 })
  const records = fc.dictionary(fc.string(), tie("value"), { maxKeys: 4 })
  return { value: fc.oneof({ maxDepth: 3 }, scalars, lists, records) }
}).value

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== "object" || value === null || value instanceof Date) return value
  const fields = Object.entries(value).map(([name, field]) => [name, reversed(field)] as const)
  return Object.fromEntries(fields.reverse())
}

describe("canonical", () => {
  test("is the same for a copy, whatever the order of fields, and reads no input as an empty one", () => {
    fc.assert(fc.property(inputs, (input) => text(reversed(structuredClone(input))) === text(input)))
    expect(text(undefined)).toBe(text({}))
  })

  test("is different for what differs", () => {
    const scalar = [1, "1", true, "true", null, new Date(1), 1n, "D1", Number.NaN, "NaN"]
    const fields = [...scalar, [1], [[1]], [1, 1], { b: 1 }, [undefined], ["undefined"]].map((a) => ({ a }))
    const different = [{}, ...fields, { "a:1": 1 }, { 'a":1,"b': 1 }, { a: 1, b: 1 }]
    expect(new Set(different.map(text)).size).toBe(different.length)
  })

  test("takes what has no structure by identity, and says that it means nothing elsewhere", () => {
    const file = new Blob(["a"])
    expect(canonical({ file })).toEqual(canonical({ file }))
    expect(text({ file })).not.toBe(text({ file: new Blob(["a"]) }))
    expect(canonical({ file }).isPortable).toBe(false)
    expect(canonical({ a: [new Date(0)] }).isPortable).toBe(true)
  })

  test("ends at a cycle", () => {
    const input: Record<string, unknown> = {}
    input.self = input
    expect(text(input)).toBe(`{"self":@${idOf(input)}}`)
  })
})

test("sharing keeps the previous value where the next one equals it, and is always equal to the next one", () => {
  fc.assert(fc.property(inputs, (input) => Object.is(share(input, structuredClone(input)), input)))
  fc.assert(fc.property(inputs, inputs, (previous, next) => void expect(share(previous, next)).toEqual(next)))
  expect(Object.keys(share<object>({ a: undefined }, { b: undefined }))).toEqual(["b"])
})

test("a query that nobody holds is forgotten", async () => {
  setFlagsFromString("--expose-gc")
  const collect: () => void = runInNewContext("gc")
  const reference = new WeakRef(adminClient([]).get())
  // A WeakRef keeps its target to the end of the task that made it.
  await flush()
  collect()
  expect(reference.deref()).toBeUndefined()
})

describe("sharing instances", () => {
  const json = {
    _id: "v1",
    notes: ["a"],
    place: { city: "Tbilisi", at: "2024-05-01T10:00:00.000Z" },
    until: null
  }
  const visit = (more: object = {}): Visit => Schema.decodeUnknownSync(Visit)({ ...json, ...more })
  const before = visit()

  test("keeps one of a class of Schema that holds the same, at any depth", () => {
    expect(share(before, visit())).toBe(before)
    const list = { items: [before, visit({ _id: "v2" })] }
    expect(share(list, { items: [visit(), visit({ _id: "v2" })] })).toBe(list)
    const some = visit({ until: "2024-05-02T10:00:00.000Z" })
    expect(share(some, visit({ until: "2024-05-02T10:00:00.000Z" }))).toBe(some)
  })

  test.each([
    { _id: "v2" },
    { notes: ["b"] },
    { notes: [] },
    { place: { ...json.place, city: "Batumi" } },
    { until: json.place.at }
  ])("takes the next one where it differs: %j", (more) => {
    const next = visit(more)
    expect(share(before, next)).toBe(next)
    expect(share([before], [next])[0]).toBe(next)
  })

  test("takes the next one of another class, of no class and of one that does not compare by what it holds", () => {
    class Other extends Schema.Class<Other>("Other")({ city: Schema.String, at: Schema.Date }) {}
    class Secret {
      readonly shown = 1
      constructor(readonly hidden: () => number) {}
    }
    const at = new Date(0)
    const pairs: ReadonlyArray<readonly [unknown, unknown]> = [
      [new Place({ city: "a", at }), new Other({ city: "a", at })],
      [new Place({ city: "a", at }), { city: "a", at }],
      [new Secret(() => 1), new Secret(() => 1)],
      [new Map([["a", 1]]), new Map([["a", 1]])],
      [Option.some(1), Option.none()]
    ]
    for (const [previous, next] of pairs) expect(share(previous, next)).toBe(next)
  })
})
