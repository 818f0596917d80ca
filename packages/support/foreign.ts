/** Tools of others, each installed for the tests of a file in a folder of its own, at exact versions, with the Node that it needs. */
import { execFile } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { delimiter, dirname, join } from "node:path"
import { beforeAll } from "vitest"
import { patient, TimedOut } from "./patience.js"
import { temporaryFolder } from "./temporary.js"

/** What a program wrote, and the code that it ended with. */
interface Ended {
  readonly code: unknown
  readonly output: string
  readonly stdout: string
}

/** The environment without what npm hands to its scripts, and without what this process was told. */
export const ownEnvironment = (): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_OPTIONS$|^QUARTET_|^VITEST/i.test(name))
  )

/** Runs a program in a folder, in an environment of its own; it is ended where it takes longer than any of others does. */
export const run = (program: string, cwd: string, args: ReadonlyArray<string>, env = {}): Promise<Ended> =>
  new Promise((done, fail) => {
    const limit = patient(300_000)
    const options = {
      cwd,
      env: { ...ownEnvironment(), NO_COLOR: "1", CI: "1", ...env },
      maxBuffer: 2 ** 26,
      timeout: limit
    }
    execFile(program, args, options, (error, stdout, stderr) => {
      const output = stdout + stderr
      if (error?.killed === true) fail(new TimedOut(`${program} ${args.join(" ")}\n${output}`, limit))
      else done({ code: error?.code ?? 0, output, stdout })
    })
  })

/** What one run was told of a package is as good for the next. */
export const npmSettings = {
  npm_config_prefer_offline: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false"
}

/** What a tool's own packages are taken from: no version that is newer, so that what passed today passes tomorrow. */
const before = "2026-11-28T00:00:00.000Z"

/** The packages that hold Node itself, by its version. */
const nodePackage = (): string =>
  `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`

export interface Tool {
  /** Where it is installed. */
  readonly folder: string
  /** The Node that runs it. */
  readonly node: () => string
  /** The file of one of its programs. */
  readonly bin: (name: string) => string
  /** Runs one of its programs in its folder. */
  readonly run: (name: string, ...args: ReadonlyArray<string>) => Promise<Ended>
  /** Runs a file by its Node, in its folder. */
  readonly execute: (file: string, ...args: ReadonlyArray<string>) => Promise<Ended>
}

/** Installs packages, by exact versions, for the tests of this file; `node` is the version that they need, where it is not ours. */
export const foreignTool = (
  name: string,
  { node, packages }: { readonly packages: Readonly<Record<string, string>>; readonly node?: string }
): Tool => {
  const folder = temporaryFolder(`foreign-${name}`)
  const modules = join(folder, "node_modules")
  const program = () =>
    node === undefined
      ? process.execPath
      : join(modules, nodePackage(), process.platform === "win32" ? "bin/node.exe" : "bin/node")
  const bin = (own: string): string => join(modules, ".bin", own)
  beforeAll(async () => {
    const dependencies = { ...packages, ...(node === undefined ? {} : { [nodePackage()]: node }) }
    await writeFile(
      join(folder, "package.json"),
      JSON.stringify({ private: true, type: "module", dependencies })
    )
    const { code, output } = await run("npm", folder, ["install"], {
      ...npmSettings,
      npm_config_before: before,
      npm_config_ignore_scripts: "true"
    })
    if (code !== 0) throw new Error(`npm install of ${name} ended with ${String(code)}:\n${output}`)
  }, patient(300_000))
  const execute: Tool["execute"] = (file, ...args) =>
    run(program(), folder, [file, ...args], { PATH: `${dirname(program())}${delimiter}${process.env.PATH}` })
  return { folder, node: program, bin, execute, run: (own, ...args) => execute(bin(own), ...args) }
}
