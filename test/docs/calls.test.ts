// The reference of all calls, written from the operation values into docs/calls.md.
import { describe, expect, test } from "vitest"
import { operations as catalogue } from "../../core/catalogue.js"
import { root } from "../../tools/files.js"
import { operations } from "../../tools/generate/operations.js"
import { calls } from "../../tools/specification/calls.js"
import { page } from "./call-table.js"
import { fieldsOf } from "./inputs.js"

describe("the operations that are found in the sources", () => {
  test("are those of the catalogue", () => {
    expect(new Set(operations.map(({ operation }) => operation))).toEqual(new Set(catalogue))
    expect(operations).toHaveLength(catalogue.length)
  })

  test("say what they do, each in a docstring", () => {
    expect(operations.filter(({ summary }) => !/^[A-Z].+\.$/.test(summary)).map(({ name }) => name)).toEqual(
      []
    )
  })

  test("serve 168 calls", () => {
    expect(operations.flatMap(({ declared }) => declared.audiences)).toHaveLength(168)
    expect(calls).toHaveLength(168)
  })
})

describe("the fields of a call", () => {
  const found = (name: string) => {
    const operation = operations.find((one) => one.name === name)
    return operation === undefined ? [] : fieldsOf(operation.declared)
  }

  test("have their place on the wire", () => {
    expect(
      found("requests.markSeen").map(({ isRequired, name, place }) => [name, place, isRequired])
    ).toEqual([
      ["id", "path", true],
      ["version", "body", true]
    ])
    expect(found("payments.refund").map(({ isRequired, name, place }) => [name, place, isRequired])).toEqual([
      ["id", "path", true],
      ["payload", "payload", false]
    ])
  })

  test("are written as text, as a list, or as pairs under a prefix", () => {
    expect(found("content.list").map(({ name, writing }) => [name, writing])).toEqual([
      ["apiId", { as: "text" }],
      ["lang", { as: "text" }],
      ["filter", { as: "pairs", prefix: "p." }],
      ["search", { as: "pairs", prefix: "s." }],
      ["sort", { as: "pairs", prefix: "o." }]
    ])
    expect(found("requests.list").map(({ writing }) => writing.as)).toEqual(["list", "list", "list", "list"])
  })
})

test("docs/calls.md is the operations", async () => {
  await expect(page()).toMatchFileSnapshot(`${root}docs/calls.md`)
})
