// Everything that shows a call shows the same fields of its input and of its answer, and says the same of each.

import * as OpenApi from "@quartet/cli/openapi"
import {
  aboutOf,
  answerFields,
  assumedMark,
  bodyModel,
  bodyRule,
  type Described,
  described,
  modelOf,
  type ShownField,
  shownFields
} from "@quartet/sdk/extend/description"
import { read } from "@quartet/support/files.js"
import { describe, expect, test } from "vitest"
import { search } from "../call/search.js"
import { clientOf } from "../connection.js"
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

/** What the command line says of a call. */
const inCommand = ({ audience, name }: Described) =>
  search([name]).find(({ clients, operation }) => operation === name && clients.includes(clientOf(audience)))

/** The row of a call in the table. */
const rowInTable = ({ audience, declared, name }: Described): string =>
  table
    .split("\n")
    .find((line) =>
      [`| \`${name}\`<br>`, `[${audience}](`, `\`${declared.method} ${declared.path}\``].every((part) =>
        line.includes(part)
      )
    ) ?? ""

/** Names, and which of them are assumed, as a schema has them. */
const marksOf = (properties: unknown): ReadonlyArray<readonly [name: string, isAssumed: boolean]> =>
  Object.entries(Object(properties))
    .map(([name, schema]) => [name, Object(schema)["x-assumed"] === true] as const)
    .sort(([left], [right]) => left.localeCompare(right))

/** The same of what is shown. */
const marksIn = (fields: ReadonlyArray<ShownField>) =>
  fields
    .map(({ isAssumed, name }) => [name, isAssumed] as const)
    .sort(([left], [right]) => left.localeCompare(right))

/** How the table writes a field of a model. */
const inModel = ({ isAssumed, isRequired, kind, name }: ShownField): string =>
  `\`${name}\`${isRequired ? "" : "?"}: ${kind}${isAssumed ? " *(assumed)*" : ""}`

const linesOf = (model: string): ReadonlyArray<string> =>
  modelInTable(model)
    .split("\n")
    .filter((line) => line.startsWith("`"))

const documents = new Map(
  (["admin", "endUser", "public", "private"] as const).map((client) => [
    client,
    Object(OpenApi.make(client, { version: "1", baseUrl: "https://api.test" }))
  ])
)

/** A call as its client's document has it, and what its references lead to. */
const inDocument = ({ audience, declared }: Described) => {
  const document = documents.get(audience)
  const resolved = (part: unknown): Readonly<Record<string, unknown>> => {
    const { $ref } = Object(part)
    if (typeof $ref !== "string") return Object(part)
    return resolved(
      $ref
        .slice(2)
        .split("/")
        .reduce((at, name) => Object(at)[name], document)
    )
  }
  return { call: Object(document.paths[`/${declared.path}`][declared.method.toLowerCase()]), resolved }
}

describe("the fields of an answer", () => {
  test.each(each)("%s", (_, call) => {
    const { answer } = shownFields(call)
    expect(inCommand(call)?.fields).toEqual(answer)
    expect(marksOf(schemaIn(call).properties)).toEqual(marksIn(answer))
    const { success } = call.declared
    const model = "bytes" in success ? undefined : modelOf("page" in success ? success.page : success)
    if (model === undefined) return
    const lines = linesOf(model)
    expect(lines).toHaveLength(answer.length)
    for (const [at, field] of answer.entries()) expect(lines[at]?.startsWith(inModel(field))).toBe(true)
    const { resolved } = inDocument(call)
    const schema = resolved({ $ref: `#/components/schemas/${model}` })
    expect(marksOf(schema.properties)).toEqual(marksIn(answer))
  })
})

describe("the fields of an input", () => {
  test.each(each)("%s", (_, call) => {
    const { input } = shownFields(call)
    expect(inCommand(call)?.input).toEqual(input)
    const properties = Object(inputSchema(call).properties)
    expect(marksOf(properties)).toEqual(marksIn(input))
    const row = rowInTable(call)
    const { call: documented, resolved } = inDocument(call)
    const parameters = (documented.parameters ?? []).map(resolved)
    for (const { about, isAssumed, isRequired, name, place } of input) {
      expect(row).toContain(`\`${name}\`${isRequired ? "" : "?"} (${place === "payload" ? "body" : place})`)
      if (about !== "" && place !== "payload" && properties[name].properties?.base64 === undefined)
        expect([name, String(properties[name].description ?? about)]).toEqual([
          name,
          expect.stringContaining(about)
        ])
      if (place !== "path" && place !== "query") continue
      const parameter = parameters.find((each: { readonly name?: unknown }) => each.name === name)
      expect([name, parameter?.in, parameter?.["x-assumed"] === true]).toEqual([name, place, isAssumed])
    }
  })
})

describe("the fields of a body", () => {
  const withBodies = each.filter(([, call]) => bodyRule(call.declared) !== undefined)
  test.each(withBodies)("%s", (_, call) => {
    const { body } = shownFields(call)
    expect(inCommand(call)?.body).toEqual(body)
    expect(body.filter(({ about }) => about === "")).toEqual([])
    const payload = Object(inputSchema(call).properties).payload
    const { call: documented, resolved } = inDocument(call)
    const content = Object(resolved(documented.requestBody).content)["application/json"]
    const schema = resolved(content.schema)
    for (const { additionalProperties, properties, required = [] } of [payload, schema]) {
      expect(marksOf(properties)).toEqual(marksIn(body))
      expect(required).toEqual(body.filter(({ isRequired }) => isRequired).map(({ name }) => name))
      if (body.length > 0) expect(additionalProperties).toBe(bodyRule(call.declared) !== "closed")
      for (const { about, name } of body) expect(Object(properties)[name].description).toBe(about)
    }
    const model = bodyModel(call.declared)
    if (model === undefined) return expect(body).toEqual([])
    const lines = linesOf(model)
    expect(lines).toHaveLength(body.length)
    for (const [at, field] of body.entries()) expect(lines[at]?.startsWith(inModel(field))).toBe(true)
  })

  test("are closed where money moves or a list is searched, and there alone", () => {
    const closed = withBodies.filter(([, call]) => bodyRule(call.declared) === "closed").map(([key]) => key)
    expect(closed.sort()).toEqual([
      "admin.orderGroups.search",
      "admin.payments.refund",
      "endUser.orderGroups.search",
      "endUser.orders.search",
      "endUser.profile.search",
      "private.payments.payWithLink",
      "public.items.search"
    ])
  })
})

test("nothing that is written of the calls shows how Input.raw marks a value", () => {
  const schemas = described.map((call) => [inputSchema(call), answerSchema(call.declared)])
  expect(JSON.stringify([...documents.values(), schemas, table])).not.toContain("@quartet/raw")
})

test("an assumed field says so in its docstring", () => {
  const silent = described.flatMap(({ declared, key }) =>
    answerFields(declared).flatMap((field) =>
      field.isAssumed && !aboutOf(field).endsWith(assumedMark) ? [`${key}: ${field.name}`] : []
    )
  )
  expect(silent).toEqual([])
})
