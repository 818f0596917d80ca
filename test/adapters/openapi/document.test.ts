// The OpenAPI documents: all calls, each under its own id, with credentials that are declared and references that
// lead somewhere.

import * as OpenApi from "@quartet/cli/openapi"
import * as Sandbox from "@quartet/sandbox"
import { servedSandbox } from "@quartet/support/sandboxes.js"
import { type Client, clients, isSignIn, rows, rowsOf } from "@quartet/support/wire-rows.js"
import { describe, expect, test } from "vitest"
import { described as calls } from "../../../clients/description/described.js"
import { fieldsOf } from "../../../clients/description/fields.js"
import { operations } from "../../../core/catalogue.js"
import * as Schemas from "../../../core/schemas.js"
import { print } from "../../../tools/generate/json.js"

const options = { version: "2.1", baseUrl: "https://new.test", legacyUrl: "https://old.test" }
const documents = new Map(clients.map((client) => [client, OpenApi.make(client, options)]))

/** A document as whoever reads it sees it. */
interface Document {
  readonly openapi: string
  readonly security: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description: string }>
  readonly components: { readonly securitySchemes: object }
}

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: ReadonlyArray<string>
  readonly responses: Readonly<Record<string, { readonly $ref: string }>>
  readonly servers?: ReadonlyArray<{ readonly url: string }>
  readonly security?: ReadonlyArray<unknown>
  readonly parameters?: ReadonlyArray<{
    readonly $ref?: string
    readonly name?: string
    readonly in?: string
  }>
}

const read = (client: Client): Document => JSON.parse(print(documents.get(client) ?? null))

const described = (client: Client) =>
  Object.entries(read(client).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation }))
  )

/** Every value of a document, with the key under which it stands. */
const valuesIn = (
  value: OpenApi.Json,
  key = ""
): ReadonlyArray<readonly [key: string, value: OpenApi.Json]> => [
  [key, value],
  ...(typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, item]: [string, OpenApi.Json]) => valuesIn(item, name))
    : [])
]

const resolve = (document: OpenApi.Json, ref: string): unknown =>
  ref
    .slice(2)
    .split("/")
    .reduce<unknown>((at, name) => Reflect.get(Object(at), name), document)

/** The calls that are asked for a page in their query. */
const paged = new Set(
  calls.flatMap(({ fields, key }) =>
    fields.some(({ name, place }) => name === "page" && place === "query") ? [key] : []
  )
)

test("all documents together hold all calls, each under an id of its own", () => {
  const ids = clients.flatMap((client) => described(client).map(({ operationId }) => operationId))
  expect(ids.sort()).toEqual(rows.map(({ id }) => id).sort())
  expect(new Set(ids).size).toBe(ids.length)
})

