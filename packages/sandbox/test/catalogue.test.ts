/** The sandbox covers the catalogue: every operation has one handler, and its route leads there. */
import { describe, expect, it } from "@effect/vitest"
import { operations } from "@quartet/sdk/extend/catalogue"
import * as Routing from "../platform/routing.js"
import { slices } from "../slices/index.js"

const router = Routing.make(slices)

/** A path of a template, with every parameter filled in. */
const filled = (template: string): string => `/${template.replaceAll(/\{(\w+)\}/g, "a-$1")}`

describe("the sandbox's routes", () => {
  // Spec 7.52
  it("have a handler for every operation of the catalogue", () => {
    expect(operations.length).toBeGreaterThan(130)
    const handled = new Set(slices.map(({ operation }) => operation))
    const missing = operations.filter((operation) => !handled.has(operation)).map(({ name }) => name)
    expect(missing).toEqual([])
  })

  it("have no handler twice, and none for an operation outside the catalogue", () => {
    const known = new Set(operations)
    expect(
      slices.filter(({ operation }) => !known.has(operation)).map(({ operation }) => operation.name)
    ).toEqual([])
    expect(new Set(slices.map(({ operation }) => operation)).size).toBe(slices.length)
  })

  it("lead each audience of each operation to its own handler", () => {
    for (const { operation } of slices) {
      const { audiences, credentials, method, path } = operation.declaration()
      const matches = router.match(method, filled(path))
      if (credentials === "none") {
        expect(matches.find(Routing.isOpen)?.route.handler.operation).toBe(operation)
        continue
      }
      for (const audience of audiences) {
        const match = matches.find(Routing.serves(audience))
        expect([operation.name, audience, match?.route.handler.operation === operation]).toEqual([
          operation.name,
          audience,
          true
        ])
      }
    }
  })

  it("never give two operations of one audience the same address", () => {
    const addresses = slices.flatMap(({ operation }) => {
      const { audiences, credentials, method, path } = operation.declaration()
      const whom = credentials === "none" ? ["nobody"] : audiences
      return whom.map((audience) => `${audience} ${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`)
    })
    expect(addresses.filter((address, index) => addresses.indexOf(address) !== index)).toEqual([])
  })

  it("decode percent-encoded parameters, and fit no path that is longer, shorter or badly encoded", () => {
    const params = (path: string) => router.match("GET", path).map((match) => match.params)
    expect(params("/v1/box/a%2Fb%20c")).toEqual([{ id: "a/b c" }])
    expect(params("/v1/box/")).toEqual([{}])
    expect(params("/v1/box/a/b")).toEqual([])
    expect(params("/v1/box/%E0%A4%A")).toEqual([])
  })
})
