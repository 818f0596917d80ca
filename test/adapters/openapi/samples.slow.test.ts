/** The samples of a call: as they stand they send it, by a shell, with Effect and with Promises. */
import { execFile, execFileSync } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { join } from "node:path"
import { promisify } from "node:util"
import * as OpenApi from "@quartet/cli/openapi"
import * as Server from "@quartet/sandbox/server"
import { compile, isPlain } from "@quartet/support/compiler.js"
import { filesIn, read } from "@quartet/support/files.js"
import { installed } from "@quartet/support/package.js"
import { patient } from "@quartet/support/patience.js"
import { Effect, Exit, Scope } from "effect"
import { describe, expect, it, vi } from "vitest"
import { described } from "../../../clients/description/described.js"
import { type Called, curlOf, samplesOf } from "../../../clients/description/samples.js"
import type { Audience } from "../../../core/kernel/operation/operation.js"
import { calls as pages, target } from "../../../tools/pages/calls.js"
import { firstOf } from "../../../tools/pages/inputs.js"

/** Inputs that need care in a shell or a program, beside those that the pages of the calls show. */
const odd: ReadonlyArray<readonly [Audience, string, Called["input"]]> = [
  ["admin", "requests.list", { statusIn: ["pending", "user_accepted"], limit: 1 }],
  ["admin", "roles.create", { payload: { name: `Ana's "watch" & $HOME` } }],
  ["public", "content.list", { apiId: "news", sort: [{ k: "views", v: "desc" }] }],
  ["private", "notifications.sendSms", { to: "+995555123456", body: "It’s “done”" }]
]

const calledOf = ([audience, operation, input]: (typeof odd)[number]): Called => {
  const call = described.find(({ key }) => key === `${audience}.${operation}`)
  if (call === undefined) throw new Error(`there is no ${audience}.${operation}`)
  return { audience, operation, declared: call.declared, input }
}

const shownUrl = "http://127.0.0.1:4400"
const styles = ["Effect", "Promise"]

/** A call with its samples. */
type Sampled = Pick<Called, "audience" | "operation"> & Pick<(typeof pages)[number], "samples">

const sampled = (called: Called): Sampled => ({ ...called, samples: samplesOf(called, target) })

const sampleOf = (label: string, { samples }: Pick<Sampled, "samples">): string =>
  samples.find((sample) => sample.label === label)?.source ?? ""

/** Every call of every client, with what its page shows. */
const paged = pages.map(
  ({ client, name, samples }): Sampled => ({ audience: client, operation: name, samples })
)

const calls = [...paged, ...odd.map((sample) => sampled(calledOf(sample)))].map((called, index) => ({
  ...called,
  title: `${called.audience}.${called.operation}${index < paged.length ? "" : ", oddly"}`,
  file: (style: string) => `${index}.${style}.mjs`
}))

/** An app beside the package as it is published. */
const app = installed()

const execute = promisify(execFile)
/** Runs a command as it is shown, but for the sandbox's port, in a shell that knows no variable of its own. */
const shell = (called: Sampled, url: string): Promise<unknown> =>
  execute("sh", ["-c", sampleOf("curl", called).replaceAll(shownUrl, url)], {
    cwd: app(),
    env: { PATH: process.env.PATH }
  })

/** Imports a module as Node does: Vitest would read each of them once more, and translate it. */
const loader = "module.exports = (path) => import(path)"
type Load = (path: string) => Promise<unknown>

/** Runs a program as it is shown, but for the sandbox's port: plain JavaScript. It ends by printing its answer. */
const program = async (file: string, code: string, url: string): Promise<void> => {
  const [own, load] = [join(app(), file), join(app(), "load.cjs")]
  await writeFile(own, code.replaceAll(shownUrl, url))
  await writeFile(load, loader)
  const logged = vi.spyOn(console, "log")
  const printed = new Promise<void>((resolve) => {
    logged.mockImplementation(() => resolve())
  })
  const imported: Load = createRequire(import.meta.url)(load)
  await imported(own)
  await printed
  expect(logged).toHaveBeenCalledOnce()
  logged.mockRestore()
}

describe.each(calls)("$title", (called) => {
  /** A sandbox of its own for each sample: what one changes, the next does not find. */
  const sent = async (send: (url: string) => Promise<unknown>): Promise<void> => {
    const scope = Effect.runSync(Scope.make())
    const { control, url } = await Effect.runPromise(Scope.extend(Server.serve({ port: 0 }), scope))
    const first = paged.find(({ operation }) => operation === firstOf[called.operation])
    if (first !== undefined) await shell(first, url)
    control.clear()
    await send(url)
    const log = control.log()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    expect(log.filter(({ status }) => status >= 300)).toEqual([])
    expect(log.map(({ operation }) => operation)).toContain(called.operation)
  }

  it("by a shell", () => sent((url) => shell(called, url)))

  it.each(styles)("with %s", (style) =>
    sent((url) => program(called.file(style), sampleOf(style, called), url))
  )
})

it.each(styles)(
  "the oldest Node reads every program with %s, and nothing of it is to be filled in",
  async (style) => {
    const programs = calls.map((called) => sampleOf(style, called))
    const plain = await Promise.all(programs.map((code) => isPlain(code)))
    expect(programs.filter((code, index) => plain[index] === false || code.includes("…"))).toEqual([])
  }
)

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
  const shown = (input: Called["input"]) => ({
    samples: samplesOf({ ...calledOf(["admin", "admins.create", {}]), input }, { baseUrl: shownUrl })
  })
  const payload = { password, roles: [{ apiKey: password }], picture: new File(["a"], "a.png") }
  expect(inShell(sampleOf("curl", shown({ payload: { password } }))).at(-1)).toBe('{"password":"s"}')
  for (const style of ["Effect", "Promise"]) {
    const code = sampleOf(style, shown({ payload }))
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

  it("have the samples of the calls' pages where they are published", () => {
    const published = filesIn("docs/openapi").flatMap((file) => {
      const samples: Array<Described> = []
      JSON.parse(read(file), (_, value) => {
        if (value?.["x-codeSamples"] !== undefined) samples.push(value)
        return value
      })
      return samples
    })
    expect(published).toHaveLength(pages.length)
    for (const { operationId, "x-codeSamples": samples } of published)
      expect(samples).toEqual(pages.find(({ key }) => key === operationId)?.samples)
  })

  it(
    "have programs that compile, whatever is not filled in yet",
    async () => {
      const file = new File(["a"], `a "pic".png`)
      const upload = calledOf(["public", "images.upload", { file }])
      const own = { samples: samplesOf(upload, { baseUrl: shownUrl }) }
      const written = [...calls, sampled(upload), own].flatMap((called) =>
        styles.map((style) => sampleOf(style, called))
      )
      const shown = documented.flatMap(({ "x-codeSamples": samples }) =>
        samples.flatMap(({ lang, source }) => (lang === "TypeScript" ? [source] : []))
      )
      expect(shown).toHaveLength(2 * documented.length)
      expect(await compile([...written, ...shown].map((code, index) => [`${index}.ts`, code]))).toBe("")
    },
    patient(120_000)
  )
})
