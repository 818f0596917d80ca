/** The samples of a call: as they stand they send it, by a shell, with Effect and with Promises. */
import { execFile, execFileSync } from "node:child_process"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { promisify } from "node:util"
import { Effect, Exit, Scope } from "effect"
import { build } from "esbuild"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { described } from "../../../adapters/openapi/described.js"
import * as OpenApi from "../../../adapters/openapi/index.js"
import { type Called, curlOf, samplesOf } from "../../../adapters/openapi/samples.js"
import { accounts } from "../../../adapters/sandbox/accounts.js"
import * as Server from "../../../adapters/sandbox/server/index.js"
import { createAdminClient, createPublicClient } from "../../../clients/promise/index.js"
import type { Audience } from "../../../core/kernel/operation/operation.js"
import { calls as pages } from "../../../site/pages/calls.js"
import { firstOf } from "../../../site/pages/inputs.js"
import { root } from "../../../tools/files.js"
import { compile, entries } from "../../support/compiler.js"
import { isWhole } from "../../support/scale.js"

/** Inputs that need care in a shell or a program, beside those that the pages of the calls show. */
const odd: ReadonlyArray<readonly [Audience, string, Called["input"]]> = [
  ["admin", "requests.list", { statusIn: ["pending", "done"], limit: 1 }],
  ["admin", "roles.create", { payload: { name: `Ana's "watch" & $HOME` } }],
  ["public", "content.list", { apiId: "news", sort: [{ k: "views", v: "desc" }] }],
  ["private", "notifications.sendSms", { to: "+995555123456", body: "It’s “done”" }]
]

const calledOf = ([audience, operation, input]: (typeof odd)[number]): Called => {
  const found = described.find(({ key }) => key === `${audience}.${operation}`)
  if (found === undefined) throw new Error(`there is no ${audience}.${operation}`)
  return { audience, operation, declared: found.declared, input }
}

const shownUrl = "http://127.0.0.1:4400"
const styles = ["Effect", "Promise"]

/** A call with its samples. */
type Sampled = Pick<Called, "audience" | "operation"> & Pick<(typeof pages)[number], "samples">

const sampled = (called: Called): Sampled => ({
  ...called,
  samples: samplesOf(called, { baseUrl: shownUrl, ...accounts })
})

const sampleOf = (label: string, { samples }: Sampled): string =>
  samples.find((sample) => sample.label === label)?.source ?? ""

/** Every call of every client, with what its page shows. */
const paged = pages.map(
  ({ client, name, samples }): Sampled => ({ audience: client, operation: name, samples })
)

const calls = [...paged, ...odd.map((one) => sampled(calledOf(one)))].map((called, index) => ({
  ...called,
  title: `${called.audience}.${called.operation}${index < paged.length ? "" : ", oddly"}`,
  file: (style: string) => join(folder, `${index}.${style}`)
}))

const execute = promisify(execFile)
/** Sends a call by a shell. */
const shell = (called: Sampled, env: Record<string, string>): Promise<unknown> => {
  const command = sampleOf("curl", called).replaceAll(shownUrl, env.SAMPLE_url ?? "")
  return execute("sh", ["-c", command], { cwd: folder, env: { ...process.env, ...env } })
}

/** What stands in a folder of the programs, for the calls that upload it. */
const picture = "picture.png"
const folder = await mkdir(join(root, ".cache"), { recursive: true }).then(() =>
  mkdtemp(join(root, ".cache/samples-"))
)

/** Imports a module as Node does: Vitest would read each of them once more. */
const loader = "module.exports = (path) => import(path)"
type Load = (path: string) => Promise<{ readonly done?: Promise<unknown> }>

/** What the code leaves to be filled in, and who it is sent to, is asked of the process when it runs. */
const filledIn = (code: string): string =>
  code
    .replaceAll(/(\w+): "…"/g, "$1: process.env.SAMPLE_$1!")
    .replaceAll(JSON.stringify(shownUrl), "process.env.SAMPLE_url!")
    .replaceAll(`openAsBlob("${picture}")`, `openAsBlob(${JSON.stringify(join(folder, picture))})`)
    .replace(/^Effect\.runPromise/m, "export const done = Effect.runPromise")

const bundle = async (): Promise<void> => {
  await writeFile(join(folder, picture), "a picture")
  await writeFile(join(folder, "load.cjs"), loader)
  const files = calls.flatMap((called) =>
    styles.map((style) => [`${called.file(style)}.ts`, filledIn(sampleOf(style, called))] as const)
  )
  for (const [file, code] of files) await writeFile(file, code)
  await build({
    entryPoints: files.map(([file]) => file),
    outdir: folder,
    ...{ bundle: true, splitting: true, packages: "external", platform: "node", format: "esm" },
    ...{ target: "node20", logLevel: "error", outExtension: { ".js": ".mjs" }, alias: entries() }
  })
}

