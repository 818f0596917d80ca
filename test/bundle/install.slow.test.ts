// The trial of the tarballs: the five packages are packed, and real package managers install them from a registry by the lines that the
// pages print, without a flag. Then each package's sample runs from there.
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Sandbox from "@quartet/sandbox"
import { entries } from "@quartet/support/entries.js"
import { root } from "@quartet/support/files.js"
import { npmSettings, run } from "@quartet/support/foreign.js"
import { packAll } from "@quartet/support/packed.js"
import { patient } from "@quartet/support/patience.js"
import { serveRegistry } from "@quartet/support/registry.js"
import { servedSandbox } from "@quartet/support/sandboxes.js"
import { isWhole } from "@quartet/support/scale.js"
import { temporaryFolder } from "@quartet/support/temporary.js"
import { published } from "@quartet/support/workspaces.js"
import { build } from "esbuild"
import { beforeAll, describe, expect, test } from "vitest"
import type { Platform } from "./installed/platform.js"

const home = temporaryFolder("install")

interface Manager {
  readonly package: string
  readonly program: string
  readonly add: string
  /** A file of the project, for what a manager wants to be told before it installs anything. */
  readonly file?: readonly [name: string, text: string]
}

const managers: Readonly<Record<string, Manager>> = {
  "npm 10": { package: "npm@10.9.9", program: "bin/npm-cli.js", add: "install" },
  "npm 11": { package: "npm@11.21.2", program: "bin/npm-cli.js", add: "install" },
  "pnpm 10": { package: "pnpm@10.34.8", program: "bin/pnpm.cjs", add: "add" },
  // From pnpm 11 on a package whose script is neither allowed nor refused ends an install with an error, after it has been installed.
  "pnpm 12": {
    package: "pnpm@12.21.0",
    program: "bin/pnpm.mjs",
    add: "add",
    file: ["pnpm-workspace.yaml", "allowBuilds:\n  msgpackr-extract: false\n"]
  }
}

/** The whole of what a manager may warn of, and why that is no fault. */
const allowed: ReadonlyArray<readonly [reason: string, line: RegExp]> = [
  [
    "msgpackr, which @effect/platform brings, is faster with a part in C, and does without: its script only looks whether it was downloaded",
    /^npm warn install-scripts( {3}msgpackr-extract@\S+ \(install: .*\)| 1 package has install scripts not yet covered by allowScripts:| Run `npm install-scripts ls` to review, .*)?$/
  ],
  ["the same, of pnpm", /Ignored build scripts: msgpackr-extract@[\d.]+( +│)?$/]
]

const warnings = (output: string): ReadonlyArray<string> =>
  output
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) =>
      /^npm (warn|error)|\bWARN\b|✕|unmet|[Dd]eprecated|Ignored build scripts|ERR_/.test(line)
    )
    .filter((line) => !allowed.some(([, known]) => known.test(line)))

const react = ["react", "react-dom"]
interface Line {
  /** What is typed after the name of the manager. */
  readonly names: ReadonlyArray<string>
  readonly samples: ReadonlyArray<string>
  /** The managers that install it at each change; before a release all of them do. */
  readonly at?: ReadonlyArray<string>
}

