// Everything that shows a call shows the same fields of its input and of its answer, and says the same of each.

import { read } from "@quartet/support/files.js"
import * as AST from "effect/SchemaAST"
import { describe, expect, test } from "vitest"
import { type Described, described } from "../../clients/description/described.js"
import { aboutOf, answerFields, modelOf } from "../../clients/description/fields.js"
import * as Schemas from "../../core/schemas.js"
import { search } from "../../packages/cli/call/search.js"
import { answerSchema, inputSchema } from "../../packages/cli/mcp/schemas.js"
import { calls } from "../../tools/pages/calls.js"

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
    const onPage = calls.find(({ key }) => key === call.key)
    expect(onPage?.fields.map(({ name }) => name)).toEqual(names)
    const properties = Object(schemaIn(call).properties ?? {})
    expect(Object.keys(properties).sort()).toEqual([...names].sort())
    const { success } = call.declared
    const model = "bytes" in success ? undefined : modelOf("page" in success ? success.page : success)
    const inTable = model === undefined ? "" : modelInTable(model)
    for (const { about, isAssumed, name } of fields) {
      expect(inCommand?.fields.find((field) => field.name === name)).toMatchObject({ isAssumed, about })
      expect(properties[name]["x-assumed"] === true).toBe(isAssumed)
      if (model !== undefined) expect(inTable).toContain(`\`${name}\``)
      if (about === "") continue
      expect(onPage?.fields.find((row) => row.name === name)?.description).toBe(about)
    }
  })
})

describe("the fields of an input", () => {
  test.each(each)("%s", (_, call) => {
    const names = call.fields.map(({ name }) => name)
    const onPage = calls.find(({ key }) => key === call.key)
    expect(onPage?.input.map(({ name }) => name)).toEqual(names)
    expect(Object.keys(Object(inputSchema(call).properties ?? {})).sort()).toEqual([...names].sort())
    for (const { about, name } of call.fields)
      expect(onPage?.input.find((row) => row.name === name)?.description).toContain(about)
  })
})

test("an assumed field says so in its docstring", () => {
  const silent = described.flatMap(({ declared, key }) =>
    answerFields(declared).flatMap(({ about, isAssumed, name }) =>
      isAssumed && !about.endsWith("Assumed.") ? [`${key}: ${name}`] : []
    )
  )
  expect(silent).toEqual([])
})

test("every field of every model has a docstring", () => {
  const models = Object.entries(Schemas).flatMap(([slice, module]: [string, object]) =>
    Object.entries(module).flatMap(([name, model]: [string, unknown]) => {
      const { ast } = Object(model)
      return ast?._tag === undefined ? [] : [[`${slice}.${name}`, ast] as const]
    })
  )
  const fields = models.flatMap(([model, ast]) =>
    AST.getPropertySignatures(AST.typeAST(ast)).map(
      ({ name }) => [`${model}.${String(name)}`, ast, name] as const
    )
  )
  expect(fields.length).toBeGreaterThan(400)
  expect(fields.flatMap(([field, ast, name]) => (aboutOf(ast, String(name)) === "" ? [field] : []))).toEqual(
    []
  )
})
