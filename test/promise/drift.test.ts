// Answers of real servers that are not what their calls declare, for programs that use Promises.

import { Drifts } from "@quartet/sandbox/testing"
import { eventually } from "@quartet/support/eventually.js"
import { Effect, Metric, MetricState } from "effect"
import { afterEach, describe, expect, test, vi } from "vitest"
import * as Telemetry from "../../adapters/telemetry/index.js"
import { type Drift, Errors } from "../../clients/promise/index.js"
import { serve } from "./served.js"

const { server, visitor } = await serve()
afterEach(() => vi.restoreAllMocks())

const odd = (value: unknown) => server.play((exchange) => exchange.json(value))
const missingId = { operation: "boxes.get", path: "_id", expected: "a non-empty id", came: "nothing" }

describe("an answer that is not what was declared", () => {
  test("is answered as it came, and told to onDrift, once", async () => {
    odd({ name: "A box", at: "2024-05-01T10:00:00+0400" })
    const drifts: Array<Drift> = []
    const log = vi.spyOn(console, "log")
    await using client = visitor({ onDrift: (drift) => drifts.push(drift), logDrift: false })
    const value = { name: "A box", at: new Date("2024-05-01T06:00:00Z") }
    expect(await client.boxes.get({ id: "b1" })).toEqual(value)
    expect(await client.boxes.get({ id: "b2" })).toEqual(value)
    expect(drifts).toEqual([missingId])
    expect(log).not.toHaveBeenCalled()
  })

  test("is told before the call has its answer", async () => {
    odd({})
    const drifts = Drifts.make()
    await using client = visitor({ onDrift: drifts.onDrift, logDrift: false })
    await client.boxes.get({ id: "b1" }).then(() => expect(drifts.all).toEqual([missingId]))
  })

  test.each([
    ["without an onDrift", {}, "null", { _id: null }],
    ["beside onDrift", { onDrift: () => undefined }, "number", { _id: 7 }]
  ])("is a warning on the console %s", async (_, options, came, answer) => {
    odd(answer)
    const log = vi.spyOn(console, "log")
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined)
    await using client = visitor(options)
    await client.boxes.get({ id: "b1" })
    await client.boxes.get({ id: "b1" })
    const lines = warn.mock.calls.map((line) => line.join(" "))
    expect(lines).toEqual([expect.stringContaining(`expected a string at _id, got ${came}`)])
    expect(log).not.toHaveBeenCalled()
  })

  test("is one warning of a process that makes a client for each request, and each client tells its own onDrift", async () => {
    odd({ _id: [] })
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined)
    const lines: Array<string> = []
    for (let request = 0; request < 20; request++) {
      await using client = visitor({ onDrift: ({ came }) => lines.push(came) })
      await client.boxes.get({ id: "b1" })
      await client.boxes.get({ id: "b1" })
    }
    expect(lines).toEqual(Array.from({ length: 20 }, () => "list"))
    expect(warn).toHaveBeenCalledTimes(1)
    await using spelled = visitor({ baseUrl: `${server.url.toUpperCase()}/` })
    await spelled.boxes.get({ id: "b1" })
    expect(warn).toHaveBeenCalledTimes(1)
    await using elsewhere = visitor({ baseUrl: `${server.url}/elsewhere` })
    await elsewhere.boxes.get({ id: "b1" })
    expect(warn).toHaveBeenCalledTimes(2)
  })

  test("is no warning with logDrift: false", async () => {
    odd({})
    const warn = vi.spyOn(console, "warn")
    await using client = visitor({ logDrift: false })
    await client.boxes.get({ id: "b1" })
    expect(warn).not.toHaveBeenCalled()
  })

  test("is counted by Telemetry.drifts before the call has its answer", async () => {
    odd({})
    const counted = () =>
      Metric.unsafeSnapshot()
        .filter(({ metricKey }) => metricKey.name === "quartet.client.drift")
        .filter(({ metricKey }) => [...metricKey.tags].some(({ value }) => value === "boxes.get"))
        .flatMap(({ metricState }) => (MetricState.isCounterState(metricState) ? [metricState.count] : []))
    expect(counted()).toEqual([])
    await using client = visitor({ onDrift: Telemetry.drifts, logDrift: false })
    await client.boxes.get({ id: "b1" }).then(() => expect(counted()).toEqual([1]))
  })

  const broken = new Error("broken hook")
  const throwing = () => {
    throw broken
  }
  test.each([
    ["throws", throwing],
    ["rejects", () => Promise.reject(broken)],
    ["answers an Effect that fails", () => Effect.fail(broken)]
  ])("is answered though its onDrift %s, which goes to console.error", async (_, onDrift) => {
    odd({ a: 1 })
    const error = vi.spyOn(console, "error").mockImplementation(() => undefined)
    await using client = visitor({ onDrift, logDrift: false })
    expect(await client.boxes.get({ id: "b1" })).toEqual({ a: 1 })
    await eventually(() => expect(error).toHaveBeenCalledWith("onDrift failed:", broken))
  })

  test("rejects in a client that is strict, and in a call that asks for it", async () => {
    odd({ a: 1 })
    await using strict = visitor({ answers: "strict" })
    await expect(strict.boxes.get({ id: "b1" })).rejects.toBeInstanceOf(Errors.AnswerError)
    await using tolerant = visitor({ onDrift: () => undefined })
    const call = tolerant.boxes.get({ id: "b1" }, { answers: "strict" })
    await expect(call).rejects.toMatchObject({ field: "_id" })
  })
})

test("a configuration whose onDrift is no function is refused", () => {
  expect(() => visitor({ onDrift: 5 as never })).toThrow(/"onDrift" must be a function/)
})
