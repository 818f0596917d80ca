/** The samples of a call: as they stand they send it, by a shell, with Effect and with Promises. */
import { execFile, execFileSync } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { Effect, Exit, Scope } from "effect"
import { build } from "esbuild"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as OpenApi from "../../../adapters/openapi/index.js"
import { curlOf, samplesOf } from "../../../adapters/openapi/samples.js"
import { accounts } from "../../../adapters/sandbox/accounts.js"
import * as Server from "../../../adapters/sandbox/server/index.js"
import { createAdminClient, createPublicClient } from "../../../clients/promise/index.js"
import { operations } from "../../../core/catalogue.js"
import type { Audience } from "../../../core/kernel/operation/operation.js"
import { root } from "../../../tools/files.js"
import { compile, entries } from "../../support/compiler.js"
import { requires } from "../../support/programs.js"

const scope = Effect.runSync(Scope.make())
const sandbox = await Effect.runPromise(Scope.extend(Server.serve({ port: 0, seed: 1 }), scope))
const target = { baseUrl: sandbox.url, ...accounts }

const calls: ReadonlyArray<readonly [Audience, string, Readonly<Record<string, unknown>>]> = [
  ["admin", "requests.list", { statusIn: ["pending", "done"], limit: 1 }],
  ["admin", "roles.create", { payload: { name: `Ana's "watch" & $HOME` } }],
  ["admin", "ordersV2.csv", {}],
  ["public", "content.list", { apiId: "news", sort: [{ k: "views", v: "desc" }] }],
  ["public", "boxes.create", { payload: { type: "QUIZ_RESULT" } }],
  ["private", "notifications.sendSms", { to: "+995555123456", body: "It’s “done”" }],
  ["admin", "auth.login", accounts.admin],
  ["endUser", "auth.self", {}],
  ["endUser", "events.list", { limit: 1 }]
]

const calledOf = ([audience, operation, input]: (typeof calls)[number]) => {
  const found = operations
    .filter(({ name }) => name === operation)
    .map((one) => one.declaration())
    .find(({ audiences }) => audiences.includes(audience))
  if (found === undefined) throw new Error(`there is no ${audience}.${operation}`)
  return { audience, operation, declared: found, input }
}

const sampleOf = (label: string, called: ReturnType<typeof calledOf>): string =>
  samplesOf(called, target).find((sample) => sample.label === label)?.source ?? ""

const run = promisify(execFile)
let folder = ""
/** What the code leaves to be filled in. */
const secrets: Record<string, string> = { privateKey: accounts.privateKey, ...accounts.admin }
let env: Record<string, string> = {}

const filledIn = (code: string): string =>
  code.replaceAll(/(\w+): "…"/g, (_, name: string) => `${name}: ${JSON.stringify(secrets[name])}`)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "quartet-code-"))
  const { apiKey, projectId } = accounts
  await using visitor = createPublicClient({ baseUrl: sandbox.url, apiKey })
  await using admin = createAdminClient({ baseUrl: sandbox.url, projectId, ...accounts.admin })
  const { accessToken } = await admin.auth.login(accounts.admin)
  const { sessionId } = await admin.auth.legacyLogin(accounts.admin)
  secrets.sessionId = (await visitor.auth.login(accounts.endUsers.ana)).sessionId ?? ""
  env = {
    AUTHORIZATION: accessToken,
    X_API_KEY: apiKey,
    X_PRIVATE_KEY: accounts.privateKey,
    SECRET: accounts.admin.password,
    ADMIN: String(sessionId)
  }
})

afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await rm(folder, { recursive: true, force: true })
})

describe.each(calls)("%s.%s", (...call) => {
  const [audience, operation] = call
  const called = calledOf(call)
  const sent = async (send: () => Promise<unknown>): Promise<void> => {
    sandbox.control.clear()
    await send()
    const log = sandbox.control.log().filter((one) => one.operation === operation)
    expect(log.map(({ status }) => Math.floor(status / 100))).toEqual([2])
  }

  it("by a shell", () =>
    sent(() =>
      run("sh", ["-c", sampleOf("curl", called)], {
        env: {
          ...process.env,
          ...env,
          X_SESSION_ID: (audience === "admin" ? env.ADMIN : secrets.sessionId) ?? ""
        }
      })
    ))

  it.each(["Effect", "Promise"])("with %s", async (style) => {
    const outfile = join(folder, `${audience}.${operation}.${style}.mjs`)
    await build({
      stdin: { contents: filledIn(sampleOf(style, called)), loader: "ts", resolveDir: root },
      ...{ outfile, bundle: true, platform: "node", format: "esm", target: "node20", logLevel: "error" },
      alias: entries(),
      banner: requires
    })
    await sent(() => run(process.execPath, [outfile], { timeout: 20_000 }))
  })
})

