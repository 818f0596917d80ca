// The way of one call through the files of the SDK, out to the transport and back, as docs/architecture.md draws it: each
// function notes when it is entered and left, so that the list comes from what ran.
import { readFile, rm } from "node:fs/promises"
import { relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { claims, jwt } from "@quartet/support/jwt.js"
import { Effect, Layer } from "effect"
import { build, transform } from "esbuild"
import { parseAst } from "vite"
import { afterAll, beforeAll, expect, test } from "vitest"
import type * as Admin from "../../clients/admin/index.js"
import type * as Ports from "../../core/ports/transport.js"

const root = fileURLToPath(new URL("../../", import.meta.url))
const bundle = `${root}node_modules/.cache/quartet-call-path.mjs`

/** Files that are one subject stand in a folder of their own, and are one station: the compiler's steps call each other. */
const stationOf = (file: string): string =>
  file.replace(/^(core\/kernel\/\w+\/(?:compiler|lifetime)\/).*/, "$1")

/** A call of one file by another; what Effect or the transport calls has no caller. */
interface Entry {
  readonly file: string
  readonly caller: string | undefined
}

/** What the instrumented sources write to: the files that are being executed, innermost last, and the entries. */
const trace = { stack: [] as Array<string>, entries: [] as Array<Entry> }

const take = (): ReadonlyArray<Entry> => trace.entries.splice(0)

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly body?: Node
  readonly expression?: boolean
  readonly generator?: boolean
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && "start" in value

/** Wraps the body of every function, so that it tells when control comes and goes. Those of generators run by pieces: not they. */
const instrumented = (code: string, file: string): string => {
  const inserts: Array<readonly [at: number, text: string]> = []
  const visit = (node: Node): void => {
    const { body } = node
    if (/Function/.test(node.type) && body !== undefined && node.generator !== true) {
      // What an arrow answers may stand in brackets, which are no part of it.
      if (body.type === "BlockStatement")
        inserts.push([body.start + 1, `$in("${file}"); try {`], [body.end - 1, "} finally { $out() }"])
      else inserts.push([body.start, `$run("${file}", () => (`], [body.end, "))"])
    }
    for (const child of Object.values(node))
      for (const inner of [child].flat()) if (isNode(inner)) visit(inner)
  }
  visit(parseAst(code) as unknown as Node)
  let text = code
  // Of two at one place the outer function's comes first.
  for (const [at, insert] of inserts.sort(([left], [right]) => right - left))
    text = text.slice(0, at) + insert + text.slice(at)
  return text
}

let out: ReadonlyArray<Entry>
let back: ReadonlyArray<Entry>

beforeAll(async () => {
  await build({
    stdin: {
      contents: `export * as Admin from "./clients/admin/index.ts"; export { Transport } from "./core/ports/transport.ts"`,
      resolveDir: root
    },
    bundle: true,
    format: "esm",
    packages: "external",
    outfile: bundle,
    plugins: [
      {
        name: "trace",
        setup: ({ onLoad, onResolve }) => {
          onResolve({ filter: /^\..*\.js$/ }, ({ path, resolveDir }) => ({
            path: fileURLToPath(new URL(path.replace(/\.js$/, ".ts"), pathToFileURL(`${resolveDir}/`)))
          }))
          onLoad({ filter: /\.ts$/ }, async ({ path }) => {
            const { code } = await transform(await readFile(path, "utf8"), { loader: "ts", target: "node20" })
            return { contents: instrumented(code, stationOf(relative(root, path))), loader: "js" }
          })
        }
      }
    ]
  })
  const globals = {
    $in: (file: string) => {
      const caller = trace.stack.at(-1)
      if (caller !== file) trace.entries.push({ file, caller })
      trace.stack.push(file)
    },
    $out: () => trace.stack.pop(),
    $run: (file: string, body: () => unknown) => {
      globals.$in(file)
      try {
        return body()
      } finally {
        globals.$out()
      }
    }
  }
  Object.assign(globalThis, globals)
  const sdk: { Admin: typeof Admin; Transport: typeof Ports.Transport } = await import(
    pathToFileURL(bundle).href
  )

  const answer = { _id: "r1", version: 5, status: "pending", createdAt: "2026-01-02T03:04:05.678Z" }
  const transport: Ports.Service = {
    start: (_, settle) => {
      out = take()
      setImmediate(() => {
        trace.entries.length = 0
        settle({
          _tag: "Answered",
          status: 200,
          header: () => undefined,
          body: new TextEncoder().encode(JSON.stringify(answer))
        })
      })
      return () => undefined
    }
  }
  const layer = Layer.provide(
    sdk.Admin.layer({
      baseUrl: "https://api.test",
      projectId: "p1",
      sessionId: "s1",
      accessToken: jwt(claims)
    }),
    Layer.succeed(sdk.Transport, transport)
  )
  const markSeen = Effect.suspend(() => {
    trace.entries.length = 0
    return sdk.Admin.requests.markSeen({ id: "r1", version: 4 })
  })
  // The first call compiles the operation, and looks its grant up.
  const twice = Effect.tap(Effect.zipRight(markSeen, markSeen), () => Effect.sync(() => (back = take())))
  const answered = await Effect.runPromise(Effect.provide(twice, layer))
  expect(answered.createdAt).toEqual(new Date(answer.createdAt))
})

afterAll(async () => {
  await rm(bundle, { force: true })
  for (const name of ["$in", "$out", "$run"]) Reflect.deleteProperty(globalThis, name)
})

/** The files in the order in which they are first entered. */
const filesOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<string> => [
  ...new Set(entries.map(({ file }) => file))
]

/** The files in an order in which each stands behind all that call it; undefined where one leads back. */
const inOrder = (entries: ReadonlyArray<Entry>): ReadonlyArray<string> | undefined => {
  const ordered: Array<string> = []
  const left = new Set(filesOf(entries))
  while (left.size > 0) {
    const next = [...left].find((file) =>
      entries.every((entry) => entry.file !== file || entry.caller === undefined || !left.has(entry.caller))
    )
    if (next === undefined) return undefined
    left.delete(next)
    ordered.push(next)
  }
  return ordered
}

test("a call of Admin.requests.markSeen passes at most 12 stations, which are files but for two folders", () => {
  expect(new Set([...filesOf(out), ...filesOf(back)]).size).toBeLessThanOrEqual(12)
})

test.each([
  ["out", () => out],
  ["back", () => back]
])("on its way %s no file calls one that stands before it", (_, way) => {
  expect(inOrder(way())).toBeDefined()
})

test.each([
  ["out", () => out],
  ["back", () => back]
])("on its way %s each file is entered from one other, but for the state of what is being read", (_, way) => {
  const callers = (file: string): number =>
    new Set(
      way().flatMap((entry) => (entry.file === file && entry.caller !== undefined ? [entry.caller] : []))
    ).size
  expect(filesOf(way()).filter((file) => callers(file) > 1)).toEqual(["core/kernel/codec/state.ts"])
})

test("a way that leads back is found", () => {
  expect(inOrder([...out, { file: out[0]?.file ?? "", caller: out.at(-1)?.file }])).toBeUndefined()
})

test("docs/architecture.md draws the files of both ways", async () => {
  const page = await readFile(`${root}docs/architecture.md`, "utf8")
  const drawn = (way: string): ReadonlyArray<string> =>
    [
      ...(page.split(`<!-- the way ${way} -->`)[1] ?? "").matchAll(/`core\/kernel\/([\w/-]+(?:\.ts|\/))`/g)
    ].map(([, file]) => `core/kernel/${file}`)
  expect(drawn("out")).toEqual(inOrder(out))
  expect(drawn("back")).toEqual(inOrder(back))
})
