// A client that is printed, in whole or in part, shows no secret; nor does what Node writes of an error that nobody handles.
import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Tap from "../../adapters/tap/index.js"
import * as Admin from "../../clients/admin/index.js"
import * as EndUser from "../../clients/end-user/index.js"
import * as Private from "../../clients/private/index.js"
import * as Public from "../../clients/public/index.js"
import { Transport } from "../../core/ports/transport.js"
import { json } from "../support/fake-transport.js"
import { bundled } from "../support/programs.js"
import { canaries, leaksIn } from "./secrets/canaries.js"
import { echo, writings } from "./secrets/echoes.js"
import { baseUrl, platform } from "./secrets/subjects.js"

const all = Object.values(canaries)
const everything = {
  depth: 10,
  showHidden: true,
  getters: true,
  maxStringLength: null,
  maxArrayLength: null
} as const

describe("what is printed of", () => {
  const transport = platform(() => json(200, { _id: "1", items: [] }))
  const configs = {
    admin: {
      baseUrl,
      projectId: "p",
      email: canaries.email.value,
      password: canaries.password.value,
      apiKey: canaries.apiKey.value
    },
    session: {
      baseUrl,
      projectId: "p",
      sessionId: canaries.sessionId.value,
      accessToken: Redacted.make(canaries.accessToken.value)
    },
    visitor: { baseUrl, apiKey: canaries.apiKey.value },
    server: { baseUrl, privateKey: canaries.privateKey.value },
    endUser: { baseUrl, apiKey: Redacted.make(canaries.apiKey.value), sessionId: canaries.sessionId.value }
  }
  const printed = (value: unknown): string =>
    [
      inspect(value, everything),
      String(value),
      ((): string => {
        try {
          return String(JSON.stringify(value))
        } catch (cause) {
          return inspect(cause)
        }
      })()
    ].join("\n")

  it.effect("a client shows no secret, before its first call and after it", () =>
    Effect.gen(function* () {
      const clients = [
        yield* Admin.make(configs.admin),
        yield* Admin.make(configs.session),
        yield* Public.make(configs.visitor),
        yield* Private.make(configs.server),
        yield* EndUser.make(configs.endUser)
      ]
      for (const client of clients) expect(leaksIn(printed(client), all)).toEqual([])
      const [admin] = clients
      yield* Effect.provideService(Admin.users.get({ id: "1" }), Admin.Client, admin as Admin.Service)
      for (const client of clients) {
        expect(leaksIn(printed(client), all)).toEqual([])
        expect(leaksIn(printed(client.dispatcher.settings.credentialsProvider), all)).toEqual([])
      }
    }).pipe(Effect.provideService(Transport, transport))
  )

  it.effect("a layer, a built one, and a runtime with it show no secret", () =>
    Effect.gen(function* () {
      const layers = [
        Admin.layer(configs.admin),
        Admin.layer(configs.session),
        Public.layer(configs.visitor),
        Private.layer(configs.server),
        EndUser.layer(configs.endUser),
        EndUser.layerSignIn({
          ...configs.visitor,
          email: canaries.email.value,
          password: canaries.password.value
        })
      ] as ReadonlyArray<Layer.Layer<never, unknown, Transport>>
      for (const layer of layers) {
        expect(leaksIn(printed(layer), all)).toEqual([])
        const runtime = yield* Effect.either(Effect.scoped(Layer.toRuntime(layer)))
        expect(leaksIn(printed(runtime), all)).toEqual([])
      }
    }).pipe(Effect.provideService(Transport, transport))
  )

  it.live("a call shows no secret: as an effect, and as a fiber that waits for its answer", () =>
    Effect.gen(function* () {
      const client = yield* Public.make(configs.visitor)
      const call = Public.auth.login({ email: "a@b.test", password: canaries.password.value })
      const ready = Effect.provideService(call, Public.Client, client)
      expect(leaksIn(printed(call), all)).toEqual([])
      const fiber = yield* Effect.fork(ready)
      yield* Effect.yieldNow()
      expect(leaksIn(printed(fiber), all)).toEqual([])
    }).pipe(
      Effect.provideService(
        Transport,
        platform(() => "waits")
      )
    )
  )

  it.live.each(Object.entries(writings))(
    "a tapped exchange shows no secret that is repeated %s",
    ([, write]) =>
      Effect.gen(function* () {
        const told: Array<unknown> = []
        const echoed = echo(write, [canaries.apiKey.value, canaries.password.value])
        const tapped = Tap.make(
          platform(() => json(422, { message: echoed, password: echoed })),
          (exchange) => void told.push(exchange)
        )
        const client = yield* Effect.provideService(Public.make(configs.visitor), Transport, tapped)
        const call = Public.auth.login({ email: "a@b.test", password: canaries.password.value })
        yield* Effect.exit(Effect.provideService(call, Public.Client, client))
        expect(told).toHaveLength(2)
        expect(leaksIn(printed(told), all)).toEqual([])
      })
  )
})

describe("a process", () => {
  const output = bundled(new URL("./secrets/child.ts", import.meta.url))

  it.each([
    ["that leaves a rejection unhandled", "unhandled", [], 1, /Rejected|NotFound|Unauthenticated/],
    ["that leaves the rejection of an effect unhandled", "effect", [], 1, /Unauthenticated/],
    ["that throws an error away", "thrown", [], 1, /Unauthenticated/],
    [
      "that only warns of hundreds of rejections",
      "warned",
      ["--unhandled-rejections=warn", "--trace-warnings"],
      0,
      /OutcomeUnknown/
    ],
    ["with source maps", "unhandled", ["--enable-source-maps"], 1, /Unauthenticated/],
    ["that prints its clients and what their calls ended in", "printed", [], 0, /AnswerError|Unauthenticated/]
  ] as ReadonlyArray<readonly [string, string, ReadonlyArray<string>, number, RegExp]>)(
    "%s writes no secret",
    async (_, mode, options, code, expected) => {
      const written = await output([mode], { options })
      const text = written.stdout + written.stderr
      expect(text).toContain("begun")
      expect(text).toMatch(expected)
      expect(written.code).toBe(code)
      expect(leaksIn(text, all)).toEqual([])
    },
    60_000
  )
})
