/** Programs of the tests as processes of their own: bundled once, and run by Node alone. */
import { execFile } from "node:child_process"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll } from "@effect/vitest"
import { build } from "esbuild"
import { removeFolder } from "./files.js"
import { patient, TimedOut } from "./patience.js"
import { conditions } from "./sources.js"
import { removalTimeout } from "./temporary.js"

/** What a process wrote, and the code that it ended with. */
export interface Written {
  readonly stdout: string
  readonly stderr: string
  readonly code: unknown
}

export interface Run {
  /** Options of Node's. */
  readonly options?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  /** Milliseconds after which it is killed, and has timed out; none. */
  readonly timeout?: number
}

/** What a bundle of modules needs at its top, to hold packages that call `require`. */
export const requires = {
  js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"
}

/** Bundles a program for the tests of one block; answers what runs it. */
export const bundled = (entry: URL): ((args: ReadonlyArray<string>, run?: Run) => Promise<Written>) => {
  let folder = ""
  let script = ""
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "quartet-test-"))
    script = join(folder, "child.mjs")
    await build({
      entryPoints: [fileURLToPath(entry)],
      outfile: script,
      bundle: true,
      conditions: [...conditions],
      platform: "node",
      format: "esm",
      sourcemap: "inline",
      logLevel: "error",
      banner: requires
    })
  }, patient(60_000))
  afterAll(() => removeFolder(folder), removalTimeout)
  return (args, { env = {}, options = [], timeout = 0 } = {}) =>
    new Promise((done, fail) => {
      execFile(
        process.execPath,
        [...options, script, ...args],
        { timeout, maxBuffer: 256 * 1024 * 1024, env: { ...process.env, ...env } },
        (error, stdout, stderr) =>
          error?.killed && timeout > 0
            ? fail(new TimedOut(`the program did not end: ${stdout}${stderr}`, timeout))
            : done({ stdout, stderr, code: error?.code ?? error?.signal ?? 0 })
      )
    })
}
