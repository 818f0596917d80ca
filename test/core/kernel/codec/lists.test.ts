// The input of a list: what it takes by name, what goes into its query, and the one door past both.
import { describe, expect, it } from "@effect/vitest"
import { make, path, refusal } from "@quartet/support/encoding.js"
import { FastCheck as FC } from "effect"
import * as Entity from "../../../../core/kernel/operation/entity.js"
import * as Input from "../../../../core/kernel/operation/input.js"
import * as Raw from "../../../../core/kernel/operation/raw.js"
import * as Schema from "../../../../core/kernel/operation/schema.js"

const things = make({
  path: "things/{id}",
  input: Entity.list(() => ({
    id: Entity.Id,
    kind: Schema.optional(Entity.literal("large", "small")),
    statusIn: Schema.optional(Input.list(Entity.literal("pending", "archived")))
  }))
})

describe("a list", () => {
  it("takes its filters, its paging and further parameters, which stand flat on the wire", () => {
    const query = { search: "a b", since: new Date(0), tags: ["x", "y"], none: [], left: undefined, "a.b": 1 }
    expect(path(things, { id: "a", statusIn: ["pending"], page: 0, limit: 1, query })).toBe(
      "/things/a?statusIn=pending&page=0&limit=1&search=a%20b&since=1970-01-01T00%3A00%3A00.000Z&tags=x%2Cy&a.b=1"
    )
    expect(path(things, { id: "a", query: {} })).toBe("/things/a")
    expect(path(things, { id: "a", query: undefined })).toBe("/things/a")
  })

  it.each([
    ["statusesIn", { statusesIn: ["pending"] }, 'did you mean "statusIn"?'],
    ["status", { status: ["pending"] }, "is not a field of this input"],
    ["sort", { sort: "name" }, "query takes further parameters"],
    ["limit", { limit: "5" }, "must be a number"],
    ["limit", { limit: 0 }, "must be a whole number, at least 1"],
    ["page", { page: 1.5 }, "must be a whole number, at least 0"],
    ["kind", { kind: "smal" }, 'did you mean "small"?'],
    ["statusIn.1", { statusIn: ["pending", "pendng"] }, 'did you mean "pending"?'],
    ["statusIn.0", { statusIn: [7] }, "must be one of pending, archived; Input.raw passes others"],
    ["statusIn", { statusIn: "pending" }, "must be a list"],
    ["query", { query: "a=b" }, "must be an object"],
    ["query", { query: new Map([["a", 1]]) }, "must be a plain object"],
    ["query.limit", { query: { limit: 5 } }, "is a field of this call"],
    ["query.id", { query: { id: "b" } }, "is a field of this call"],
    ["query.limit[]", { query: { "limit[]": 5 } }, "is a field of this call"],
    ["query.[limit]", { query: { "[limit]": 5 } }, "is a field of this call"],
    ["query.Limit", { query: { Limit: 5 } }, "is a field of this call"],
    ["query.statusIn[]", { query: { "statusIn[]": "x" } }, "is a field of this call"],
    ["query.STATUSIN[0]", { query: { "STATUSIN[0]": "x" } }, "is a field of this call"],
    ["query.", { query: { "": "x" } }, "must have a name"],
    ["query.[]", { query: { "[]": "x" } }, "must have a name"],
    ["query.a", { query: { a: { b: 1 } } }, "must be text, a number, a boolean or a Date"],
    ["query.a", { query: { a: null } }, "must be text, a number, a boolean or a Date"],
    ["query.a", { query: { a: ["x,y"] } }, "must not hold a comma"]
  ])("refuses what stands in %s where it is wrong, and says what is right: %j", (field, input, rule) => {
    expect(refusal(things, { id: "a", ...input })).toEqual({ field, rule: expect.stringContaining(rule) })
  })

  it("does not repeat what it refuses: it may be a secret", () => {
    const { field, rule } = refusal(things, { id: "a", statusIn: ["s3cr3t"] })
    expect(field + rule).not.toContain("s3cr3t")
  })

  it("is of the client's project, which its query does not replace", () => {
    const around = { projectId: "p1", projectInQuery: true }
    const list = make({ input: Entity.List }, around)
    expect(path(list, {})).toBe("/things?projectId=p1")
    expect(refusal(list, { query: { projectId: "p2" } })).toEqual({
      field: "query.projectId",
      rule: "is written by the call, from another field or for the client's project"
    })
    for (const name of ["projectId[]", "projectId[0]", "[projectId]", "ProjectID"])
      expect(refusal(list, { query: { [name]: "p2" } })).toMatchObject({ field: `query.${name}` })
    expect(path(make({ input: Entity.List }), { query: { projectId: "p2" } })).toBe("/things?projectId=p2")
  })

  it("has no parameter in its query that stands in its path", () => {
    const list = make({ path: "project/{projectId}/entity", input: Entity.List }, { projectId: "p1" })
    expect(path(list, {})).toBe("/project/p1/entity")
    for (const name of ["projectId", "projectId[]", "projectid"])
      expect(refusal(list, { query: { [name]: "p2" } })).toEqual({
        field: `query.${name}`,
        rule: "is written by the call, from another field or for the client's project"
      })
  })
})

