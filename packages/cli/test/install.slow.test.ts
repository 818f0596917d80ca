/** The commands that are printed for optional packages, given to real npm: none of them may fail, in whichever app. */

import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Installed, installOf, overrideOf, purposes } from "../doctor/installation.js"
import { type Manager, managerOf } from "../doctor/manager.js"
import { patient } from "@quartet/support/patience.js"
import { isWhole } from "@quartet/support/scale.js"

const run = promisify(execFile)
const home = mkdtempSync(join(tmpdir(), "quartet-install-"))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const own = JSON.parse(readFileSync("package.json", "utf8"))
const peers: Readonly<Record<string, string>> = own.peerDependencies
const hooks = purposes["rx, outbox"] ?? []

/** The npm of the oldest Node that is supported, and the newest. */
const versions = isWhole ? ["10", "11"] : ["10"]
const npmOf = (version: string) => join(home, "npm", "node_modules", `npm-${version}`, "bin/npm-cli.js")

const write = (folder: string, manifest: unknown) => {
  mkdirSync(join(home, folder), { recursive: true })
  writeFileSync(join(home, folder, "package.json"), JSON.stringify(manifest))
}

beforeAll(async () => {
  // What npm reads of a package before it installs it: the whole is packed and installed elsewhere.
  const { dependencies, engines, name, peerDependencies, peerDependenciesMeta, type, version } = own
  write("sdk", { name, version, type, engines, dependencies, peerDependencies, peerDependenciesMeta })
  await run("npm", ["pack", "--silent"], { cwd: join(home, "sdk") })
  write("npm", {
    private: true,
    dependencies: {
      ...Object.fromEntries(versions.map((one) => [`npm-${one}`, `npm:npm@${one}`])),
      pnpm: "10"
    }
  })
  await run("npm", ["install", "--no-audit", "--no-fund"], { cwd: join(home, "npm") })
  for (const one of versions) {
    mkdirSync(join(home, `bin-${one}`))
    const shim = `#!/bin/sh\nexec "${process.execPath}" "${npmOf(one)}" "$@"\n`
    writeFileSync(join(home, `bin-${one}`, "npm"), shim, { mode: 0o755 })
  }
  mkdirSync(join(home, "bin-pnpm"))
  symlinkSync(join(home, "npm", "node_modules", "pnpm", "bin/pnpm.cjs"), join(home, "bin-pnpm", "pnpm"))
}, patient(600_000))

/** An app in a folder of its own, to which commands are given as they are printed. */
class App {
  private static count = 0
  private readonly folder: string

  constructor(
    private readonly npm: string,
    dependencies: Readonly<Record<string, string>> = {},
    overrides: Readonly<Record<string, unknown>> = {}
  ) {
    App.count += 1
    const name = `app-${App.count}`
    this.folder = join(home, name)
    const sdk = `file:../sdk/quartet-sdk-${own.version}.tgz`
    write(name, {
      name,
      private: true,
      dependencies: { "@quartet/sdk": sdk, effect: "^3.22.2", ...dependencies },
      overrides
    })
  }

  get manager(): Manager {
    return managerOf(this.folder)
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text)
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), "utf8")
  }

  /** Another one, in which the same commands were given. */
  copy(): App {
    const copy = new App(this.npm)
    cpSync(this.folder, copy.folder, { recursive: true })
    return copy
  }

  /** What it ends with: nothing, or npm's complaint. */
  give(command: string): Promise<string> {
    const env = {
      ...process.env,
      PATH: `${join(home, `bin-${this.npm}`)}${delimiter}${process.env.PATH ?? ""}`,
      npm_config_package_lock_only: "true",
      npm_config_lockfile_only: "true",
      // What one run was told of a package is as good for the next one.
      npm_config_prefer_offline: "true",
      npm_config_ignore_scripts: "true",
      npm_config_audit: "false",
      npm_config_fund: "false"
    }
    return run("sh", ["-c", command], { cwd: this.folder, env }).then(
      () => "",
      (cause: unknown) => `${command}: ${String(Object(cause).stderr)}`
    )
  }

  readonly has: Installed = (name) => {
    const lock = JSON.parse(readFileSync(join(this.folder, "package-lock.json"), "utf8"))
    return lock.packages[`node_modules/${name}`]?.version
  }

  /** What the app lacks of some packages once all commands were given. */
  lacks(names: ReadonlyArray<string>): ReadonlyArray<string> {
    return names.filter((name) => this.has(name) === undefined)
  }
}

/** As the tables of the pages have them: an app with hooks has its own React. */
const printed = (names: ReadonlyArray<string>) =>
  installOf(names, peers, (name) => (name.startsWith("react") ? "19.0.0" : undefined))

const react18 = { react: "^18.3.1", "react-dom": "^18.3.1" }

