/** The walk through all calls, on the sandbox as it is. Other forms of the platform are held to what it answers here. */
import { effectFace, promiseFace, type Reached, standingSandbox } from "@quartet/support/platform-faces.js"
import {
  type Face,
  furtherSteps,
  normalised,
  steps,
  type Trace,
  trace
} from "@quartet/support/platform-walk.js"
import { rows } from "@quartet/support/wire-rows.js"
import { beforeAll, describe, expect, test } from "vitest"

/** The walk on a sandbox of its own. */
const walked = async (faceOf: (reached: Reached) => Promise<Face>): Promise<Trace> => {
  const sandbox = await standingSandbox()
  const face = await faceOf(sandbox.options.public)
  try {
    return await trace(face)
  } finally {
    await face.close()
  }
}

let promised: Trace
let effected: Trace
beforeAll(async () => {
  promised = await walked(promiseFace)
  effected = await walked(effectFace)
})

test("it has one step for each call of the platform, and no other", () => {
  expect(steps.map(({ row }) => row).sort()).toEqual(rows.map(({ id }) => id).sort())
  const names = [...steps, ...furtherSteps].map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})

test("all calls succeed", () => {
  const others = steps.flatMap(({ name }) =>
    promised[name]?._tag === "Done" ? [] : [[name, promised[name]]]
  )
  expect(others).toEqual([])
})

test("each list has items", () => {
  const empty = [...steps, ...furtherSteps].flatMap(({ name }) => {
    const result = promised[name]
    const value: unknown = result?._tag === "Done" ? result.value : undefined
    const items: unknown = Array.isArray(value) ? value : Reflect.get(Object(value), "items")
    return Array.isArray(items) && items.length === 0 ? [name] : []
  })
  expect(empty).toEqual([])
})

test("lists of each kind are read to their end", () => {
  const lengths = furtherSteps.flatMap(({ name }) => {
    const result = promised[name]
    return result?._tag === "Done" && Array.isArray(result.value) ? [[name, result.value.length]] : []
  })
  expect(lengths).toEqual([
    ["admin.payments.list, page after page", 401],
    ["public.items.search, page after page", 192],
    ["public.content.list, page after page", 60],
    ["admin.conversations.messages, page after page", 3]
  ])
})

test("what the platform refuses fails with its status, and with the field that it names", () => {
  const refused = furtherSteps.flatMap(({ name }) => {
    const result = promised[name]
    return result?._tag === "Done" ? [] : [[name, result]]
  })
  const failed = (_tag: string, status: number, field?: string) => ({
    _tag: "Failed",
    error: { _tag, status, field }
  })
  expect(refused).toEqual([
    ["an order that nobody has", failed("NotFound", 404)],
    ["an account with an e-mail that is in use", failed("Conflict", 409)],
    ["a version that has passed", failed("Conflict", 409)],
    ["a payment of nobody", failed("Rejected", 400, "userId")],
    ["a filter that is not known", failed("Rejected", 400, "shoes")],
    ["a wrong password", failed("Unauthenticated", 401)]
  ])
})

test("both faces have the same results", () => {
  expect(normalised(effected)).toEqual(normalised(promised))
})

test("a step that needs what was not answered is not made, and says so", async () => {
  const refusing: Face = {
    call: () => Promise.reject({ _tag: "NotFound", status: 404, message: "there is nothing" }),
    pages: () => Promise.resolve([]),
    close: () => Promise.resolve()
  }
  const results = await trace(refusing)
  expect(results["admin.users.create"]).toEqual({
    _tag: "Failed",
    error: { _tag: "NotFound", status: 404, field: undefined }
  })
  expect(results["admin.users.get"]).toEqual({
    _tag: "Unmade",
    missing: "admin.users.create has no _id"
  })
})

describe("what is compared", () => {
  const done = (value: unknown): Trace[string] => ({ _tag: "Done", value })
  const first = "0123456789abcdef01234567"
  const second = "89abcdef0123456789abcdef"

  test("names ids by where they are met first, whatever they are and in whatever order fields stand", () => {
    const texts = {
      "admin.items.get": done({ _id: first, userId: second, url: `/cms/file/${first}/download` }),
      "admin.users.get": done({ _id: second, relation: `${second}.${first}`, name: "1001" })
    }
    const numbers = {
      "admin.items.get": done({ userId: "1002", url: "/cms/file/77/download", _id: "77" }),
      "admin.users.get": done({ name: "1001", _id: "1002", relation: "1003" })
    }
    const own = new Map([
      ["77", first],
      ["1002", second],
      ["1003", `${second}.${first}`]
    ])
    const expected = {
      "admin.items.get": {
        _id: "<admin.items.get._id>",
        url: "/cms/file/<admin.items.get._id>/download",
        userId: "<admin.items.get.userId>"
      },
      "admin.users.get": {
        _id: "<admin.items.get.userId>",
        name: "1001",
        relation: "<admin.items.get.userId>.<admin.items.get._id>"
      }
    }
    expect(normalised(texts)).toEqual(expected)
    expect(normalised(numbers, (sent) => own.get(sent) ?? sent)).toEqual(expected)
  })

  test("is of a list its items and their total", () => {
    const paging = { page: 2, limit: 1, total: 5, next: "abc" }
    expect(normalised({ "admin.items.list": done({ items: [{ name: "A" }], paging }) })).toEqual({
      "admin.items.list": { items: [{ name: "A" }], total: 5 }
    })
    const bare = { "endUser.items.featured": done({ items: [{ name: "A" }], paging }) }
    expect(normalised(bare)).toEqual({ "endUser.items.featured": { items: [{ name: "A" }] } })
  })

  test("is of a sign-in who has signed in", () => {
    const value = { accessToken: "at_1", refreshToken: "rt_1", user: { email: "ana@quartet.test" } }
    expect(normalised({ "admin.auth.login": done(value) })).toEqual({
      "admin.auth.login": { user: { email: "ana@quartet.test" } }
    })
  })

  test("is of a failure its tag, status and field", () => {
    const result: Trace[string] = {
      _tag: "Failed",
      error: { _tag: "Rejected", status: 400, field: "userId" }
    }
    expect(normalised({ "admin.orders.get": result })).toEqual({ "admin.orders.get": result })
  })

  test("has no totals and no fields where a form tells none", () => {
    const results: Trace = {
      "admin.items.list": done({ items: [], paging: { total: 0 } }),
      "admin.orders.get": { _tag: "Failed", error: { _tag: "Rejected", status: 400, field: "userId" } }
    }
    expect(normalised(results, undefined, { totals: false, fields: false })).toEqual({
      "admin.items.list": { items: [] },
      "admin.orders.get": { _tag: "Failed", error: { _tag: "Rejected", status: 400 } }
    })
  })
})
