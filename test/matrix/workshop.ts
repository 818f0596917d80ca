/** Where cells run: the packed packages, the folders that install it, a served sandbox, a browser, and commands in bounded time. */
import { type ChildProcess, spawn } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { availableParallelism, tmpdir } from "node:os"
import { basename, extname, join } from "node:path"
import * as Sandbox from "@quartet/sandbox"
import * as SandboxServer from "@quartet/sandbox/server"
import { root } from "@quartet/support/files.js"
import { packAll } from "@quartet/support/packed.js"
import { patient } from "@quartet/support/patience.js"
import { listen } from "@quartet/support/servers.js"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { transformSync } from "esbuild"
import { type Browser, type BrowserServer, chromium } from "playwright-core"
import { launch } from "../e2e/chromium.js"
import type { Outcome, Platform } from "./consumer/platform.js"
import { type Folder, folders, own } from "./versions.js"

/** Milliseconds for one command: an install or a build takes the longest, on a machine that does other things too. */
const patience = patient(180_000)

/** The environment without what npm hands to its scripts, and without what would make a tool report to its makers. */
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_OPTIONS$/i.test(name))),
  NEXT_TELEMETRY_DISABLED: "1",
  DENO_NO_UPDATE_CHECK: "1",
  DO_NOT_TRACK: "1",
  NO_COLOR: "1",
  CI: "1"
}

interface Command {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  /** Milliseconds. */
  readonly limit?: number
}

/** A command that did not end in time, or whose children hold its output after its end. */
export class Unfinished extends Error {}

const children = new Set<ChildProcess>()

/** Ends a child and its own children, also those that it left behind. */
const end = (child: ChildProcess): void => {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, "SIGKILL")
  } catch {
    // It has ended by itself.
  }
}

const start = (command: string, args: ReadonlyArray<string>, { cwd, env }: Command): ChildProcess => {
  const child = spawn(command, args, {
    cwd,
    env: { ...environment, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true
  })
  children.add(child)
  child.once("close", () => children.delete(child))
  return child
}

/**
 * Runs a command to its end and that of its output; answers what it wrote to stdout. Fails with all that it wrote if it fails
 * or takes too long.
 */
export const execute = (command: string, args: ReadonlyArray<string>, options: Command): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = start(command, args, options)
    const all: Array<Buffer> = []
    const out: Array<Buffer> = []
    child.stdout?.on("data", (chunk: Buffer) => void [all.push(chunk), out.push(chunk)])
    child.stderr?.on("data", (chunk: Buffer) => void all.push(chunk))
    const { limit = patience } = options
    let isLate = false
    const late = setTimeout(() => {
      isLate = true
      end(child)
    }, limit)
    child.once("error", reject)
    child.once("close", (code, signal) => {
      clearTimeout(late)
      if (code === 0 && !isLate) return resolve(Buffer.concat(out).toString())
      const line = [basename(command), ...args.map((arg) => arg.slice(0, 120))].join(" ")
      const output = Buffer.concat(all).toString()
      reject(
        isLate
          ? new Unfinished(`${line}\nor what it started did not end within ${limit / 1000} s\n${output}`)
          : new Error(`${line}\nended with ${code ?? signal}\n${output}`)
      )
    })
  })

/** The JSON in the last line of an output. */
export const outcomeOf = (output: string): Outcome => JSON.parse(output.trimEnd().split("\n").at(-1) ?? "")

/** A command that serves until the workshop closes: waits for a line that tells its address. */
export const serving = (
  command: string,
  args: ReadonlyArray<string>,
  options: Command,
  address: RegExp
): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = start(command, args, options)
    let all = ""
    const late = setTimeout(() => end(child), patience)
    const hear = (chunk: Buffer): void => {
      all += chunk.toString()
      const url = address.exec(all)?.[0]
      if (url === undefined) return
      clearTimeout(late)
      resolve(url)
    }
    child.stdout?.on("data", hear)
    child.stderr?.on("data", hear)
    child.once("error", reject)
    child.once("close", () => reject(new Error(`${basename(command)} serves nothing\n${all}`)))
  })

/** Compiles programs of the consumers into a folder: types leave, and for CommonJS imports become `require`. */
export const compile = (to: string, names: ReadonlyArray<string>, format: "esm" | "cjs" = "esm"): string => {
  mkdirSync(to, { recursive: true })
  writeFileSync(join(to, "package.json"), JSON.stringify({ type: format === "esm" ? "module" : "commonjs" }))
  for (const name of names) {
    const { code } = transformSync(readFileSync(join(root, "test/matrix/consumer", name), "utf8"), {
      loader: extname(name) === ".tsx" ? "tsx" : "ts",
      format,
      jsx: "automatic"
    })
    writeFileSync(join(to, basename(name).replace(/\.tsx?$/, ".js")), code)
  }
  return to
}