describe.each(versions)("with npm %s", (npm) => {
  const bases = new Map<string, Promise<App>>()
  /** An app that was given these commands, each of which is run once for all that begin with it. */
  const started = async (...commands: ReadonlyArray<string>): Promise<App> => {
    const key = commands.join("\n")
    const base = bases.get(key) ?? given(commands)
    bases.set(key, base)
    return (await base).copy()
  }
  const given = async (commands: ReadonlyArray<string>): Promise<App> => {
    const last = commands.at(-1)
    const app = last === undefined ? new App(npm) : await started(...commands.slice(0, -1))
    expect(await app.give(last ?? "npm install")).toBe("")
    return app
  }

  it.each(Object.entries(purposes))(
    "the printed command for %s installs it in an app without others",
    async (_, names) => {
      const app = await started(installOf(names, peers))
      expect(app.lacks(names)).toEqual([])
    }
  )

  it("all other parts are installed by the printed commands beside the hooks, one after another", async () => {
    const app = await started(printed(hooks))
    for (const names of Object.values(purposes)) expect(await app.give(printed(names))).toBe("")
    expect(
      app.lacks(
        Object.values(purposes)
          .flat()
          .filter((name) => name !== "react-dom")
      )
    ).toEqual([])
    expect(app.has("@effect/platform")).toMatch(/^0\.97\./)
  })

  it.each(Object.entries(purposes))(
    "the printed command for %s installs it beside the hooks",
    async (_, names) => {
      const app = await started(printed(hooks), printed(names))
      expect(app.lacks(names.filter((name) => name !== "react-dom"))).toEqual([])
    }
  )

  it.each(Object.entries(purposes))(
    "what `quartet doctor` prints for %s installs it in an app that got the hooks without the override",
    async (_, names) => {
      const app = await started("npm install @effect-rx/rx@0.48 @effect-rx/rx-react@0.42 react@19")
      expect(await app.give(installOf(names, peers, app.has))).toBe("")
      expect(app.lacks(names)).toEqual([])
    }
  )

  it("the override alone lets such an app go on with the printed commands", async () => {
    const app = await started(
      "npm install @effect-rx/rx@0.48 @effect-rx/rx-react@0.42 react@19",
      overrideOf(peers)
    )
    expect(await app.give(printed(purposes.fleet ?? []))).toBe("")
  })

  it("the hooks are installed in an app that has all other parts before, and in one with React 18, which stays", async () => {
    const whole = await started(
      installOf([...(purposes.fleet ?? []), ...(purposes["sandbox/server"] ?? [])], peers)
    )
    expect(await whole.give(printed(hooks))).toBe("")
    const old = new App(npm, react18)
    for (const command of ["npm install", ...Object.values(purposes).map(printed)])
      expect(await old.give(command)).toBe("")
    expect(await old.give(installOf(purposes.devtools ?? [], peers, old.has))).toBe("")
    expect([old.has("react"), old.has("react-dom")]).toEqual([
      expect.stringMatching(/^18/),
      expect.stringMatching(/^18/)
    ])
  })

  it.each([
    ["a text", { "@effect-rx/rx": "0.48.7" }],
    ["a reference", { "@effect-rx/rx": "$@effect-rx/rx" }],
    [
      "versions of packages",
      { "@effect-rx/rx@^0.48": "0.48.7", "@effect/platform": "0.97.1", react: "19.3.0" }
    ]
  ])(
    "what `quartet doctor` prints installs hooks and fleet in an app with overrides that stand in the way: %s",
    async (_, overrides) => {
      const app = new App(npm, { "@effect-rx/rx": "0.48.7" }, overrides)
      app.write("package-lock.json", JSON.stringify({ packages: {} }))
      for (const names of [hooks, purposes.fleet ?? []])
        expect(await app.give(installOf(names, peers, app.has, app.manager))).toBe("")
      expect(app.lacks([...hooks, ...(purposes.fleet ?? [])])).toEqual([])
    }
  )

  it("what `quartet doctor` prints moves older packages of effect along", async () => {
    const app = new App(npm, { "@effect/platform": "^0.93.8" })
    expect(await app.give("npm install")).toBe("")
    expect(await app.give(installOf(purposes.fleet ?? [], peers, app.has))).toBe("")
    expect(app.has("@effect/platform")).toMatch(/^0\.97\./)
  })
})

it("what `quartet doctor` prints where pnpm has its lock file installs hooks and all other parts with pnpm", async () => {
  const app = new App("pnpm")
  app.write("pnpm-lock.yaml", "")
  app.write("pnpm-workspace.yaml", "packages:\n  - packages/*\n")
  for (const names of [hooks, Object.values(purposes).flat()]) {
    const command = installOf(names, peers, undefined, app.manager)
    expect(command).toMatch(/^pnpm add -w /)
    expect(await app.give(command)).toBe("")
  }
  const lock = app.read("pnpm-lock.yaml")
  for (const name of Object.values(purposes).flat()) expect(lock).toMatch(new RegExp(`^ {2}'?${name}@`, "m"))
  expect(lock).not.toMatch(/@effect\/platform@0\.90/)
})