describe.each(clients)("the document of the %s client", (client) => {
  test("has its calls at their methods and paths", () => {
    const own = rowsOf(client)
    expect(
      described(client)
        .map(({ method, operationId, path }) => `${operationId} ${method} ${path}`)
        .sort()
    ).toEqual(own.map(({ id, method, path }) => `${id} ${method.toLowerCase()} /${path}`).sort())
  })

  test("has no two paths that differ in the names of their parameters alone", () => {
    const shapes = Object.keys(read(client).paths).map((path) => path.replaceAll(/\{[^}]+\}/g, "{}"))
    expect(new Set(shapes).size).toBe(shapes.length)
  })

  test("declares every parameter of every path", () => {
    const document = documents.get(client) ?? null
    const missing = described(client).filter(({ parameters = [], path }) => {
      const named = parameters.map((parameter) =>
        parameter.$ref === undefined ? parameter : resolve(document, parameter.$ref)
      )
      const inPath = named.filter((parameter) => Reflect.get(Object(parameter), "in") === "path")
      const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)
      return (
        JSON.stringify(inPath.map((parameter) => Reflect.get(Object(parameter), "name")).sort()) !==
        JSON.stringify(names.sort())
      )
    })
    expect(missing.map(({ operationId }) => operationId)).toEqual([])
  })

  test("has credentials that are declared, and calls that obtain them without any", () => {
    const { components, security } = read(client)
    expect(security).toHaveLength(1)
    expect(Object.keys(security[0] ?? {})).toEqual(Object.keys(components.securitySchemes))
    const open = described(client).filter((call) => call.security?.length === 0)
    const signIns = rowsOf(client).filter(isSignIn)
    expect(open.map(({ operationId }) => operationId).sort()).toEqual(signIns.map(({ id }) => id).sort())
  })

  test("has references that lead somewhere, and no schema that nothing refers to", () => {
    const document = documents.get(client) ?? null
    const refs = valuesIn(document).flatMap(([key, value]) => (key === "$ref" ? [String(value)] : []))
    expect(refs.length).toBeGreaterThan(0)
    expect(refs.filter((ref) => !ref.startsWith("#/") || resolve(document, ref) === undefined)).toEqual([])
    const schemas = Object.keys(Object(resolve(document, "#/components/schemas")))
    expect(schemas.filter((name) => !refs.includes(`#/components/schemas/${name}`))).toEqual([])
  })

  test("says what it is and where the two services are, and is printed without loss", () => {
    const { info, openapi, servers } = Object(documents.get(client))
    expect([openapi, info.version, info.title]).toEqual([
      "3.1.0",
      "2.1",
      `Quartet: the ${client} client's calls`
    ])
    expect(servers).toEqual([{ url: "https://new.test" }])
    expect(read(client)).toEqual(documents.get(client))
    const legacy = rowsOf(client).filter(({ service }) => service === "legacy")
    const elsewhere = described(client).filter((call) => call.servers?.[0]?.url === "https://old.test")
    expect(elsewhere.map(({ operationId }) => operationId).sort()).toEqual(legacy.map(({ id }) => id).sort())
  })

  test("has no patternProperties, on which a mock server hangs and which a linter refuses", () => {
    const keys = valuesIn(documents.get(client) ?? null).map(([key]) => key)
    expect(keys).toContain("parameters")
    expect(keys.filter((key) => key === "patternProperties")).toEqual([])
  })

  test("says of every call what it does, who may make it, and what its group is for", () => {
    expect(described(client).filter(({ summary }) => !/^[A-Z].+\.$/.test(summary))).toEqual([])
    expect(described(client).filter(({ description }) => !/^Permission: .+\.$/.test(description))).toEqual([])
    const { tags } = read(client)
    expect(tags.filter(({ description }) => description === "")).toEqual([])
    const groups = new Set(described(client).flatMap((call) => call.tags))
    expect(tags.map(({ name }) => name).sort()).toEqual([...groups].sort())
  })

  test("says how every call can fail, with a body that is assumed", () => {
    const document = documents.get(client) ?? null
    const assumed = resolve(document, "#/components/schemas/Failure")
    expect(assumed).toMatchObject({ type: "object", "x-assumed": true })
    for (const { responses } of described(client)) {
      const statuses = ["200", "401", "403", "404", "409", "429", "4XX", "5XX"]
      expect(Object.keys(responses)).toEqual(statuses)
      const bodies = statuses.slice(1).map((status) => {
        const { content, description } = Object(resolve(document, responses[status]?.$ref ?? ""))
        expect(description).toMatch(/^The.+\.$/)
        return content
      })
      const schema = { $ref: "#/components/schemas/Failure" }
      expect(bodies).toEqual(bodies.map(() => ({ "application/json": { schema } })))
    }
  })

  test("names page and limit of every list that takes them, and says what they are", () => {
    const document = documents.get(client) ?? null
    const taking = described(client).filter(({ operationId }) => paged.has(operationId))
    for (const { operationId, parameters = [] } of taking)
      expect([operationId, parameters.map(({ $ref }) => $ref)]).toEqual([
        operationId,
        expect.arrayContaining(["#/components/parameters/page", "#/components/parameters/limit"])
      ])
    for (const name of taking.length === 0 ? [] : ["page", "limit"])
      expect(resolve(document, `#/components/parameters/${name}`)).toMatchObject({
        name,
        in: "query",
        description: expect.stringMatching(/^[A-Z].+\.$/),
        schema: { type: "integer" }
      })
  })
})

test("without a legacy address, the one address is that of both services; a title can be given", () => {
  const document = OpenApi.make("admin", { version: "1", baseUrl: "https://one.test", title: "Ours" })
  expect(Reflect.get(Object(document.info), "title")).toBe("Ours")
  // A model has a field of this name, too.
  const { components: _, ...calls } = document
  const servers = valuesIn(calls).flatMap(([key, value]) => (key === "url" ? [value] : []))
  expect(new Set(servers)).toEqual(new Set(["https://one.test"]))
})

