// What the package holds: each page in it links to what is in it too, because it may stand where the repository does not;
// and each entry needs no package but those that the README names for it.
import { execFile, execFileSync, spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join, posix } from "node:path"
import { text } from "node:stream/consumers"
import { promisify } from "node:util"
import { type BuildOptions, build as esbuild } from "esbuild"
import { rolldown } from "rolldown"
import { describe, expect, test } from "vitest"
import { read } from "@quartet/support/files.js"
import { purposes } from "../../packages/cli/doctor/installation.js"
import { linksIn } from "../docs/markdown.js"
import { entries } from "@quartet/support/entries.js"
import { installed, packed } from "@quartet/support/package.js"
import { requires } from "@quartet/support/programs.js"
import { listen } from "@quartet/support/servers.js"

const paths = packed()
const own: {
  readonly bin: { readonly quartet: string }
  readonly dependencies: object
  readonly peerDependencies: object
  readonly peerDependenciesMeta: object
} = JSON.parse(read("package.json"))
const pages = paths.filter((path) => path.endsWith(".md"))

test("the package holds what runs, its types and its pages: no source, no map, no test, no program of the repository", () => {
  expect(paths).toEqual(
    expect.arrayContaining([
      "dist/clients/index.js",
      "dist/clients/index.d.ts",
      "llms-full.txt",
      "docs/react.md",
      "docs/guides/start-next.md",
      "docs/guides/troubleshooting.md",
      "docs/openapi/admin.json"
    ])
  )
  const own =
    /^(LICENSE|package\.json|llms(-full)?\.txt|(README|AGENTS|CHANGELOG|SECURITY|docs\/guides\/README|docs\/(guides\/)?[a-z-]+)\.md|docs\/openapi\/[a-z-]+\.json|docs\/images\/[a-z]+\.svg)$/
  const built =
    /^dist\/((core|adapters|clients|ui\/(devtools|outbox|rx|tanstack-query))\/.*\.(js|d\.ts)|cli\/([\w-]+\.js|LICENSES\.txt))$/
  expect(paths.filter((path) => !own.test(path) && !built.test(path))).toEqual([])
})

