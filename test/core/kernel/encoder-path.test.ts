// From input to path, and where the project stands that a call names.
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Entity from "../../../core/kernel/operation/entity.js"
import * as Input from "../../../core/kernel/operation/input.js"
import { make, path, refusal } from "./sample-encoder.js"

describe("a path", () => {
  const get = make({
    path: "/things/{id}/parts/{part}",
    input: Schema.Struct({ id: Schema.Unknown, part: Schema.Unknown })
  })

  it("takes its values from the input and leaves the rest to the query", () => {
    expect(path(get, { id: "a/b", part: 7 })).toBe("/things/a%2Fb/parts/7")
  })

  // Spec 5.4
  it.each([
    ["", "must not be empty"],
    [".", 'must not be "."'],
    ["..", '".."'],
    ["\ud800", "surrogate"],
    [{ toString: () => "x" }, "must be text or a number"],
    [["x"], "must be text or a number"],
    [Number.NaN, "must be a finite number"],
    [null, "must be text or a number"]
  ])("refuses %j as a value, with the field", (value, rule) => {
    const found = refusal(get, { id: "a", part: value })
    expect(found.field).toBe("part")
    expect(found.rule).toContain(rule)
  })

  it("stands behind the prefix of the base URL", () => {
    expect(path(make({ path: "things" }, { prefix: "/v9/api" }), {})).toBe("/v9/api/things")
  })

  it("has values that a query field of the same call cannot reach", () => {
    const open = make({ path: "things/{id}", input: Schema.Struct({ id: Entity.Id }, Input.open) })
    expect(path(open, { id: "a", "id/../../x": 1, "{id}": 2 })).toBe(
      "/things/a?id%2F..%2F..%2Fx=1&%7Bid%7D=2"
    )
  })
})

describe("the project", () => {
  const around = { projectId: "p 1", projectInQuery: true }

  // Spec 7.2
  it("fills {projectId} in a path", () => {
    expect(path(make({ path: "project/{projectId}/provider", input: Entity.Nothing }, around), {})).toBe(
      "/project/p%201/provider"
    )
  })

  // Spec 7.2
  it("is a query parameter of other calls", () => {
    expect(path(make({}, around), { page: 1 })).toBe("/things?page=1&projectId=p%201")
    expect(path(make({ method: "POST", input: Entity.WithPayload }, around), { payload: {} })).toBe(
      "/things?projectId=p%201"
    )
  })

  it("stays away from calls that do not name it", () => {
    expect(path(make({}, { projectId: "p", projectInQuery: false }), {})).toBe("/things")
  })

  it("is the caller's where the input names another", () => {
    expect(path(make({}, around), { projectId: "p2" })).toBe("/things?projectId=p2")
    const inPath = make({ path: "project/{projectId}", input: Entity.AnyQuery }, around)
    expect(path(inPath, { projectId: "p2" })).toBe("/project/p2")
  })

  it("stays in the query where a body has a field of that name", () => {
    const create = make({ method: "POST", input: Entity.AnyQuery }, around)
    expect(create({ projectId: "p2" })).toEqual(
      Either.right({ path: "/things?projectId=p%201", body: { _tag: "Json", text: '{"projectId":"p2"}' } })
    )
  })

  it("is required where a path needs it and the client has none", () => {
    expect(refusal(make({ path: "project/{projectId}", input: Entity.Nothing }), {})).toEqual({
      field: "projectId",
      rule: "is required"
    })
  })
})
