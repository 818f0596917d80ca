// No error, log line, span or printed client holds a secret, whatever a server repeats and however it writes it.
import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { inspect } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { build } from "esbuild"
import * as Tap from "../../adapters/tap/index.js"
import * as Admin from "../../clients/admin/index.js"
import * as EndUser from "../../clients/end-user/index.js"
import * as Private from "../../clients/private/index.js"
import * as Public from "../../clients/public/index.js"
import { Transport } from "../../core/ports/transport.js"
import { json } from "../core/kernel/fake-transport.js"
import { canaries, leaksIn } from "./secrets/canaries.js"
import { echo, writings } from "./secrets/echoes.js"
import { examine, makeAccount, run } from "./secrets/matrix.js"
import { quiet } from "./secrets/quiet.js"
import { failedOf, makeTracer, sinks } from "./secrets/sinks.js"
import { baseUrl, platform, subjects } from "./secrets/subjects.js"

const all = Object.values(canaries)
const account = makeAccount()
const everything = {
  depth: 10,
  showHidden: true,
  getters: true,
  maxStringLength: null,
  maxArrayLength: null
} as const

describe("the search itself", () => {
  it.each(Object.entries(writings))("finds a canary that is written %s", (_, write) => {
    for (const canary of all) expect(leaksIn(write(canary.value), all)).toContain(canary.name)
  })

  it("finds a canary in every sink, where an error holds one", () => {
    class Leaky extends Data.TaggedError("Leaky")<{ readonly message: string; readonly cause: unknown }> {}
    const { apiKey, password } = canaries
    const error = new Leaky({
      message: password.value,
      cause: new Leaky({ message: apiKey.value, cause: 1 })
    })
    const failed = failedOf(Effect.runSyncExit(Effect.fail(error)), [])
    if (failed === undefined) throw new Error("it did not fail")
    const blind = Object.entries(sinks)
      .filter(([, sink]) => leaksIn(sink(failed), all).length === 0)
      .map(([name]) => name)
    // There are none here: the next test has one.
    expect(blind).toEqual(["spans"])
  })

  it("finds a canary in a span", () => {
    const { layer, spans } = makeTracer()
    const work = Effect.withSpan(Effect.fail(new Error(canaries.password.value)), "work")
    const exit = Effect.runSyncExit(Effect.provide(work, layer))
    const failed = failedOf(exit, spans)
    expect(failed && leaksIn(sinks.spans?.(failed) ?? "", all)).toEqual(["Password"])
  })
})

describe("a server that repeats every secret it was told", () => {
  it.live.each(subjects)(
    "$name: no error shows one by any sink",
    (subject) =>
      Effect.gen(function* () {
        const before = account.errors
        yield* run(account, subject, 5)
        expect(account.errors - before).toBeGreaterThan(250)
        expect(account.leaks).toEqual([])
      }),
    120_000
  )
})

describe("a failure of the client's own", () => {
  it.live.each(quiet)("$name: no sink shows what was given", ({ canaries: given, name, run: failing, tag }) =>
    Effect.gen(function* () {
      const { layer, spans } = makeTracer()
      const exit = yield* Effect.exit(Effect.provide(failing, layer))
      const failed = failedOf(exit, spans)
      if (failed === undefined) throw new Error("it did not fail with an error")
      const reason = "reason" in failed.error ? `.${String(failed.error.reason)}` : ""
      expect("_tag" in failed.error ? `${failed.error._tag}${reason}` : "").toBe(tag)
      examine(account, name, failed, given)
      expect(account.leaks).toEqual([])
    })
  )
})

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
        expect(leaksIn(printed(client.gateway.settings.authority), all)).toEqual([])
        expect(leaksIn(printed(client.gateway.settings.authority.obtain), all)).toEqual([])
      }
      account.cases += clients.length * 5 * all.length
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
      account.cases += layers.length * 2 * all.length
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
      account.cases += 2 * all.length
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
        account.cases += all.length
      })
  )
})

describe("a process", () => {
  let folder = ""
  let script = ""

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "quartet-secrets-"))
    script = join(folder, "child.mjs")
    await build({
      entryPoints: [fileURLToPath(new URL("./secrets/child.ts", import.meta.url))],
      outfile: script,
      bundle: true,
      platform: "node",
      format: "esm",
      sourcemap: "inline",
      logLevel: "error",
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"
      }
    })
  }, 60_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const output = (mode: string, ...options: ReadonlyArray<string>) =>
    new Promise<{ readonly text: string; readonly code: unknown }>((done) => {
      execFile(
        process.execPath,
        [...options, script, mode],
        { maxBuffer: 256 * 1024 * 1024 },
        (error, stdout, stderr) => done({ text: stdout + stderr, code: error?.code ?? 0 })
      )
    })

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
      const written = await output(mode, ...options)
      expect(written.text).toContain("begun")
      expect(written.text).toMatch(expected)
      expect(written.code).toBe(code)
      expect(leaksIn(written.text, all)).toEqual([])
      account.cases += all.length
    },
    60_000
  )
})

describe("all in all", () => {
  it("there were 0 leaks, in enough cases to be worth something", () => {
    console.info(`secrets: ${account.leaks.length} leaks in ${account.cases} cases, ${account.errors} errors`)
    expect(account.leaks).toEqual([])
    expect(account.cases).toBeGreaterThan(150_000)
  })

  it("every kind of error came about", () => {
    const tags = new Set(Object.keys(account.tags).map((tag) => tag.split(".")[0]))
    for (const tag of [
      "InputError",
      "CredentialsError",
      "PermissionDenied",
      "Unauthenticated",
      "NotFound",
      "Conflict",
      "Rejected",
      "RateLimited",
      "ServerFault",
      "NetworkError",
      "DeadlineExceeded",
      "AnswerError",
      "OutcomeUnknown",
      "ChatError"
    ])
      expect([...tags]).toContain(tag)
  })
})