beforeAll(bundle, 60_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The variables of a fresh sandbox: secrets by their names in a program, and in a shell. */
const signedIn = async (baseUrl: string, audience: Audience): Promise<Record<string, string>> => {
  const { apiKey, privateKey, projectId } = accounts
  const { email, password } = audience === "admin" ? accounts.admin : accounts.endUsers.ana
  const own = { email, password, oldPassword: password, newPassword: password, privateKey }
  const variables: Record<string, string> = { X_API_KEY: apiKey, X_PRIVATE_KEY: privateKey, SECRET: password }
  if (audience === "admin") {
    await using admin = createAdminClient({ baseUrl, projectId, email, password })
    const { accessToken } = await admin.auth.login({ email, password })
    const { sessionId } = await admin.auth.legacyLogin({ email, password })
    Object.assign(variables, { AUTHORIZATION: accessToken, X_SESSION_ID: sessionId })
  } else if (audience === "endUser") {
    await using visitor = createPublicClient({ baseUrl, apiKey })
    const { sessionId } = await visitor.auth.login({ email, password })
    Object.assign(own, { sessionId })
    Object.assign(variables, { X_SESSION_ID: sessionId })
  }
  const named = Object.entries({ ...own, url: baseUrl }).map(([name, value]) => [`SAMPLE_${name}`, value])
  return { ...variables, ...Object.fromEntries(named) }
}

/** Of the calls' own samples `npm test` runs each eighth. */
const run = calls.filter((_, index) => isWhole || index % 8 === 0 || index >= paged.length)

describe.each(run)("$title", (called) => {
  /** A sandbox of its own for each sample: what one changes, the next does not find. */
  const sent = async (send: (env: Record<string, string>) => Promise<unknown>): Promise<void> => {
    const scope = Effect.runSync(Scope.make())
    const { control, url } = await Effect.runPromise(Scope.extend(Server.serve({ port: 0, seed: 1 }), scope))
    const env = await signedIn(url, called.audience)
    const first = paged.find(({ operation }) => operation === firstOf[called.operation])
    if (first !== undefined) await shell(first, env)
    control.clear()
    await send(env)
    const log = control.log().filter(({ operation }) => operation === called.operation)
    await Effect.runPromise(Scope.close(scope, Exit.void))
    expect(log.map(({ status }) => Math.floor(status / 100))).toContain(2)
    expect(log.filter(({ status }) => status >= 300)).toEqual([])
  }

  it("by a shell", () => sent((env) => shell(called, env)))

  it.each(styles)("with %s", (style) =>
    sent(async (env) => {
      Object.assign(process.env, env)
      const logged = vi.spyOn(console, "log").mockReturnValue(undefined)
      const load: Load = createRequire(import.meta.url)(join(folder, "load.cjs"))
      const { done } = await load(`${called.file(style)}.mjs`)
      await done
      expect(logged).toHaveBeenCalledOnce()
      logged.mockRestore()
    })
  )
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
  expect(inShell(sampleOf("curl", sampled({ ...called, input: { payload: { password } } }))).at(-1)).toBe(
    '{"password":"s"}'
  )
  for (const style of ["Effect", "Promise"]) {
    const code = sampleOf(style, sampled(called))
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
  const documented = (["admin", "public", "private", "endUser"] as const).flatMap((client) => {
    const { paths }: { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> } =
      JSON.parse(JSON.stringify(OpenApi.make(client, options)))
    return Object.values(paths).flatMap((methods) => Object.values(methods))
  })

  it("show every call in each language", () => {
    for (const { "x-codeSamples": samples, operationId } of documented)
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
    const commands = documented.map(({ "x-codeSamples": [curl] }) => curl?.source ?? "")
    const addresses = inShell(commands.join("\n")).filter((argument) => argument.startsWith("https://"))
    expect(addresses.map((address) => new URL(address).origin)).toEqual(
      documented.map(({ servers }) => servers?.[0]?.url ?? options.baseUrl)
    )
  })

  it("have programs that compile, whatever is not filled in yet", async () => {
    const upload = sampled(calledOf(["public", "images.upload", { file: new File(["a"], `a "pic".png`) }]))
    const written = [...calls, upload].flatMap((called) => styles.map((style) => sampleOf(style, called)))
    const shown = documented.flatMap(({ "x-codeSamples": samples }) =>
      samples.flatMap(({ lang, source }) => (lang === "TypeScript" ? [source] : []))
    )
    expect(shown).toHaveLength(2 * documented.length)
    expect(await compile([...written, ...shown].map((code, index) => [`${index}.ts`, code]))).toBe("")
  }, 120_000)
})
