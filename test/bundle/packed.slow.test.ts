// What the packages hold: each page links to what is in its package too, because it may stand where the repository does not. And what
// the SDK is in a bundle. Whether package managers install them, and each entry loads from there: install.slow.test.ts.
import { execFile } from "node:child_process"
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join, posix, sep } from "node:path"
import { promisify } from "node:util"
import { installed } from "@quartet/support/package.js"
import { stage } from "@quartet/support/packed.js"
import { requires } from "@quartet/support/programs.js"
import { listen } from "@quartet/support/servers.js"
import { condition } from "@quartet/support/sources.js"
import { type Manifest, published } from "@quartet/support/workspaces.js"
import { type BuildOptions, build as esbuild } from "esbuild"
import { rolldown } from "rolldown"
import { describe, expect, test } from "vitest"
import { linksIn } from "../docs/markdown.js"

/** What a package may hold beside what is built of it, and what of that. */
const contents: Readonly<Record<string, readonly [own: RegExp, built: RegExp]>> = {
  "@quartet/sdk": [
    /^(llms(-full)?\.txt|(README|AGENTS|CHANGELOG|SECURITY|docs\/(guides|decisions)\/README|docs\/((guides|decisions)\/)?[a-z\d-]+)\.md|docs\/openapi\/[a-z-]+\.json|docs\/images\/[a-z]+\.svg)$/,
    /^dist\/(core|adapters|clients)\/.*\.(js|d\.ts)$/
  ],
  "@quartet/react": [/^README\.md$/, /^dist\/(devtools|outbox|rx|tanstack-query)\/.*\.(js|d\.ts)$/],
  "@quartet/sandbox": [
    /^README\.md$/,
    /^dist\/(((chat|dialects|in-process|platform|server|slices|state|testing)\/.*|[\w-]+)\.(js|d\.ts))$/
  ],
  "@quartet/fleet": [
    /^README\.md$/,
    /^dist\/(((bullmq|csv|engine|http|jobs|pg-boss|store)\/.*|[\w-]+)\.(js|d\.ts))$/
  ],
  "@quartet/cli": [
    /^README\.md$/,
    /^dist\/([\w-]+\.js|LICENSES\.txt|console\/.*|(codegen|openapi|recording|[\w-]+)\/.*\.(js|d\.ts)|[\w-]+\.d\.ts)$/
  ]
}

describe.each(published.map(({ manifest }) => manifest.name))("%s, packed", (name) => {
  const folder = stage(name)
  const read = (path: string): string => readFileSync(join(folder, path), "utf8")
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.split(sep).join("/"))
    .filter((path) => statSync(join(folder, path)).isFile())
  const manifest: Manifest & { readonly overrides?: unknown } = JSON.parse(read("package.json"))
  const modules = paths.filter((path) => /^dist\/.*\.js$/.test(path) && !path.startsWith("dist/console/"))

  test("holds what runs, its types and its pages: no source, no map, no test, no program of the repository", () => {
    const [own, built] = contents[name] ?? []
    expect(paths).toEqual(expect.arrayContaining(["LICENSE", "package.json"]))
    expect(modules.length).toBeGreaterThan(5)
    const isKnown = (path: string) =>
      /^(LICENSE|package\.json)$/.test(path) || own?.test(path) || built?.test(path)
    expect(paths.filter((path) => isKnown(path) !== true)).toEqual([])
  })

  test("has a manifest without anything of the repository: no condition of its sources, no script, no override", () => {
    expect(JSON.stringify(manifest)).not.toContain(condition)
    const { devDependencies, overrides, scripts, workspaces } = manifest
    expect({ devDependencies, overrides, scripts, workspaces }).toEqual({})
  })

  test("pins what comes along exactly, and asks for its siblings and effect as peers, so that an app has one of each", () => {
    const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = manifest
    const pinned = Object.values({ ...dependencies, ...optionalDependencies })
    expect(pinned.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
    const single = ["effect", "react", "react-dom", ...published.map((workspace) => workspace.manifest.name)]
    expect(Object.keys(dependencies).filter((dependency) => single.includes(dependency))).toEqual([])
    expect(Object.keys(peerDependencies)).toContain("effect")
  })

  test("marks what is pure by a comment of its own: bundlers warn of a mark within another comment", () => {
    expect(
      modules.filter((path) => /__PURE__/.test(read(path).replace(/\/\*\s*[#@]__PURE__\s*\*\//g, "")))
    ).toEqual([])
  })

  test("has no declaration but what some user's compiler reads, and what it imports is packed too", () => {
    const declarations = paths.filter((path) => path.endsWith(".d.ts"))
    const imported = declarations.flatMap((path) =>
      [...read(path).matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)\.js"/g)].map(([, target = ""]) =>
        posix.join(posix.dirname(path), `${target}.d.ts`)
      )
    )
    expect(imported.filter((path) => !declarations.includes(path))).toEqual([])
    const named = Object.values(manifest.exports ?? {}).flatMap((target) => {
      const types = typeof target === "object" && target !== null ? target.types : undefined
      return typeof types === "string"
        ? [new RegExp(`^${types.slice(2).replaceAll(".", "\\.").replace("*", ".+")}$`)]
        : []
    })
    const isRead = (path: string): boolean =>
      imported.includes(path) || named.some((entry) => entry.test(path))
    expect(declarations.filter((path) => !isRead(path))).toEqual([])
  })

  const pages = paths.filter((path) => /(^llms\.txt|\.md)$/.test(path))
  if (pages.length > 0)
    test.each(pages)("every link of %s leads to what is packed, or out of it", (page) => {
      const targets = linksIn(read(page))
        .filter((target) => !/^(https?:|#)/.test(target))
        .map((target) => posix.join(posix.dirname(page), target.split("#")[0] ?? ""))
      expect(targets.filter((target) => !paths.some((path) => `${path}/`.startsWith(`${target}/`)))).toEqual(
        []
      )
    })
})

test("the SDK's package holds the pages for people and for language models", () => {
  const folder = stage("@quartet/sdk")
  const pages = [
    "llms-full.txt",
    "AGENTS.md",
    "docs/react.md",
    "docs/guides/start-next.md",
    "docs/openapi/admin.json"
  ]
  expect(pages.filter((page) => !statSync(join(folder, page)).isFile())).toEqual([])
})

describe("the SDK beside effect alone", () => {
  const app = installed()

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
        expect([/["']undici["']/.test(code), code.includes("ENOTFOUND")]).toEqual([pool, errors])
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
