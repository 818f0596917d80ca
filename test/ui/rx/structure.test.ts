// Two inputs are one question where they are sent alike, and only there.

import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as fc from "effect/FastCheck"
import { describe, expect, test } from "vitest"
import * as Admin from "../../../clients/admin/index.js"
import { canonical, idOf, share } from "../../../ui/rx/structure.js"
import { adminClient, turn } from "./scripted.js"

const text = (input: unknown): string => canonical(input).text

const scalars = fc.oneof(
  fc.string(),
  fc.double({ noDefaultInfinity: false }),
  fc.boolean(),
  fc.constant(null),
  fc.date({ noInvalidDate: true })
)
const inputs = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalars,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie("value"), { maxKeys: 4 })
  )
})).value

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== "object" || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, field]) => [name, reversed(field)])
  )
}

describe("canonical", () => {
  test("does not depend on the order of fields", () => {
    fc.assert(fc.property(inputs, (input) => text(reversed(input)) === text(input)))
  })

  test("is the same for a copy", () => {
    fc.assert(fc.property(inputs, (input) => text(structuredClone(input)) === text(input)))
  })

  test("is different for what differs", () => {
    const different: ReadonlyArray<unknown> = [
      {},
      { a: 1 },
      { a: "1" },
      { a: true },
      { a: "true" },
      { a: null },
      { a: new Date(1) },
      { a: 1n },
      { a: "D1" },
      { a: [1] },
      { a: [[1]] },
      { a: [1, 1] },
      { a: { b: 1 } },
      { "a:1": 1 },
      { 'a":1,"b': 1 },
      { a: 1, b: 1 },
      { a: Number.NaN },
      { a: "NaN" },
      { a: [undefined] },
      { a: ["undefined"] }
    ]
    expect(new Set(different.map(text)).size).toBe(different.length)
  })

  test("reads no input as an empty one", () => {
    expect(text(undefined)).toBe(text({}))
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

describe("sharing", () => {
  test("keeps the previous value where the next one equals it", () => {
    fc.assert(fc.property(inputs, (input) => Object.is(share(input, structuredClone(input)), input)))
  })

  test("is always equal to the next value", () => {
    fc.assert(
      fc.property(inputs, inputs, (previous, next) => {
        expect(share(previous, next)).toEqual(next)
      })
    )
  })

  test("does not confuse a missing field with one that is undefined", () => {
    expect(Object.keys(share<object>({ a: undefined }, { b: undefined }))).toEqual(["b"])
  })
})

test("a query that nobody holds is forgotten", async () => {
  setFlagsFromString("--expose-gc")
  const collect: () => void = runInNewContext("gc")
  const { client } = adminClient([])
  const held = new WeakRef(client.query(Admin.requests.get, { id: "r1" }))
  // A WeakRef keeps its target to the end of the task that made it.
  await turn()
  collect()
  expect(held.deref()).toBeUndefined()
})