/** What a real shell passes to a program named curl. */
const inShell = (commands: string): ReadonlyArray<string> =>
  execFileSync("sh", ["-c", `curl() { printf '%s\\0' "$@"; }\n${commands}`], {
    env: { AUTHORIZATION: "token", SECRET: "s" },
    encoding: "utf8"
  })
    .split("\0")
    .slice(0, -1)

describe("what was sent, as curl", () => {
  const request = {
    method: "POST",
    origin: "http://platform.test",
    path: "/notification?code=••••••",
    headers: { "content-type": "application/json", authorization: "Bearer ••••••" },
    body: `{"title": "It's $HOME"}`
  }

  it("a shell sends the same again, with the secrets of its variables", () => {
    expect(inShell(curlOf(request))).toEqual([
      ...["-X", "POST", "http://platform.test/notification?code=s"],
      ...["-H", "content-type: application/json", "-H", "authorization: Bearer token"],
      ...["-d", `{"title": "It's $HOME"}`]
    ])
  })

  it("a form has its parts, a file by its name", () => {
    const form = { ...request, headers: {}, body: `folder: "a"\nfile: plan; 1.png (34 bytes)` }
    expect(inShell(curlOf(form)).slice(3)).toEqual(["-F", `folder="a"`, "-F", "file=@plan; 1.png"])
  })
})

it.each(["hunter2", "••••••"])("a secret of the input (%s) is there to be filled in", (password) => {
  const payload = { password, roles: [{ apiKey: password }], picture: new File(["a"], "a.png") }
  const called = { ...calledOf(["admin", "admins.create", {}]), input: { payload } }
  expect(inShell(sampleOf("curl", { ...called, input: { payload: { password } } })).at(-1)).toBe(
    '{"password":"s"}'
  )
  for (const style of ["Effect", "Promise"]) {
    const code = sampleOf(style, called)
    expect(code).not.toContain(password)
    expect(code.match(/(password|apiKey): "…"|new File/g)).toHaveLength(4)
  }
})

interface Described {
  readonly operationId: string
  readonly servers?: ReadonlyArray<{ readonly url: string }>
  readonly "x-codeSamples": ReadonlyArray<{
    readonly lang: string
    readonly label: string
    readonly source: string
  }>
}

describe("the documents", () => {
  const options = { version: "1", baseUrl: "https://new.test", legacyUrl: "https://old.test" }
  const described = (["admin", "public", "private", "endUser"] as const).flatMap((client) => {
    const { paths }: { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> } =
      JSON.parse(JSON.stringify(OpenApi.make(client, options)))
    return Object.values(paths).flatMap((methods) => Object.values(methods))
  })

  it("show every call in each language", () => {
    for (const { "x-codeSamples": samples, operationId } of described)
      expect(
        samples.map(({ label, lang }) => [lang, label]),
        operationId
      ).toEqual([
        ["Shell", "curl"],
        ["TypeScript", "Effect"],
        ["TypeScript", "Promise"]
      ])
  })

  it("have a command for each call that a shell takes, with the address of its service", () => {
    const commands = described.map(({ "x-codeSamples": [curl] }) => curl?.source ?? "")
    const addresses = inShell(commands.join("\n")).filter((argument) => argument.startsWith("https://"))
    expect(addresses.map((address) => new URL(address).origin)).toEqual(
      described.map(({ servers }) => servers?.[0]?.url ?? options.baseUrl)
    )
  })

  it("have programs that compile, whatever is not filled in yet", async () => {
    const upload = calledOf(["public", "images.upload", { file: new File(["a"], `a "pic".png`) }])
    const written = [...calls.map(calledOf), upload].flatMap((called) =>
      ["Effect", "Promise"].map((style) => sampleOf(style, called))
    )
    const shown = described.flatMap(({ "x-codeSamples": samples }) =>
      samples.flatMap(({ lang, source }) => (lang === "TypeScript" ? [source] : []))
    )
    expect(shown).toHaveLength(2 * described.length)
    expect(await compile([...written, ...shown].map((code, index) => [`${index}.ts`, code]))).toBe("")
  }, 120_000)
})