const lines: Readonly<Record<string, Line>> = {
  "@quartet/sdk": { names: ["@quartet/sdk", "effect@3"], samples: ["sdk"] },
  "@quartet/react": {
    names: ["@quartet/react", "@quartet/sdk", "effect@3", ...react],
    samples: ["sdk", "react"]
  },
  "@quartet/sandbox": {
    names: ["@quartet/sandbox", "@quartet/sdk", "effect@3"],
    samples: ["sdk", "sandbox"]
  },
  "@quartet/fleet": {
    names: ["@quartet/fleet", "@quartet/sdk", "effect@3"],
    samples: ["sdk", "fleet"],
    at: ["npm 11"]
  },
  "@quartet/cli": { names: ["@quartet/cli", "effect@3"], samples: [], at: ["npm 10"] },
  "all five": {
    names: [...published.map(({ manifest }) => manifest.name), "effect@3", ...react],
    samples: ["sdk", "react", "sandbox", "fleet"],
    at: Object.keys(managers)
  },
  "a React app and @quartet/sandbox": {
    names: ["@quartet/react", "@quartet/sandbox", "@quartet/sdk", "effect@3", ...react],
    samples: ["react", "sandbox"]
  },
  "a React app and @quartet/fleet": {
    names: ["@quartet/react", "@quartet/fleet", "@quartet/sdk", "effect@3", ...react],
    samples: ["react", "fleet"]
  },
  "a React app and @quartet/cli": {
    names: ["@quartet/react", "@quartet/cli", "@quartet/sdk", "effect@3", ...react],
    samples: ["react"]
  },
  "an app of React 18, with a store of @effect/platform": {
    names: [
      "@quartet/react",
      "@quartet/sdk",
      "effect@3",
      "react@18",
      "react-dom@18",
      "@effect/platform@0.97"
    ],
    samples: ["sdk", "react"],
    at: ["npm 10"]
  }
}

const printed: Readonly<Record<string, unknown>> = {
  sdk: "2 of many requests",
  react: "<p>2 rendered</p>",
  sandbox: "BUY, and a session of a string",
  fleet: "done: 2"
}

const served = servedSandbox()
const platform = (): Platform => ({
  baseUrl: served().url,
  projectId: Sandbox.accounts.projectId,
  ...Sandbox.accounts.admin
})

const node = (cwd: string, args: ReadonlyArray<string>, env = {}): ReturnType<typeof run> =>
  run(process.execPath, cwd, args, env)

/** How this machine, and who works on it, configures npm is left out. */
const settings = () => ({ ...npmSettings, npm_config_userconfig: join(home, "npmrc") })

const manages = (name: string): string => name.replace(" ", "-")

beforeAll(async () => {
  const registry = await serveRegistry(packAll(join(home, "packed")))
  writeFileSync(join(home, "npmrc"), "")
  writeFileSync(join(home, "registry"), registry.url)
  const programs = Object.entries(managers).map(([name, { package: of }]) => [manages(name), `npm:${of}`])
  mkdirSync(join(home, "managers"))
  writeFileSync(
    join(home, "managers/package.json"),
    JSON.stringify({ private: true, dependencies: Object.fromEntries(programs) })
  )
  const { code, output } = await run("npm", join(home, "managers"), ["install"], settings())
  expect([code, output]).toEqual([0, expect.anything()])
  await build({
    entryPoints: ["run", "sdk", "react", "sandbox", "fleet"].map((name) =>
      join(root, `test/bundle/installed/${name}.ts`)
    ),
    outdir: join(home, "samples"),
    format: "esm"
  })
  return registry.close
}, patient(300_000))

