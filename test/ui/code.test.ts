/** The code that the explorer shows: as it stands it sends the call, by a shell, with Effect and with Promises. */
import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { Effect, Exit, Scope } from "effect"
import { build } from "esbuild"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { accounts } from "../../adapters/sandbox/accounts.js"
import * as Server from "../../adapters/sandbox/server/index.js"
import { createAdminClient, createPublicClient } from "../../clients/promise/index.js"
import { operations } from "../../core/catalogue.js"
import type { Audience } from "../../core/kernel/operation/operation.js"
import { root } from "../../tools/files.js"
import { compile, entries } from "../support/compiler.js"
import { requires } from "../support/programs.js"

const scope = Effect.runSync(Scope.make())
const sandbox = await Effect.runPromise(Scope.extend(Server.serve({ port: 0, seed: 1 }), scope))
vi.doMock("../../ui/console/app/config.js", () => ({ baseUrl: sandbox.url, ...accounts }))
const { codeOf } = await import("../../ui/console/wire/code.js")
const { commandOf } = await import("../../ui/console/views/explorer/command.js")

const calls: ReadonlyArray<readonly [Audience, string, Readonly<Record<string, unknown>>]> = [
  ["admin", "requests.list", { statusIn: ["pending", "done"], limit: 1 }],
  ["admin", "roles.create", { payload: { name: `Ana's "watch" & $HOME` } }],
  ["admin", "ordersV2.csv", {}],
  ["public", "content.list", { apiId: "news", sort: [{ k: "views", v: "desc" }] }],
  ["public", "boxes.create", { payload: { type: "QUIZ_RESULT" } }],
  ["private", "notifications.sendSms", { to: "+995555123456", body: "It’s “done”" }],
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
      run("sh", ["-c", commandOf(called) ?? ""], {
        env: {
          ...process.env,
          ...env,
          X_SESSION_ID: (audience === "admin" ? env.ADMIN : secrets.sessionId) ?? ""
        }
      })
    ))

  it.each(["effect", "promise"] as const)("with %s", async (style) => {
    const outfile = join(folder, `${audience}.${operation}.${style}.mjs`)
    await build({
      stdin: { contents: filledIn(codeOf(style, called)), loader: "ts", resolveDir: root },
      ...{ outfile, bundle: true, platform: "node", format: "esm", target: "node20", logLevel: "error" },
      alias: entries(),
      banner: requires
    })
    await sent(() => run(process.execPath, [outfile], { timeout: 20_000 }))
  })
})

it("compiles with Effect and with Promises, whatever is not filled in yet", async () => {
  const empty = operations.flatMap(({ declaration, name }) =>
    declaration().audiences.map((audience) => [audience, name, {}] as const)
  )
  const upload = ["public", "images.upload", { file: new File(["a"], `a "pic".png`) }] as const
  const files = [...calls, ...empty, upload].flatMap((call, index) =>
    (["effect", "promise"] as const).map(
      (style) => [`${call[0]}.${call[1]}.${index}.${style}.ts`, codeOf(style, calledOf(call))] as const
    )
  )
  expect(await compile(files)).toBe("")
}, 120_000)
