// The tour: what `npm start -- --once` does, against a served sandbox, and what it says when something fails.
import { Effect, Either, Layer } from "effect"
import { describe, expect, it } from "vitest"
import * as Server from "../../../adapters/sandbox/server/index.js"
import * as Socket from "../../../adapters/socket/index.js"
import * as UndiciTransport from "../../../adapters/undici/index.js"
import * as Arguments from "../../../ui/tour/arguments.js"
import { clients } from "../../../ui/tour/clients.js"
import { places } from "../../../ui/tour/places.js"
import * as Screen from "../../../ui/tour/screen.js"
import { steps } from "../../../ui/tour/steps.js"
import { type StepResult, walk } from "../../../ui/tour/walk.js"

const tour = (
  environment: Record<string, string> = {},
  before: (served: Server.Served) => void = () => undefined
) =>
  Effect.gen(function* () {
    const served = yield* Server.serve({ port: 0 })
    before(served)
    const where = places(served.url, environment)
    const reported: Array<StepResult> = []
    const results = yield* walk(steps(where), (result) => reported.push(result)).pipe(
      Effect.scoped,
      Effect.provide(Layer.provideMerge(clients(where), Layer.merge(UndiciTransport.layer, Socket.layer)))
    )
    return { results, reported }
  }).pipe(Effect.scoped, Effect.runPromise)

describe("the tour", () => {
  it("holds in every step, with all four clients and the chat both ways", async () => {
    const { results, reported } = await tour()
    expect(results.filter(({ error }) => error !== undefined)).toEqual([])
    expect(results.map(({ who }) => who)).toEqual(
      expect.arrayContaining(["visitor", "admin", "end user", "server", "both"])
    )
    expect(reported).toEqual(results)
    expect(Screen.summary(results, 12)).toContain(`All ${results.length} steps held`)
  })

  it("ends at the first step that fails, and names it", async () => {
    const { results } = await tour({ QUARTET_ADMIN_PASSWORD: "wrong" })
    const last = results.at(-1)
    expect(last).toMatchObject({ who: "admin", what: "signs in, on the new and the legacy API" })
    expect(last?.error).toContain("check the e-mail and the password")
    expect(Screen.summary(results, 12)).toContain(
      "The step that failed: signs in, on the new and the legacy API"
    )
  })

  it("survives a platform that fails once", async () => {
    const { results } = await tour({}, ({ control }) => control.failNext(1, 503))
    expect(results.every(({ error }) => error === undefined)).toBe(true)
  })
})

describe("the command line", () => {
  it("has sensible defaults", () => {
    const off = { once: false, noConsole: false, help: false }
    expect(Arguments.read([])).toEqual(
      Either.right({ ...off, baseUrl: undefined, port: undefined, seed: 1, latency: 0 })
    )
  })

  it("reads every option", () => {
    const words = "--once --base-url http://x.test --port 0 --seed 7 --latency 20 --no-console"
    expect(Arguments.read(words.split(" "))).toMatchObject({
      right: { once: true, baseUrl: "http://x.test", port: 0, seed: 7, latency: 20, noConsole: true }
    })
  })

  it("says what is wrong with it", () => {
    expect(Arguments.read(["--port", "70000"])).toEqual(
      Either.left("--port must be a whole number from 0 to 65535")
    )
    expect(Arguments.read(["--prot", "1"])).toMatchObject({ left: expect.stringContaining("--prot") })
  })
})
