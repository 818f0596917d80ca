// Everything that shows a call shows the same fields of its input and of its answer, and says the same of each.

import { aboutOf, answerFields, type Described, described, modelOf } from "@quartet/sdk/extend/description"
import { read } from "@quartet/support/files.js"
import { describe, expect, test } from "vitest"
import { search } from "../call/search.js"
import { answerSchema, inputSchema } from "../mcp/schemas.js"

/** The schema of what a call answers, or of each item, by its reference. */
const schemaIn = ({ declared }: Described): Readonly<Record<string, unknown>> => {
  const whole = Object(answerSchema(declared))
  const answer = "page" in declared.success ? whole.properties.items.items : whole
  const name = String(answer.$ref ?? "").replace("#/$defs/", "")
  const named = Object(name === "" ? answer : whole.$defs[name])
  // One that holds itself is named twice.
  return Object(named.$ref === undefined ? named : whole.$defs[named.$ref.replace("#/$defs/", "")])
}

const each = described.map((call) => [call.key, call] as const)
const table = read("docs/calls.md")

/** What the table of calls says of a model. */
const modelInTable = (model: string): string =>
  table.split("\n### ").find((part) => part.startsWith(`${model}\n`)) ?? ""

describe("the fields of an answer", () => {
  test.each(each)("%s", (_, call) => {
    const fields = answerFields(call.declared)
    const names = fields.map(({ name }) => name)
    const inCommand = search([call.name]).find(
      ({ clients, method, operation, path }) =>
        operation === call.name &&
        method === call.declared.method &&
        path === call.declared.path &&
        clients.length === call.declared.audiences.length
    )
    expect(inCommand?.fields.map(({ name }) => name)).toEqual(names)
    const properties = Object(schemaIn(call).properties ?? {})
    expect(Object.keys(properties).sort()).toEqual([...names].sort())
    const { success } = call.declared
    const model = "bytes" in success ? undefined : modelOf("page" in success ? success.page : success)
    const inTable = model === undefined ? "" : modelInTable(model)
    for (const field of fields) {
      const { isAssumed, name } = field
      expect(inCommand?.fields.find((shown) => shown.name === name)).toMatchObject({
        isAssumed,
        about: aboutOf(field)
      })
      expect(properties[name]["x-assumed"] === true).toBe(isAssumed)
      if (model !== undefined) expect(inTable).toContain(`\`${name}\``)
    }
  })
})

describe("the fields of an input", () => {
  test.each(each)("%s", (_, call) => {
    const names = call.fields.map(({ name }) => name)
    expect(Object.keys(Object(inputSchema(call).properties ?? {})).sort()).toEqual([...names].sort())
  })
})

test("an assumed field says so in its docstring", () => {
  const silent = described.flatMap(({ declared, key }) =>
    answerFields(declared).flatMap((field) =>
      field.isAssumed && !aboutOf(field).endsWith("Assumed.") ? [`${key}: ${field.name}`] : []
    )
  )
  expect(silent).toEqual([])
})
