// What a sandbox is made of is checked before it is made.
import { describe, expect } from "@effect/vitest"
import { effect } from "@quartet/support/effect.js"
import { Effect, Layer } from "effect"
import * as Sandbox from "../index.js"
import * as SandboxServer from "../server/index.js"
import * as Testing from "../testing/index.js"

const wrong: ReadonlyArray<readonly [options: unknown, field: string, rule: unknown]> = [
  [null, "options", expect.stringContaining("must be an object of seed, latency, onRequest")],
  [{ sed: 7 }, "sed", 'is not an option (did you mean "seed"?)'],
  [{ seed: "7" }, "seed", "must be a whole number"],
  [{ latency: -1 }, "latency", "must be a finite duration, at least 0"],
  [{ latency: "50" }, "latency", "must be a finite duration, at least 0"],
  [{ onRequest: 5 }, "onRequest", "must be a function"]
]

/** What a program without types may pass. */
const untyped = (options: unknown): never => options as never

describe("a sandbox", () => {
  effect.each(wrong)("is not made of %j", function* ([options, field, rule]) {
    const refused = { _tag: "InputError", field, rule }
    expect(yield* Effect.flip(Sandbox.make(untyped(options)))).toMatchObject(refused)
    expect(yield* Effect.flip(Effect.scoped(Layer.build(Sandbox.layer(untyped(options)))))).toMatchObject(
      refused
    )
    expect(yield* Effect.flip(Effect.scoped(Layer.build(Testing.layer(untyped(options)))))).toMatchObject(
      refused
    )
    expect(yield* Effect.flip(Effect.scoped(SandboxServer.serve(untyped(options))))).toMatchObject(refused)
  })

  effect.each([
    [{ prot: 4400 }, "prot", 'is not an option (did you mean "port"?)'],
    [{ port: "4400" }, "port", "must be a whole number from 0 to 65,535"],
    [{ port: 65_536 }, "port", "must be a whole number from 0 to 65,535"],
    [{ host: 5 }, "host", "must be text"],
    [{ host: "" }, "host", "must be the name or address to listen on"],
    [{ maxBodyBytes: 0 }, "maxBodyBytes", "must be a whole number of bytes, at least 1"],
    [{ allowedHosts: "sandbox.test" }, "allowedHosts", "must be a list of text"],
    [{ allowedOrigins: [5] }, "allowedOrigins.0", "must be text"]
  ] as const)("is not served with %j", function* ([options, field, rule]) {
    const error = yield* Effect.flip(Effect.scoped(SandboxServer.serve(untyped(options))))
    expect(error).toMatchObject({ _tag: "InputError", operation: "sandbox.serve", field, rule })
  })

  effect.each([
    [{ admin: "admin" }, "admin", "must be an object"],
    [{ commn: {} }, "commn", 'is not an option (did you mean "common"?)'],
    [{ common: { timeout: 5 } }, "timeout", 'is not an option (did you mean "policy.deadline"?)']
  ] as const)("is not made for a test's clients of %j", function* ([options, field, rule]) {
    const error = yield* Effect.flip(Effect.scoped(Layer.build(Testing.layer(untyped(options)))))
    expect(error).toMatchObject({ _tag: "InputError", field, rule })
  })
})
