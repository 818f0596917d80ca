/** What a dialect may be: its names and axes, what is refused, and what is drawn by chance. */
import { describe, expect } from "@effect/vitest"
import { effect } from "@quartet/support/effect.js"
import { Effect, FastCheck as FC, Layer } from "effect"
import { contradictionOf } from "../../dialects/axes.js"
import { randomDialect } from "../../extend.js"
import * as Sandbox from "../../index.js"
import { plain } from "../../platform/wire.js"
import * as SandboxServer from "../../server/index.js"

/** What a program without types may pass. */
const untyped = (dialect: unknown): never => ({ dialect }) as never

const wrong: ReadonlyArray<readonly [dialect: unknown, field: string, rule: unknown]> = [
  ["json-apii", "dialect", 'is not the name of one (did you mean "json-api"?)'],
  ["soap", "dialect", expect.stringContaining("is not the name of one: there are standard, bare, data")],
  [5, "dialect", expect.stringContaining("must be the name of a dialect or an object of axes: there are")],
  [[], "dialect", expect.stringContaining("must be the name of a dialect")],
  [{ thing: "data" }, "dialect.thing", 'is not an axis (did you mean "things"?)'],
  [{ colour: "red" }, "dialect.colour", expect.stringContaining("is not an axis: there are things, lists")],
  [{ things: "xml" }, "dialect.things", "must be one of bare, data, json-api"],
  [{ names: "snak" }, "dialect.names", 'must be one of camel, snake (did you mean "snake"?)'],
  [
    { lists: "bare", paging: "cursor" },
    "dialect",
    expect.stringContaining("cannot be: a bare list has no place")
  ],
  [{ lists: "edges" }, "dialect", "cannot be: edges are paged by cursors"],
  [{ lists: "by-id", ids: "numbers" }, "dialect", "cannot be: a map by numbers loses its order"],
  [{ errors: "text", requestId: "body" }, "dialect", expect.stringContaining("plain text has no place")],
  [{ signIn: "cookie", token: "opaque" }, "dialect", "cannot be: a session alone has no token"]
]

describe("a sandbox", () => {
  effect.each(wrong)("does not speak %j", function* ([dialect, field, rule]) {
    const refused = { _tag: "InputError", field, rule }
    expect(yield* Effect.flip(Sandbox.make(untyped(dialect)))).toMatchObject(refused)
    const layer = Layer.build(Sandbox.layer(untyped(dialect)))
    expect(yield* Effect.flip(Effect.scoped(layer))).toMatchObject(refused)
    expect(yield* Effect.flip(Effect.scoped(SandboxServer.serve(untyped(dialect))))).toMatchObject(refused)
  })

  effect("speaks each dialect that has a name, and as itself where none is given", function* () {
    expect(Sandbox.dialectNames.length).toBeGreaterThan(8)
    for (const name of Sandbox.dialectNames) {
      const { platform } = yield* Sandbox.make({ dialect: name })
      expect(platform.wire === plain).toBe(name === "standard")
      expect(contradictionOf(Sandbox.dialectOf(name))).toBeUndefined()
    }
    expect((yield* Sandbox.make()).platform.wire).toBe(plain)
    expect((yield* Sandbox.make({ dialect: {} })).platform.wire).toBe(plain)
  })

  effect("speaks the dialects' every choice under some name", function* () {
    const spoken = Sandbox.dialectNames.map(Sandbox.dialectOf)
    for (const [axis, choices] of Object.entries(Sandbox.dialectAxes))
      for (const choice of choices)
        if (choice !== "opaque")
          expect(
            spoken.some((dialect) => Object(dialect)[axis] === choice),
            choice
          ).toBe(true)
  })
})

describe("a dialect by chance", () => {
  effect.prop(
    "is the same for the same seed, and one that a platform can have",
    [FC.integer()],
    function* ([seed]) {
      const dialect = randomDialect(seed)
      expect(randomDialect(seed)).toEqual(dialect)
      expect((yield* Sandbox.make({ dialect })).platform.wire).not.toBe(plain)
    },
    20
  )

  effect("draws every choice of every axis", function* () {
    const drawn = Array.from({ length: 300 }, (_, seed) => randomDialect(seed))
    for (const [axis, choices] of Object.entries(Sandbox.dialectAxes))
      expect(new Set(drawn.map((dialect) => Object(dialect)[axis]))).toEqual(new Set(choices))
  })
})