/** Serves a sandbox of its own. */
export const serveSandbox = async (): Promise<{
  readonly url: string
  readonly close: () => Promise<void>
}> => {
  const scope = await Effect.runPromise(Scope.make())
  const { url } = await Effect.runPromise(
    SandboxServer.serve({ port: 0 }).pipe(Effect.provideService(Scope.Scope, scope))
  )
  return { url, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

/** Builds and packs the packages; answers how a manifest names each tarball. */
export const pack = async (to: string): Promise<ReadonlyMap<string, string>> => {
  await execute(process.execPath, [join(root, "tools/build.mjs")], { cwd: root })
  return new Map(packAll(to).map(({ name, path }) => [name, `file:${path}`]))
}

/** Installs what a manifest names. */
const install = (cwd: string): Promise<string> => {
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--prefer-offline"]
  return execute("npm", ["install", "--loglevel=error", ...flags], { cwd })
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** Copies an example to a folder, and installs it from the packed packages. What somebody has installed or built there stays there. */
export const installExample = async (
  name: string,
  to: string,
  tarballs: ReadonlyMap<string, string>
): Promise<void> => {
  const isOwn = (path: string): boolean => !/\/(node_modules|dist|\.next)$/.test(path)
  cpSync(join(root, "examples", name), to, { recursive: true, filter: isOwn })
  const file = join(to, "package.json")
  const manifest: Manifest = JSON.parse(readFileSync(file, "utf8"))
  const packed = (versions: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(versions).map(([of, version]) => [of, tarballs.get(of) ?? version]))
  const dependencies = packed(manifest.dependencies)
  const devDependencies = packed(manifest.devDependencies)
  writeFileSync(file, JSON.stringify({ ...manifest, dependencies, devDependencies }))
  await install(to)
}

/** As many as run at once: one for each core. */
export const atOnce = availableParallelism()

/** Runs all of them in their order, one at a time in each place; answers what became of each. */
export const runAll = async <A, B, Place>(
  all: ReadonlyArray<A>,
  places: ReadonlyArray<Place>,
  run: (item: A, place: Place) => Promise<B>
): Promise<ReadonlyArray<B>> => {
  const results: Array<B> = []
  const waiting = all.entries()
  const work = async (place: Place): Promise<void> => {
    for (const [index, item] of waiting) results[index] = await run(item, place)
  }
  await Promise.all(places.map(work))
  return results
}

/** Ends every command that is under way. */
export const endAll = (): void => {
  for (const child of children) end(child)
}

export const makeWorkshop = async () => {
  const home = mkdtempSync(join(tmpdir(), "quartet-matrix-"))
  const sandbox = await serveSandbox()
  const { admin, apiKey, endUsers, projectId, viewer } = Sandbox.accounts
  const platform: Platform = { baseUrl: sandbox.url, projectId, apiKey, admin, viewer, endUser: endUsers.ana }
  const tarballs = pack(home)

  const make = async (name: Folder): Promise<string> => {
    const folder = join(home, name)
    mkdirSync(folder)
    const packed = await tarballs
    const dependencies = Object.fromEntries(
      own[name].map((dependency) => [dependency, packed.get(dependency)])
    )
    const manifest = { private: true, type: "module", dependencies: { ...folders[name], ...dependencies } }
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest))
    await install(folder)
    return folder
  }
  const installing = new Map<Folder, Promise<string>>()
  /** Installs a folder, once; answers its path. */
  const folder = (name: Folder): Promise<string> => {
    const begun = installing.get(name) ?? make(name)
    installing.set(name, begun)
    return begun
  }

  let launched: Promise<BrowserServer> | undefined
  const browser = (): Promise<Browser> => {
    launched ??= launch(process.env)
    return launched.then((server) => chromium.connect(server.wsEndpoint()))
  }

  /** Opens a page, and answers what it leaves in `globalThis.outcome`, as JSON. */
  const visit = async <A>(address: string): Promise<A> => {
    const opened = await browser()
    const page = await opened.newPage()
    page.setDefaultTimeout(patience)
    const faults: Array<string> = []
    page.on("pageerror", (error) => faults.push(String(error)))
    try {
      await page.goto(address)
      const outcome = page.waitForFunction(() => Reflect.get(globalThis, "outcome"), undefined, {
        timeout: patience / 2
      })
      return JSON.parse(String(await (await outcome).jsonValue()))
    } catch (error) {
      throw new Error([String(error), ...faults].join("\n"))
    } finally {
      await opened.close()
    }
  }

  /** Serves a built app's folder, with a page that loads its `app.js`, and visits it. */
  const visitBuilt = async (built: string): Promise<Outcome> => {
    const server = createServer((request, response) => {
      const path = request.url ?? "/"
      response.setHeader("content-type", path === "/" ? "text/html" : "text/javascript")
      const file = join(built, path)
      const html = '<meta charset="utf-8"><script type="module" src="/app.js"></script>'
      response.statusCode = path === "/" || existsSync(file) ? 200 : 404
      response.end(path === "/" ? html : existsSync(file) ? readFileSync(file) : "")
    })
    const served = await listen(server)
    try {
      return await visit(`${served.url}/#${encodeURIComponent(JSON.stringify(platform))}`)
    } finally {
      await served.close()
    }
  }

  const close = async (): Promise<void> => {
    endAll()
    await launched?.then(
      (server) => server.close(),
      () => undefined
    )
    await sandbox.close()
    rmSync(home, { recursive: true, force: true })
  }

  return { home, platform, folder, visit, visitBuilt, close }
}

export type Workshop = Awaited<ReturnType<typeof makeWorkshop>>