/** Every copy of a package in a project, where it really stands, with its version. */
const copiesOf = (name: string, project: string): ReadonlyArray<string> => {
  const copies = new Set<string>()
  const look = (modules: string): void => {
    if (!existsSync(modules)) return
    const manifest = join(modules, name, "package.json")
    if (existsSync(manifest))
      copies.add(`${JSON.parse(readFileSync(manifest, "utf8")).version} ${realpathSync(manifest)}`)
    for (const entry of readdirSync(modules, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue
      const folder = join(modules, entry.name)
      if (entry.name === ".pnpm")
        for (const child of readdirSync(folder)) look(join(folder, child, "node_modules"))
      else if (entry.name.startsWith("@"))
        for (const child of readdirSync(folder, { withFileTypes: true }))
          if (child.isDirectory()) look(join(folder, child.name, "node_modules"))
      look(join(folder, "node_modules"))
    }
  }
  look(join(project, "node_modules"))
  return [...copies]
}

const projects = Object.entries(managers).flatMap(([manager]) =>
  Object.entries(lines)
    .filter(([, { at = [] }]) => isWhole || at.includes(manager))
    .map(([title, line]) => ({ manager, title, line }))
)

describe.each(projects)("$manager installs $title", ({ line: { names, samples }, manager, title }) => {
  const project = join(home, `${manages(manager)}-${title.replaceAll(/\W+/g, "-")}`)
  let ended: Awaited<ReturnType<typeof run>>
  const has = (name: string): boolean => names.some((spec) => spec === name || spec.startsWith(`${name}@`))

  beforeAll(async () => {
    const own = managers[manager]
    if (own === undefined) throw new Error(`there is no ${manager}`)
    mkdirSync(project)
    writeFileSync(
      join(project, "package.json"),
      JSON.stringify({ name: "app", private: true, type: "module" })
    )
    writeFileSync(
      join(project, ".npmrc"),
      `@quartet:registry=${readFileSync(join(home, "registry"), "utf8")}\n`
    )
    if (own.file !== undefined) writeFileSync(join(project, own.file[0]), own.file[1])
    const program = join(home, "managers/node_modules", manages(manager), own.program)
    ended = await node(project, [program, own.add, ...names], settings())
  }, patient(300_000))

  test("without an error, and without a warning that is not known", () => {
    expect([ended.code, warnings(ended.output)], ended.output).toEqual([0, []])
  })

  test("with one copy of effect, of React and of the SDK, and of effect-rx what its types need", () => {
    const counts = ["effect", "react", "@quartet/sdk"].map((name) => [name, copiesOf(name, project).length])
    expect(counts).toEqual([
      ["effect", 1],
      ["react", has("react") ? 1 : 0],
      ["@quartet/sdk", 1]
    ])
    // effect-rx asks for ^0.90, @effect/sql for ^0.97: both may be there, once for each that is asked for.
    const versions = (name: string) => new Set(copiesOf(name, project).map((copy) => copy.split(" ")[0]))
    const platforms = [...versions("@effect/platform")]
    expect(platforms.filter((version) => !/^0\.(90|97)\.\d+$/.test(version ?? ""))).toEqual([])
    expect(versions("@effect-rx/rx").size).toBe(has("@quartet/react") ? 1 : 0)
  })

  test("whose entries all load, and whose samples run in one process", async () => {
    const own = entries.filter((entry) => names.some((name) => `${entry}/`.startsWith(`${name}/`)))
    for (const name of ["run", ...samples])
      writeFileSync(join(project, `${name}.js`), readFileSync(join(home, "samples", `${name}.js`)))
    const args = [platform(), own, samples].map((argument) => JSON.stringify(argument))
    const { output, stdout } = await node(project, ["run.js", ...args])
    expect(stdout, output).toMatch(/^\{/)
    const outcome: { readonly missing: Readonly<Record<string, string>> } = JSON.parse(stdout)
    // What the optional peer is for.
    const optional = ["platform", "storage", "storage-file"].map((name) => [
      `@quartet/sdk/adapters/${name}`,
      "@effect/platform"
    ])
    const isBare = copiesOf("@effect/platform", project).length === 0 && has("@quartet/sdk")
    expect(outcome).toEqual({
      missing: isBare ? Object.fromEntries(optional) : {},
      printed: Object.fromEntries(samples.map((name) => [name, printed[name]]))
    })
  })

  if (!has("@quartet/cli")) return
  test("whose command line runs", async () => {
    const quartet = (...args: ReadonlyArray<string>) =>
      node(project, ["node_modules/@quartet/cli/dist/main.js", ...args], {
        QUARTET_BASE_URL: platform().baseUrl,
        QUARTET_PROJECT_ID: platform().projectId,
        QUARTET_EMAIL: platform().email,
        QUARTET_PASSWORD: platform().password
      })
    expect((await quartet("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect((await quartet("operations", "requests.list")).stdout).toMatch(/GET request-action\n/)
    const input = ["--input", '{"limit":2}', "--as", "admin", "--json"]
    const { output, stdout } = await quartet("call", "requests.list", ...input)
    expect(stdout, output).toMatch(/^\{"items":\[\{"_id"/)
    const job = await quartet("job", "list", "--store", "file:none.db")
    if (has("@quartet/fleet")) expect(job.output).not.toContain("not installed")
    else {
      expect(job.code).toBe(2)
      expect(job.output).toMatch(/ (install|add) @quartet\/fleet @quartet\/sdk effect@3/)
    }
  })
})
