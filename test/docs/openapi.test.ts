// The OpenAPI documents: all 168 calls, each under its own id, with credentials that are declared and references that
// lead somewhere. Written into docs/openapi, one document a client.
import { describe, expect, test } from "vitest"
import { root } from "../../tools/files.js"
import { calls } from "../../tools/specification/calls.js"
import { type Client, counts, rows } from "../wire/rows.js"
import { type Json, print } from "./json.js"
import { documentOf } from "./openapi.js"

const clients: ReadonlyArray<Client> = ["admin", "public", "private", "endUser"]
const documents = new Map(clients.map((client) => [client, documentOf(client)]))

/** A document as whoever reads it sees it. */
interface Document {
  readonly openapi: string
  readonly security: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly securitySchemes: object }
}

interface Described {
  readonly operationId: string
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
const valuesIn = (value: Json, key = ""): ReadonlyArray<readonly [key: string, value: Json]> => [
  [key, value],
  ...(typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, item]: [string, Json]) => valuesIn(item, name))
    : [])
]

const resolve = (document: Json, ref: string): unknown =>
  ref
    .slice(2)
    .split("/")
    .reduce<unknown>((at, name) => Reflect.get(Object(at), name), document)

test("all documents together hold the 168 calls, each under an id of its own", () => {
  const ids = clients.flatMap((client) => described(client).map(({ operationId }) => operationId))
  expect([...ids].sort()).toEqual(rows.map(({ id }) => id).sort())
  expect(new Set(ids).size).toBe(168)
})

describe.each(clients)("the document of the %s client", (client) => {
  test(`has its ${counts[client]} calls at their methods and paths`, () => {
    const own = rows.filter(({ id }) => id.startsWith(`${client}.`))
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
      const named = parameters.map((one) => (one.$ref === undefined ? one : resolve(document, one.$ref)))
      const inPath = named.filter((one) => Reflect.get(Object(one), "in") === "path")
      const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)
      return (
        JSON.stringify(inPath.map((one) => Reflect.get(Object(one), "name")).sort()) !==
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
    const signIns = calls.filter(
      (call) => call.client === client && call.found.declared.credentials === "none"
    )
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

  test("says that it is OpenAPI 3.1, and is printed without loss", async () => {
    expect(read(client).openapi).toBe("3.1.0")
    expect(read(client)).toEqual(documents.get(client))
    const name = client === "endUser" ? "end-user" : client
    await expect(`${print(documents.get(client) ?? null)}\n`).toMatchFileSnapshot(
      `${root}docs/openapi/${name}.json`
    )
  })
})
