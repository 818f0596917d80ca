// The tour: what `npm start -- --once` does, which is `quartet tour --once`, against a served sandbox, and what it says when something fails.

import * as Server from "@quartet/sandbox/server"
import * as Socket from "@quartet/sdk/adapters/socket"
import * as UndiciTransport from "@quartet/sdk/adapters/undici"
import { quartet } from "@quartet/support/quartet.js"
import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import type { Variable } from "../configuration.js"
import { clients, places } from "../tour/places.js"
import * as Screen from "../tour/screen.js"
import { steps } from "../tour/steps.js"
import { type StepResult, walk } from "../tour/walk.js"

const tour = (
  environment: Partial<Record<Variable, string>> = {},
  before: (served: Server.Served) => void = () => undefined
) =>
  Effect.gen(function* () {
    const served = yield* Server.serve({ port: 0 })
    before(served)
    const where = places(served.url, (name) => environment[name])
    const reported: Array<StepResult> = []
    const results = yield* walk(steps(where), (result) => Effect.sync(() => void reported.push(result))).pipe(
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
    const { results } = await tour({ QUARTET_PASSWORD: "wrong" })
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

describe("quartet tour", () => {
  const { ended, run, said, start } = quartet()

  it("tours a sandbox once, and ends with code 0", async () => {
    // Variables of another platform are not for a sandbox.
    const env = { QUARTET_EMAIL: "nobody@quartet.test", QUARTET_PASSWORD: "wrong" }
    const { code, stderr, stdout } = await run(["tour", "--once", "--port", "0"], { env })
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toMatch(/All \d+ steps held/)
  })

  it("keeps serving until it is stopped, and tours a server that runs, where the environment has its accounts", async () => {
    const first = start(["tour", "--port", "0"])
    const end = ended(first)
    const url = await said(first, /a sandbox at (http:\S+)[\s\S]*Ctrl\+C/)
    const env = { QUARTET_PASSWORD: "wrong" }
    const second = await run(["tour", "--base-url", url], { env })
    expect(second.code).toBe(1)
    expect(second.stdout).toContain("check the e-mail and the password")
    expect(second.stderr).toContain("the tour ended at: signs in, on the new and the legacy API")
    first.kill("SIGTERM")
    expect((await end).code).toBe(0)
  })

  it.each([
    [["--port", "70000"], "--port must be a whole number from 0 to 65535"],
    [["--prot", "1"], "--prot"],
    [["--base-url", "nonsense"], "quartet: --base-url must be an http or https URL\n"]
  ])("refuses %j", async (args, message) => {
    expect(await run(["tour", ...args])).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
  })
})
