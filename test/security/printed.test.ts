// A client that is printed, in whole or in part, shows no secret; nor does what Node writes of an error that nobody handles.
import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import { json } from "@quartet/support/fake-transport.js"
import { patient } from "@quartet/support/patience.js"
import { bundled } from "@quartet/support/programs.js"
import { canaries, leaksIn } from "@quartet/support/secrets/canaries.js"
import { baseUrl, local, platform, subjects } from "@quartet/support/secrets/subjects.js"
import { writings } from "@quartet/support/secrets/writings.js"
import { Effect, Layer } from "effect"
import * as Tap from "../../adapters/tap/index.js"
import * as Admin from "../../clients/admin/index.js"
import * as EndUser from "../../clients/end-user/index.js"
import * as Private from "../../clients/private/index.js"
import * as Public from "../../clients/public/index.js"
import type { Bindable } from "../../core/kernel/dispatch/dispatcher.js"
import { Transport } from "../../core/ports/transport.js"

const everything = {
  ...{ depth: 10, showHidden: true, getters: true },
  ...{ maxStringLength: null, maxArrayLength: null }
}

/** The canaries that any way of printing shows. */
const printed = (value: unknown): ReadonlyArray<string> => {
  let text = ""
  try {
    text = String(JSON.stringify(value))
  } catch (cause) {
    text = inspect(cause)
  }
  return leaksIn([inspect(value, everything), String(value), text].join("\n"))
}

const { accessToken, apiKey, email, password, privateKey, sessionId } = canaries
const login = Public.auth.login({ email: "a@b.test", password: password.value })
const visitor = { baseUrl, apiKey: apiKey.value }

describe("what is printed of", () => {
  const transport = platform(() => json(200, { _id: "1", items: [] }))

  it.effect.each(subjects)("$name: the client and its parts, before a call and after it", (subject) =>
    Effect.gen(function* () {
      const { call, client } = yield* subject.make(transport, local, "1")
      expect(printed(client)).toEqual([])
      expect(printed(call)).toEqual([])
      yield* Effect.exit(call)
      // Every client that Effect programs make is one.
      const { credentialsProvider } = (client as Bindable).dispatcher.settings
      for (const part of [client, credentialsProvider]) expect(printed(part)).toEqual([])
    })
  )

  it.effect("a layer, a built one, and a runtime with it", () =>
    Effect.gen(function* () {
      const signIn = { email: email.value, password: password.value }
      const session = { sessionId: sessionId.value, accessToken: accessToken.value }
      const layers = [
        Admin.layer({ ...visitor, projectId: "p", ...signIn }),
        Admin.layer({ baseUrl, projectId: "p", ...session }),
        Public.layer(visitor),
        Private.layer({ baseUrl, privateKey: privateKey.value }),
        EndUser.layer({ ...visitor, sessionId: sessionId.value }),
        EndUser.layerSignIn({ ...visitor, ...signIn })
      ] as ReadonlyArray<Layer.Layer<never, unknown, Transport>>
      for (const layer of layers) {
        expect(printed(layer)).toEqual([])
        expect(printed(yield* Effect.either(Effect.scoped(Layer.toRuntime(layer))))).toEqual([])
      }
    }).pipe(Effect.provideService(Transport, transport))
  )

  it.live("a fiber that waits for its answer", () =>
    Effect.gen(function* () {
      const client = yield* Public.make(visitor)
      const fiber = yield* Effect.fork(Effect.provideService(login, Public.Client, client))
      yield* Effect.yieldNow()
      expect(printed(fiber)).toEqual([])
    }).pipe(
      Effect.provideService(
        Transport,
        platform(() => undefined)
      )
    )
  )

  it.live.each(Object.entries(writings))(
    "a tapped exchange, with secrets that are repeated %s",
    ([, write]) =>
      Effect.gen(function* () {
        const exchanges: Array<unknown> = []
        const text = [apiKey.value, password.value].map(write).join(" ")
        const spilling = platform(() => json(422, { message: text, password: text }))
        const tapped = Tap.make(spilling, (exchange) => void exchanges.push(exchange))
        const client = yield* Effect.provideService(Public.make(visitor), Transport, tapped)
        yield* Effect.exit(Effect.provideService(login, Public.Client, client))
        expect(exchanges).toHaveLength(2)
        expect(printed(exchanges)).toEqual([])
      })
  )
})

describe("a process", () => {
  const output = bundled(new URL("./secrets/child.ts", import.meta.url))
  const warned = ["--unhandled-rejections=warn", "--trace-warnings"]

  it.each<[what: string, mode: string, options: ReadonlyArray<string>, code: number, expected: RegExp]>([
    ["that leaves a rejection unhandled", "unhandled", [], 1, /Rejected|NotFound|Unauthenticated/],
    ["that leaves the rejection of an effect unhandled", "effect", [], 1, /Rejected|Unauthenticated/],
    ["that throws an error away", "thrown", [], 1, /Rejected|Unauthenticated/],
    ["that only warns of hundreds of rejections", "warned", warned, 0, /OutcomeUnknown/],
    ["with source maps", "unhandled", ["--enable-source-maps"], 1, /Rejected|Unauthenticated/],
    ["that prints its clients and what their calls ended in", "printed", [], 0, /AnswerError|Rejected/]
  ])(
    "%s writes no secret",
    async (_, mode, options, code, expected) => {
      const written = await output([mode], { options })
      const text = written.stdout + written.stderr
      expect(text).toContain("begun")
      expect(text).toMatch(expected)
      expect(written.code).toBe(code)
      expect(leaksIn(text)).toEqual([])
    },
    patient(60_000)
  )
})
