// Answers of real servers that are not what their calls declare, for programs that use Promises.
import { afterAll, afterEach, describe, expect, test, vi } from "vitest"
import { createPublicClient, type Drift, Errors } from "../../clients/promise/index.js"
import { Drifts } from "../../clients/testing/index.js"
import { listen } from "../support/scripted-server.js"

const server = await listen()
afterAll(() => server.close())
afterEach(() => vi.restoreAllMocks())

const client = (config: { readonly onDrift?: (drift: Drift) => void; readonly answers?: "strict" } = {}) =>
  createPublicClient({ baseUrl: server.url, apiKey: "key-1", ...config })

const odd = (value: unknown) => server.play((exchange) => exchange.json(value))
const missingId = { operation: "boxes.get", path: "_id", expected: "a non-empty id", came: "nothing" }

describe("an answer that is not what was declared", () => {
  test("is answered as it came, and told to onDrift, once", async () => {
    odd({ name: "A box", at: "2024-05-01T10:00:00+0400" })
    const told: Array<Drift> = []
    const log = vi.spyOn(console, "log")
    await using visitor = client({ onDrift: (drift) => told.push(drift) })
    const value = { name: "A box", at: new Date("2024-05-01T06:00:00Z") }
    expect(await visitor.boxes.get({ id: "b1" })).toEqual(value)
    expect(await visitor.boxes.get({ id: "b2" })).toEqual(value)
    expect(told).toEqual([missingId])
    expect(log).not.toHaveBeenCalled()
  })

  test("is told before the call has its answer", async () => {
    odd({})
    const drifts = Drifts.make()
    await using visitor = client({ onDrift: drifts.onDrift })
    await visitor.boxes.get({ id: "b1" }).then(() => expect(drifts.all).toEqual([missingId]))
  })

  test("is a warning on the console where there is no onDrift", async () => {
    odd({})
    const log = vi.spyOn(console, "log")
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined)
    await using visitor = client()
    await visitor.boxes.get({ id: "b1" })
    await visitor.boxes.get({ id: "b1" })
    const lines = warn.mock.calls.map((line) => line.join(" "))
    expect(lines).toHaveLength(1)
    expect(log).not.toHaveBeenCalled()
    expect(lines[0]).toContain("expected a non-empty id at _id, got nothing")
  })

  test.each([
    [
      "throws",
      () => {
        throw new Error("broken hook")
      }
    ],
    ["rejects", () => Promise.reject(new Error("broken hook"))]
  ])("is answered though its onDrift %s, which goes to console.error", async (_, onDrift) => {
    odd({ a: 1 })
    const error = vi.spyOn(console, "error").mockImplementation(() => undefined)
    await using visitor = client({ onDrift })
    expect(await visitor.boxes.get({ id: "b1" })).toEqual({ a: 1 })
    await vi.waitFor(() => expect(error).toHaveBeenCalledWith("onDrift failed:", expect.any(Error)))
  })

  test("rejects in a client that is strict, and in a call that asks for it", async () => {
    odd({ a: 1 })
    await using strict = client({ answers: "strict" })
    await expect(strict.boxes.get({ id: "b1" })).rejects.toBeInstanceOf(Errors.AnswerError)
    await using tolerant = client({ onDrift: () => undefined })
    await expect(tolerant.boxes.get({ id: "b1" }, { answers: "strict" })).rejects.toMatchObject({
      field: "_id"
    })
  })

  test("of a write that is read strictly rejects with the word that it is done", async () => {
    odd({ ok: true })
    await using strict = client({ answers: "strict" })
    await expect(strict.boxes.update({ id: "b1", payload: {} })).rejects.toMatchObject({
      tag: "AnswerError",
      isDone: true,
      message: expect.stringContaining("do not repeat it")
    })
  })
})

test("a configuration whose onDrift is no function is refused", () => {
  expect(() => client({ onDrift: 5 as never })).toThrow(/"onDrift" must be a function/)
})
