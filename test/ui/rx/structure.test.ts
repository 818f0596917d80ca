// Two inputs are one question where they are sent alike, and only there.
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as fc from "effect/FastCheck"
import { describe, expect, test } from "vitest"
import { canonical, idOf, share } from "../../../ui/rx/structure.js"
import { adminClient, flush } from "./harness.js"

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
  const held = new WeakRef(adminClient([]).get())
  // A WeakRef keeps its target to the end of the task that made it.
  await flush()
  collect()
  expect(held.deref()).toBeUndefined()
})
