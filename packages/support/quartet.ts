/** The command line as a program of its own, bundled as it is published. */
import { execFileSync, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll } from "vitest"
import { removeFolder, root } from "./files.js"
import { removalTimeout } from "./temporary.js"

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Given {
  /** Options of Node. */
  readonly node?: ReadonlyArray<string>
  /** All of its variables beside PATH. */
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  readonly cwd?: string
}

/** Bundles the command line for the tests of a file. */
export const quartet = () => {
  // Inside the project, so that it finds its packages and its version.
  let home = ""
  beforeAll(() => {
    mkdirSync(join(root, ".cache"), { recursive: true })
    home = mkdtempSync(join(root, ".cache", "quartet-"))
    execFileSync(process.execPath, [join(root, "tools", "bundle.mjs"), home])
  })
  afterAll(() => removeFolder(home), removalTimeout)

  const start = (args: ReadonlyArray<string>, { cwd = home, env = {}, node = [], stdin }: Given = {}) => {
    const child = spawn(process.execPath, [...node, join(home, "main.js"), ...args], {
      cwd,
      env: { PATH: process.env.PATH, ...env },
      stdio: ["pipe", "pipe", "pipe"]
    })
    // A command may end before it reads anything.
    child.stdin.on("error", () => undefined)
    child.stdin.end(stdin ?? "")
    return child
  }
  type Child = ReturnType<typeof start>

  const ended = async (child: Child): Promise<Ended> => {
    const code = new Promise<number | null>((done) => child.on("close", done))
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    return { code: await code, stdout, stderr }
  }

  /** The first match of what a running program prints. */
  const said = (child: Child, pattern: RegExp): Promise<string> =>
    new Promise((done, fail) => {
      let all = ""
      child.stdout.on("data", (piece) => {
        all += String(piece)
        const match = pattern.exec(all)?.[1]
        if (match !== undefined) done(match)
      })
      child.once("close", () => fail(new Error(`it ended: ${all}`)))
    })

  return {
    /** The path of the program. */
    program: () => join(home, "main.js"),
    start,
    ended,
    said,
    run: (args: ReadonlyArray<string>, settings?: Given) => ended(start(args, settings))
  }
}