describe("a word that goes around the known ones", () => {
  it("stands on the wire as it is", () => {
    const statusIn = ["pending", Raw.raw("on_hold")]
    expect(path(things, { id: "a", kind: Raw.raw("huge"), statusIn })).toBe(
      "/things/a?kind=huge&statusIn=pending%2Con_hold"
    )
  })

  it("is still checked as far as the wire asks for it", () => {
    expect(refusal(things, { id: "a", statusIn: [Raw.raw("a,b")] })).toEqual({
      field: "statusIn",
      rule: expect.stringContaining("must not hold a comma")
    })
    expect(refusal(things, { id: "a", statusIn: [Raw.raw({})] })).toMatchObject({ field: "statusIn" })
    expect(refusal(things, { id: "a", kind: Raw.raw(undefined) })).toEqual({
      field: "kind",
      rule: expect.stringContaining("must not be Input.raw of undefined")
    })
  })

  it("is no door where all texts are taken anyway", () => {
    expect(refusal(things, { id: Raw.raw("a") })).toMatchObject({ field: "id" })
  })
})

describe("a raw value", () => {
  it("is what was made by raw, and nothing else", () => {
    for (const other of [
      undefined,
      null,
      1,
      "raw",
      [],
      {},
      { [Raw.mark]: 1 },
      JSON.parse(JSON.stringify(Raw.raw({ amount: 5 }))),
      Object.create(Object(Raw.raw(1)))
    ])
      expect([Raw.isRaw(other), Raw.sentOf(other)]).toEqual([false, other])
  })

  it("is one also to another copy of the SDK in the same program", () => {
    const copy = { ...Object(Raw.raw(5)) }
    expect([Raw.isRaw(copy), Raw.sentOf(copy)]).toEqual([true, 5])
  })

  it("cannot be copied without what is in it", () => {
    expect(() => structuredClone(Raw.raw({ amount: 5 }))).toThrow(/could not be cloned/)
  })

  it.prop(
    "is what it was after it was written, kept as JSON or copied, and revived",
    [FC.jsonValue()],
    ([value]) => {
      const input = {
        id: "a",
        payload: Raw.raw(value),
        statusIn: ["b", Raw.raw("c")],
        fields: [{ a: Raw.raw(1) }]
      }
      const written = Raw.written(input)
      expect(JSON.stringify(written)).toBe(JSON.stringify(input))
      for (const kept of [JSON.parse(JSON.stringify(written)), structuredClone(written)]) {
        const { fields, payload, statusIn } = Object(Raw.revived(kept))
        expect([payload, ...statusIn, fields[0].a].map(Raw.isRaw)).toEqual([true, false, true, true])
        expect(JSON.stringify(Raw.sentOf(payload))).toBe(JSON.stringify(value))
      }
    }
  )

  it("leaves an input without one as it is", () => {
    const input = { id: "a", payload: { at: new Date(0), list: [new Map(), { deep: null }] } }
    for (const change of [Raw.written, Raw.revived, Raw.opened]) expect(change(input)).toBe(input)
  })
})
