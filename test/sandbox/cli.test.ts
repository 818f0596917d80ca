/** The command line as a program of its own: what it prints, how it stops, and how it says what is wrong. */
import { spawn } from "node:child_process"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { build } from "esbuild"
import * as Arguments from "../../adapters/sandbox/cli/arguments.js"
import * as Screen from "../../adapters/sandbox/cli/screen.js"

const root = resolve(import.meta.dirname, "../..")
/** Inside the project, so that the program finds its packages. */
let home = ""
let program = ""

beforeAll(async () => {
  const parent = join(root, ".cache")
  await mkdir(parent, { recursive: true })
  home = await mkdtemp(join(parent, "cli-test-"))
  await build({
    entryPoints: { cli: join(root, "adapters/sandbox/cli.ts") },
    outdir: home,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20"
  })
  program = join(home, "cli.mjs")
})

afterAll(() => rm(home, { recursive: true, force: true }))

const asModule = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`

/** Makes Node find no package that the server alone needs, as where they are not installed. */
const withoutPeers = asModule(`
  import { register } from "node:module"
  register(${JSON.stringify(
    asModule(`
      export const resolve = (name, context, next) => {
        if (!/^(@effect\\/platform-node|socket\\.io)(\\/|$)/.test(name)) return next(name, context)
        const error = new Error("Cannot find package '" + name + "' imported from the command line")
        throw Object.assign(error, { code: "ERR_MODULE_NOT_FOUND" })
      }
    `)
  )})
`)

type Child = ReturnType<typeof start>

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const start = (args: ReadonlyArray<string>, options: ReadonlyArray<string> = []) =>
  spawn(process.execPath, [...options, program, ...args], { stdio: ["ignore", "pipe", "pipe"] })

const ended = async (child: Child): Promise<Ended> => {
  const code = new Promise<number | null>((done) => child.on("close", done))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await code, stdout, stderr }
}

/** The address that a program prints once it serves. */
const served = (child: Child): Promise<string> =>
  new Promise((done, fail) => {
    let said = ""
    child.stdout.on("data", (piece) => {
      said += String(piece)
      const url = /on (http:\S+)[\s\S]*Ctrl\+C/.exec(said)?.[1]
      if (url !== undefined) done(url)
    })
    child.once("close", () => fail(new Error(`it ended: ${said}`)))
  })

describe("quartet sandbox", () => {
  it("serves those it is told to, prints its address and accounts in columns, and stops gracefully", async () => {
    const child = start(["sandbox", "--port", "0", "--seed", "5", "--allow-origin", "https://app.test"])
    const whole = ended(child)
    const url = await served(child)
    const from = async (origin: string) => {
      const headers = { "x-api-key": "qk_public_demo", origin }
      const answer = await fetch(`${url}/project/self`, { headers })
      return [answer.status, answer.headers.get("access-control-allow-origin")]
    }
    expect(await from("https://app.test")).toEqual([200, "https://app.test"])
    expect(await from("https://evil.test")).toEqual([403, null])
    child.kill("SIGTERM")
    const { code, stderr, stdout } = await whole
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toContain("  project id        5eed00000000000000000001")
    expect(stdout).toContain("  admin             admin@quartet.test    admin-password")
    expect(stdout).toContain("  seed              5")
    expect(stdout.trimEnd().endsWith("The sandbox has stopped.")).toBe(true)
    expect(stdout).not.toContain("\u001b")
  })

  it("says that a port is taken, and proposes another", async () => {
    const first = start(["sandbox", "--port", "0"])
    const end = ended(first)
    const port = Number(new URL(await served(first)).port)
    const { code, stderr } = await ended(start(["sandbox", "--port", String(port)]))
    expect(code).toBe(1)
    expect(stderr).toBe(
      `quartet: port ${port} is in use. Try another: quartet sandbox --port ${port + 1} (or --port 0 for any free one)\n`
    )
    first.kill("SIGINT")
    expect((await end).code).toBe(0)
  })

  it("says what to install where an optional package is missing", async () => {
    const { code, stderr, stdout } = await ended(start(["sandbox"], ["--import", withoutPeers]))
    expect([code, stdout]).toEqual([1, ""])
    expect(stderr).toMatch(/^quartet: the sandbox's server needs (@effect\/platform-node|socket\.io)\./)
    expect(stderr).toContain("npm install @effect/platform @effect/platform-node socket.io")
  })

  it("prints its help and its version", async () => {
    const help = await ended(start(["--help"]))
    expect([help.code, help.stdout]).toEqual([0, `${Arguments.help}\n`])
    const version = await ended(start(["--version"]))
    expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+/) })
  })

  it.each([
    [[], "a command is missing"],
    [["serve"], 'the command "serve" is not known'],
    [["sandbox", "--prot", "1"], "Unknown option '--prot'"],
    [["sandbox", "--port"], "argument missing"],
    [["sandbox", "--port", "70000"], "--port must be a whole number from 0 to 65535"],
    [["sandbox", "--seed", "-1"], "'--seed' argument is ambiguous"],
    [["sandbox", "--latency", "soon"], "--latency must be a whole number of milliseconds"],
    [["sandbox", "--allow-host", "http://a.test"], "--allow-host must be a host's name or address"],
    [["sandbox", "--allow-host", "a.test:4400"], 'without scheme and port, or * alone, not "a.test:4400"'],
    [["sandbox", "--allow-origin", "app.test"], "--allow-origin must be an origin such as https://app.test"],
    [["sandbox", "again"], '"again" is an unexpected argument']
  ])("refuses %j and says why", (args, message) => {
    const command = Arguments.read(args)
    expect(command).toMatchObject({ _tag: "Wrong", message: expect.stringContaining(message) })
  })

  it("ends with code 2 where it is called wrongly", async () => {
    const { code, stderr } = await ended(start(["sandbox", "--prot", "1"]))
    expect(code).toBe(2)
    expect(stderr).toContain("See: quartet --help")
  })

  it("reads every option, and has sound defaults", () => {
    const defaults = { port: 4400, seed: 1, latency: 0, quiet: false, allowedHosts: [], allowedOrigins: [] }
    expect(Arguments.read(["sandbox"])).toEqual({ _tag: "Serve", ...defaults })
    const hosts = ["--allow-host", "sandbox.test", "--allow-host=other.test"]
    const origins = ["--allow-origin", "https://app.test", "--allow-origin", "null"]
    const plain = ["sandbox", "--port=0", "--seed", "9", "--latency", "150", "--quiet"]
    expect(Arguments.read([...plain, ...hosts, ...origins])).toEqual({
      _tag: "Serve",
      port: 0,
      seed: 9,
      latency: 150,
      quiet: true,
      allowedHosts: ["sandbox.test", "other.test"],
      allowedOrigins: ["https://app.test", "null"]
    })
  })

  it("prints one aligned line for a request, coloured by its status where there is colour", () => {
    const received = {
      requestId: "sandbox-000001",
      method: "PUT",
      path: "/request-action/1/seen",
      query: "",
      operation: "requests.markSeen",
      audience: "endUser" as const,
      status: 409,
      idempotencyKey: undefined,
      replayed: false,
      at: new Date(2025, 0, 2, 3, 4, 5),
      duration: 12
    }
    expect(Screen.line(received, Screen.paint(false))).toMatch(
      /^03:04:05 {2}409 {2}PUT {5}\/request-action\/1\/seen +requests\.markSeen +endUser {2}12 ms$/
    )
    expect(Screen.line(received, Screen.paint(true))).toContain("\u001b[33m409\u001b[39m")
  })
})