describe("the fields of a call", () => {
  const fieldsNamed = (name: string) => {
    const operation = operations.find((each) => each.name === name)
    return operation === undefined ? [] : fieldsOf(operation.declaration())
  }

  test("have their place on the wire", () => {
    expect(
      fieldsNamed("requests.markSeen").map(({ isRequired, name, place }) => [name, place, isRequired])
    ).toEqual([
      ["id", "path", true],
      ["version", "body", true]
    ])
    expect(
      fieldsNamed("payments.refund").map(({ isRequired, name, place }) => [name, place, isRequired])
    ).toEqual([
      ["id", "path", true],
      ["payload", "payload", false]
    ])
  })

  test("are written as text, as a list, or as pairs under a prefix", () => {
    expect(fieldsNamed("content.list").map(({ name, writing }) => [name, writing])).toEqual([
      ["apiId", { as: "text" }],
      ["lang", { as: "text" }],
      ["filter", { as: "pairs", prefix: "p." }],
      ["search", { as: "pairs", prefix: "s." }],
      ["sort", { as: "pairs", prefix: "o." }],
      ["page", { as: "text" }],
      ["limit", { as: "text" }],
      ["query", { as: "further" }]
    ])
    const lists = fieldsNamed("requests.list").filter(
      ({ name }) => !["page", "limit", "query"].includes(name)
    )
    expect(lists.map(({ writing }) => writing.as)).toEqual(["list", "list", "list", "list"])
  })
})

/** The names of the entities' fields that are assumed, and of those that the specification gives, by model: `Orders.Order`. */
const entities = Object.entries(Schemas).flatMap(([slice, models]: [string, object]) =>
  Object.entries(models).flatMap(([name, model]: [string, unknown]) => {
    const { assumed, known } = Object(model)
    if (assumed === undefined || known === undefined) return []
    return [[`${slice}.${name}`, { assumed: Object.keys(assumed), known: Object.keys(known) }] as const]
  })
)

test("the documents mark every assumed field of an entity, and none that the specification gives", () => {
  const marks = clients.flatMap((client) => {
    const schemas = resolve(documents.get(client) ?? null, "#/components/schemas")
    return entities.flatMap(([model, { assumed, known }]) => {
      const properties = Object(Object(schemas)[model]).properties
      if (properties === undefined) return []
      const marked = Object.keys(properties).filter((name) => properties[name]["x-assumed"] === true)
      expect([model, marked.sort()]).toEqual([model, [...assumed].sort()])
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(known))
      return [model]
    })
  })
  for (const model of ["Orders.Order", "Payments.Transaction", "Content.Content", "Requests.RequestAction"])
    expect(marks).toContain(model)
})

test("the documents mark the assumed fields of what an entity holds, too", () => {
  const { properties } = Object(resolve(documents.get("admin") ?? null, "#/components/schemas/Orders.Order"))
  const { oneOf, anyOf = oneOf } = properties.lines
  const lines = Array.isArray(anyOf) ? anyOf.find(({ type }) => type === "array") : properties.lines
  const fields = Object(lines.items.properties)
  expect(Object.keys(fields).sort()).toEqual(["itemId", "name", "price", "quantity"])
  for (const field of Object.values(fields)) expect(field).toMatchObject({ "x-assumed": true })
})

test("a download is described by its media type, as bytes or as text", () => {
  const answers = resolve(documents.get("admin") ?? null, "#/components/responses")
  expect(answers).toMatchObject({
    bytes: {
      content: {
        "application/octet-stream": {
          schema: { type: "string", contentMediaType: "application/octet-stream" }
        }
      }
    },
    csv: { content: { "text/csv": { schema: { type: "string" } } } }
  })
})

const served = servedSandbox()

test("the sandbox refuses a call with the body that the documents assume", async () => {
  const headers = { "x-api-key": Sandbox.accounts.apiKey }
  const answer = await fetch(`${served().url}/v1/box/none`, { headers })
  expect(answer.status).toBe(404)
  const { properties } = Object(resolve(documents.get("public") ?? null, "#/components/schemas/Failure"))
  const body = Object(await answer.json())
  expect(Object.keys(properties)).toEqual(Object.keys(body))
  expect(Object.keys(properties.error.properties)).toEqual(expect.arrayContaining(Object.keys(body.error)))
})
