// The wire of an app: what its taps note, in which order, and how much of it is kept.

import * as Admin from "@quartet/sdk/admin"
import { InputError } from "@quartet/sdk/extend"
import * as Fake from "@quartet/support/fake-transport.js"
import { base, request, token } from "@quartet/support/react.js"
import { Effect, Layer } from "effect"
import { expect, test } from "vitest"
import { makeWire, type WireOptions } from "../../devtools/index.js"

/** Calls of an admin over a script, with a wire between them. */
const run = async (script: Fake.Script, options: WireOptions = {}) => {
  const wire = makeWire(options)
  const fake = Fake.make(script)
  const layer = Layer.provide(
    Admin.layer({
      ...base,
      sessionId: "s1",
      accessToken: token(),
      onDrift: wire.onDrift("desk"),
      logDrift: false
    }),
    Layer.provide(wire.tap("desk"), fake.layer)
  )
  const get = (id: string) =>
    Effect.runPromise(Effect.provide(Effect.exit(Admin.requests.get({ id })), layer))
  return { wire, get }
}

test("the newest line is the first, a call that is over replaces its beginning, and drifts are lines too", async () => {
  const { get, wire } = await run([Fake.json(404, {}), Fake.json(200, { ...request("r1"), type: 5 })])
  await get("nobody")
  await get("r1")
  const lines = wire.lines()
  expect(lines.map((line) => ("came" in line ? `drift ${line.path}` : line.path.split("?")[0]))).toEqual([
    "drift type",
    "/request-action/r1",
    "/request-action/nobody"
  ])
  expect(lines.every(({ source }) => source === "desk")).toBe(true)
  expect(new Set(lines.map(({ key }) => key)).size).toBe(3)
  expect(lines[2]).toMatchObject({ ending: { _tag: "Answered", status: 404 } })
  wire.clear()
  expect(wire.lines()).toEqual([])
})

test("the oldest lines go first, and each exchange is told twice", async () => {
  const exchanges: Array<string> = []
  const { get, wire } = await run(() => Fake.json(200, request("r1")), {
    capacity: 2,
    onExchange: ({ ending, path }) => exchanges.push(`${path.split("?")[0]} ${ending?._tag ?? "begins"}`)
  })
  for (const id of ["a", "b", "c"]) await get(id)
  expect(wire.lines().map((line) => "path" in line && line.path.split("?")[0])).toEqual([
    "/request-action/c",
    "/request-action/b"
  ])
  expect(exchanges.slice(0, 2)).toEqual(["/request-action/a begins", "/request-action/a Answered"])
  expect(exchanges).toHaveLength(6)
})

test.each([0, -1, 1.5, Number.NaN])("a capacity of %s is refused with the rule", (capacity) => {
  expect(() => makeWire({ capacity })).toThrow(InputError)
  expect(() => makeWire({ capacity })).toThrow(/"capacity" must be a whole number, at least 1/)
})
