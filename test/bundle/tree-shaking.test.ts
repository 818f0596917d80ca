// An app ships the calls that it uses: bundled from the sources, with effect, by two bundlers.
import { describe, expect, test } from "vitest"
import { operations } from "../../core/catalogue.js"
import { read } from "../../tools/files.js"
import { type Bundle, bundlers, gzipped } from "./bundlers.js"
import { contentsOf } from "./contents.js"

const apps = {
  oneCall: new URL("./apps/one-call.ts", import.meta.url),
  oneCallOfClient: new URL("./apps/one-call-of-client.ts", import.meta.url),
  twoCalls: new URL("./apps/two-calls.ts", import.meta.url),
  socket: new URL("./apps/socket.ts", import.meta.url),
  promise: new URL("./apps/promise.ts", import.meta.url)
}

/** Most bytes that the app with one call may be, gzipped. Two thirds of it are effect's runtime and schemas. */
const bound = 88_000

/** What socket.io's client leaves in a bundle, minified or not. */
const socketIo = /socket\.?io|engine\.?io/i

test("the bound is the one that docs/performance.md gives", () => {
  expect(read("docs/performance.md")).toContain(`below ${bound / 1_000} kB gzipped`)
})

const ofSlice = (slice: string): ReadonlyArray<string> =>
  operations.map(({ name }) => name).filter((name) => name.startsWith(`${slice}.`))

const servesVisitors = operations.filter(({ declaration }) =>
  declaration().audiences.some((audience) => audience === "public")
)

describe.each(Object.entries(bundlers))("bundled by %s", { timeout: 60_000 }, (name, bundle: Bundle) => {
  test("an app that uses boxes.list alone holds no other operation and no socket.io", async () => {
    const code = await bundle(apps.oneCall)
    expect(contentsOf(code)).toEqual({ operations: ["boxes.list"], templates: ["v1/box"] })
    expect(code).not.toMatch(socketIo)
    const size = gzipped(code)
    console.info(`boxes.list alone, by ${name}: ${size} bytes gzipped, ${code.length} minified`)
    expect(size).toBeLessThan(bound)
  })

  test("taken from the whole client, it holds no other slice", async () => {
    const contents = contentsOf(await bundle(apps.oneCallOfClient))
    // esbuild keeps the namespace of a slice that is reached through a client's namespace; rolldown sees through it.
    const expected = name === "esbuild" ? [...ofSlice("boxes")].sort() : ["boxes.list"]
    expect(contents.operations).toEqual(expected)
  })

  test("the Promise form of one client holds the calls of that client alone", async () => {
    const code = await bundle(apps.promise)
    const { operations: names, templates } = contentsOf(code)
    expect(names).toEqual([...new Set(servesVisitors.map((operation) => operation.name))].sort())
    expect(templates).toEqual(
      [...new Set(servesVisitors.map(({ declaration }) => declaration().path))].sort()
    )
    expect(code).not.toMatch(socketIo)
  })

  test("control: an operation that is used is found", async () => {
    const contents = contentsOf(await bundle(apps.twoCalls))
    expect(contents.operations).toEqual(["boxes.list", "items.get"])
    expect(contents.templates).toEqual(["ecommerce/item/{id}", "v1/box"])
  })

  test("control: socket.io is found where it is used", async () => {
    expect(await bundle(apps.socket)).toMatch(socketIo)
  })
})