test("what is pure is marked by a comment of its own: bundlers warn of a mark within another comment", () => {
  const modules = paths.filter((path) => /^dist\/(core|adapters|clients|ui)\/.*\.js$/.test(path))
  expect(modules.some((path) => read(path).includes("/*#__PURE__*/"))).toBe(true)
  expect(
    modules.filter((path) => /__PURE__/.test(read(path).replace(/\/\*\s*[#@]__PURE__\s*\*\//g, "")))
  ).toEqual([])
})

test("the package has no script that an install would run, or would warn of", () => {
  const { scripts } = JSON.parse(read("package.json"))
  const installs = [
    "preinstall",
    "install",
    "postinstall",
    "prepublish",
    "preprepare",
    "prepare",
    "postprepare"
  ]
  expect(Object.keys(scripts).filter((name) => installs.includes(name))).toEqual([])
})

test("every declaration that is packed is read by some user's compiler, and what it imports is packed too", () => {
  const { exports } = JSON.parse(read("package.json"))
  const declarations = paths.filter((path) => path.endsWith(".d.ts"))
  const imported = declarations.flatMap((path) =>
    [...read(path).matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)\.js"/g)].map(([, target = ""]) =>
      posix.join(posix.dirname(path), `${target}.d.ts`)
    )
  )
  expect(imported.filter((path) => !declarations.includes(path))).toEqual([])
  const named = Object.values<{ readonly types?: string }>(exports).flatMap(({ types }) =>
    types === undefined ? [] : [new RegExp(`^${types.slice(2).replaceAll(".", "\\.").replace("*", ".+")}$`)]
  )
  const isRead = (path: string): boolean => imported.includes(path) || named.some((entry) => entry.test(path))
  expect(declarations.filter((path) => !isRead(path))).toEqual([])
})

test.each([...pages, "llms.txt"])("every link of %s leads to what is packed, or out of it", (page) => {
  const targets = linksIn(read(page))
    .filter((target) => !/^(https?:|#)/.test(target))
    .map((target) => posix.join(posix.dirname(page), target.split("#")[0] ?? ""))
  expect(targets.filter((target) => !paths.some((path) => `${path}/`.startsWith(`${target}/`)))).toEqual([])
})

describe("beside effect alone", () => {
  const app = installed()

  const optional = Object.keys(own.peerDependenciesMeta)
  const asked = Object.entries(purposes).flatMap(([names, peers]) =>
    names.split(", ").map((name) => [`@quartet/sdk/${name}`, peers] as const)
  )
  /** What packages ask to stand beside them. */
  const besides = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
    names.flatMap((name) =>
      Object.keys(JSON.parse(read(`node_modules/${name}/package.json`)).peerDependencies ?? {})
    )
  const { "@quartet/react/tanstack-query": types, ...loaded } = Object.fromEntries(asked)

  /** The optional peers that the modules of an entry import, of each entry that needs some. */
  const imported = async (): Promise<Readonly<Record<string, ReadonlyArray<string>>>> => {
    const { metafile } = await esbuild({
      entryPoints: Object.fromEntries(entries.map((entry) => [entry, entry])),
      absWorkingDir: app(),
      bundle: true,
      // What an entry imports and does not use, Node loads as well.
      ignoreAnnotations: true,
      external: Object.keys({ ...own.dependencies, ...own.peerDependencies }),
      platform: "node",
      format: "esm",
      outdir: ".",
      write: false,
      metafile: true
    })
    const found = Object.entries(metafile.outputs).flatMap(([file, { imports }]) => {
      const peers = optional.filter((name) => imports.some(({ path }) => `${path}/`.startsWith(`${name}/`)))
      return peers.length === 0 ? [] : [[file.replace(/\.js$/, ""), peers] as const]
    })
    return Object.fromEntries(found)
  }

  test("an entry imports the optional peers that `quartet doctor` asks for, and no other; of TanStack Query types alone", async () => {
    expect(types).toEqual(["@tanstack/react-query"])
    const found = await imported()
    expect(Object.keys(found).sort()).toEqual(Object.keys(loaded).sort())
    for (const [entry, names] of Object.entries(found)) {
      const rest = loaded[entry]?.filter((name) => !names.includes(name)) ?? []
      expect(loaded[entry], entry).toEqual(expect.arrayContaining([...names]))
      expect(besides(names), entry).toEqual(expect.arrayContaining(rest))
    }
  })

  test("every entry loads but those that are for a package that is missing, and says which", () => {
    const script = `const missing = {}
      for (const entry of process.argv.slice(1))
        await import(entry).catch(({ code, message }) => { missing[entry] = code + " " + /'(.+?)'/.exec(message)?.[1] })
      console.log(JSON.stringify(missing))`
    const told = execFileSync(process.execPath, ["--input-type=module", "--eval", script, ...entries], {
      cwd: app(),
      encoding: "utf8"
    })
    // Of several that are missing Node names the one that it looked for first, which is now this one and now that one.
    const missing = Object.entries(loaded).map(([entry, peers]) => [
      entry,
      expect.toSatisfy((words) => peers.some((name) => words === `ERR_MODULE_NOT_FOUND ${name}`))
    ])
    expect(JSON.parse(told)).toEqual(Object.fromEntries(missing))
    expect(entries).toEqual(
      expect.arrayContaining(["@quartet/sdk", "@quartet/sdk/admin/requests", "@quartet/sdk/adapters/undici"])
    )
  })

  test.each([
    [["--version"], /^\d+\.\d+\.\d+\n$/],
    [["operations", "requests.list"], /GET request-action\n/],
    [["call", "requests.list", "--sandbox"], /^\{"items":\[\{"_id"/],
    [["tour", "--once", "--port", "0"], /All \d+ steps held/],
    [["doctor", "--sandbox"], /✓ effect: [\s\S]*adapters\/csv: not installed: csv-parse/]
  ])("the command line runs %j", (args, printed) => {
    const main = join(app(), "node_modules/@quartet/sdk", own.bin.quartet)
    const env = { PATH: process.env.PATH }
    expect(execFileSync(process.execPath, [main, ...args], { cwd: app(), encoding: "utf8", env })).toMatch(
      printed
    )
  })

  const program = `import { createPublicClient } from "@quartet/sdk/promise"
    const client = createPublicClient({ baseUrl: "https://api.example.com", apiKey: "key-1" })
    client.boxes.list().then(({ items }) => console.log(items[0]._id))`
  const external = ["undici", "socket.io-client", "node:*"]

  const byEsbuild = async (conditions: ReadonlyArray<string>): Promise<string> => {
    const { outputFiles } = await esbuild({
      stdin: { contents: program, resolveDir: app() },
      bundle: true,
      format: "esm",
      platform: "neutral",
      conditions: [...conditions],
      external,
      write: false
    })
    return outputFiles.map(({ text }) => text).join("\n")
  }

  const byRolldown = async (conditions: ReadonlyArray<string>): Promise<string> => {
    const input = join(app(), "app.mjs")
    writeFileSync(input, program)
    const bundle = await rolldown({
      input,
      platform: "neutral",
      external: [/^(undici|socket\.io-client)$/, /^node:/],
      resolve: { conditionNames: ["import", ...conditions] }
    })
    const { output } = await bundle.generate({ format: "esm" })
    await bundle.close()
    return output.map((piece) => (piece.type === "chunk" ? piece.code : "")).join("\n")
  }

  /** A runtime by its conditions, and whether its bundle holds undici, and the errors of Node's sockets. */
  const runtimes: ReadonlyArray<
    readonly [conditions: ReadonlyArray<string>, pool: boolean, errors: boolean]
  > = [
    [["node"], true, true],
    [["bun", "node"], false, true],
    [["deno", "node"], false, true],
    [["workerd", "worker", "browser"], false, false],
    [["browser"], false, false],
    [[], false, false]
  ]

  test.each(runtimes)(
    "an app of the conditions %j is bundled with what its runtime needs",
    async (conditions, pool, errors) => {
      for (const bundle of [byEsbuild, byRolldown]) {
        const code = await bundle(conditions)
        expect(code).toContain("v1/box")
        expect([/["']undici["']/.test(code), code.includes("ECONNREFUSED")]).toEqual([pool, errors])
        if (!errors) expect(code).not.toMatch(/^import.*["']node:|getBuiltinModule/m)
      }
    }
  )

  /** Serves what the request was sent by: fetch sends a header that undici alone does not. */
  const serve = () =>
    listen(
      createServer(({ headers }, response) => {
        response.setHeader("content-type", "application/json")
        response.end(JSON.stringify([{ _id: "sec-fetch-mode" in headers ? "fetch" : "undici" }]))
      })
    )

  test.each<[string, BuildOptions, "fetch" | "undici"]>([
    ["CommonJS", { format: "cjs" }, "undici"],
    ["CommonJS, minified", { format: "cjs", minify: true }, "undici"],
    ["modules with a require", { format: "esm", minify: true, banner: requires }, "undici"],
    ["modules without one, which undici needs", { format: "esm" }, "fetch"]
  ])(
    "every call of an app that is one file for Node is sent over one transport (%s)",
    async (_, options, sender) => {
      const server = await serve()
      const outfile = join(app(), `app.${options.format === "cjs" ? "cjs" : "mjs"}`)
      const contents = `${program.replace("https://api.example.com", server.url)}
      .then(() => client.boxes.list()).then(({ items }) => console.log(items[0]._id))`
      await esbuild({
        ...options,
        stdin: { contents, resolveDir: app() },
        bundle: true,
        platform: "node",
        outfile
      })
      const { stdout } = await promisify(execFile)(process.execPath, [outfile])
      expect(stdout).toBe(`${sender}\n${sender}\n`)
      await server.close()
    }
  )

  test.each([
    [[], "undici"],
    [["bun"], "fetch"],
    [["deno"], "fetch"],
    [["workerd"], "fetch"],
    [["browser"], "fetch"]
  ])("Node with the conditions %j sends over %s", async (conditions, sender) => {
    const server = await serve()
    const script = program.replace("https://api.example.com", server.url)
    const options = [
      ...conditions.map((name) => `--conditions=${name}`),
      "--input-type=module",
      "--eval",
      script
    ]
    const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: app() })
    expect(stdout).toBe(`${sender}\n`)
    await server.close()
  })

  test.each(["bun", "workerd", "browser"])(
    "the undici adapter refuses with the condition %s, and says what to use instead",
    async (condition) => {
      const script = `import * as UndiciTransport from "@quartet/sdk/adapters/undici"
        import { Public } from "@quartet/sdk"
        import * as Effect from "effect/Effect"
        const told = []
        const tell = ({ _tag, message }) => told.push(_tag + " " + message)
        try { UndiciTransport.make() } catch (error) { tell(error) }
        const call = Public.boxes.list().pipe(Effect.provide(Public.layer({ baseUrl: "http://api.test", apiKey: "key-1" })))
        for (const layer of [UndiciTransport.layer, UndiciTransport.layerWith({ connections: 1 })])
          tell(await Effect.runPromise(Effect.flip(Effect.provide(call, layer))))
        console.log(JSON.stringify(told))`
      const options = [`--conditions=${condition}`, "--input-type=module", "--eval", script]
      const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: app() })
      const rule =
        /^InputError UndiciTransport\..* in this runtime, where undici cannot send: that of @quartet\/sdk\/transport/
      expect(JSON.parse(stdout)).toEqual(Array(3).fill(expect.stringMatching(rule)))
    }
  )
})

describe("`quartet job`", () => {
  const fleet = purposes.fleet ?? []
  const [libsql, pg, csv] = ["libsql", "@effect/sql-pg", "csv-parse"]
  const engine = fleet.filter((name) => ![libsql, pg, csv].includes(name))
  const apps = {
    bare: installed(),
    part: installed(["@effect/rpc", libsql]),
    whole: installed([...engine, libsql])
  }

  const start = (app: keyof typeof apps, words: string, env = {}) => {
    const cwd = apps[app]()
    const main = join(cwd, "node_modules/@quartet/sdk", own.bin.quartet)
    return spawn(process.execPath, [main, "job", ...words.split(" ")], {
      cwd,
      env: { PATH: process.env.PATH, ...env }
    })
  }
  const told = async (app: keyof typeof apps, words: string, env = {}) => {
    const child = start(app, words, env)
    const code = new Promise((done) => child.on("close", done))
    return { stderr: await text(child.stderr), code: await code }
  }
  /** The packages that a hint installs. */
  const named = (stderr: string) =>
    [...(/npm install (.*)/.exec(stderr)?.[1] ?? "").matchAll(/(\S+)@[\d.]+/g)].map(([, name]) => name)

  test.each([
    "run import",
    "work",
    "list",
    "show a",
    "pause a",
    "resume a",
    "retry a",
    "settle a --items 1",
    "cancel a",
    "serve"
  ])("%s names the packages that are missing, and no other", async (words) => {
    const bare = await told("bare", words)
    expect([bare.code, named(bare.stderr)]).toEqual([2, fleet.filter((name) => name !== pg && name !== csv)])
    const part = await told("part", words)
    expect([part.code, named(part.stderr)]).toEqual([2, engine.filter((name) => name !== "@effect/rpc")])
  })

  test("the driver is that of the store, and what reads CSV is asked for where there is CSV", async () => {
    const env = { QUARTET_FLEET_STORE: "postgres://127.0.0.1/none" }
    expect(named((await told("bare", "list", env)).stderr)).toEqual([...engine, pg].sort())
    expect(named((await told("whole", "list", env)).stderr)).toEqual([pg])
    writeFileSync(join(apps.whole(), "a.csv"), "sku\n1\n")
    const { stderr } = await told("whole", "run import --file a.csv --to users.create --sandbox --yes")
    expect(named(stderr)).toEqual([csv])
  })

  test("serve needs no other packages than the runs themselves", async () => {
    writeFileSync(join(apps.whole(), "fleet.db"), "")
    const child = start("whole", "serve --port 0 --store file:fleet.db")
    const url = await new Promise<string>((done, fail) => {
      child.stdout.on("data", (piece) => {
        const found = /at (http:\S+),/.exec(String(piece))?.[1]
        if (found !== undefined) done(found)
      })
      child.once("close", fail)
    })
    expect(await (await fetch(url)).json()).toEqual({ runs: [], total: 0 })
    child.kill()
  })
})
