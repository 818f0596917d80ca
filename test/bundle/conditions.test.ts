// What a package's `#…` and entries lead to is decided by conditions: the same ones in its sources as in its build.
import { posix } from "node:path"
import { condition } from "@quartet/support/sources.js"
import { published, resolved } from "@quartet/support/workspaces.js"
import { describe, expect, test } from "vitest"

/** Runtimes by their conditions. */
const runtimes = {
  Node: ["node"],
  "a browser": ["browser"],
  Bun: ["bun", "node"],
  Deno: ["deno", "node"],
  Workers: ["workerd", "worker", "browser"],
  "Vercel's edge": ["edge-light", "worker", "browser"],
  "none of them": []
} as const

type Runtime = keyof typeof runtimes
const all: ReadonlyArray<Runtime> = Object.keys(runtimes).filter((name): name is Runtime => name in runtimes)

const targets = new Map(
  published.flatMap(({ manifest }) => [
    ...Object.entries(manifest.imports ?? {}),
    ...Object.entries(manifest.exports ?? {})
      .filter(([, target]) => typeof target === "object" && target !== null)
      .map(([name, target]) => [posix.join(manifest.name, name), target] as const)
  ])
)

const led = (name: string, runtime: Runtime, ...more: ReadonlyArray<string>) =>
  resolved(targets.get(name), new Set([...more, ...runtimes[runtime]]))

describe.each([...targets.keys()])("%s", (name) => {
  test.each(all)("leads %s to the same module in the sources as in the build", (runtime) => {
    const [source, built] = [led(name, runtime, condition), led(name, runtime)]
    expect(built).toMatch(/^\.\/dist\/.+\.js$/)
    expect(source).toMatch(/^\.\/(?!dist\/).+\.tsx?$/)
    expect(`./${posix.join("dist", String(source)).replace(/\.tsx?$/, ".js")}`).toBe(built)
  })
})

test.each([
  ["#runtime/dehydrate", "Node", "dehydrate"],
  ["#runtime/dehydrate", "Workers", "dehydrate"],
  ["#runtime/dehydrate", "Vercel's edge", "dehydrate"],
  ["#runtime/dehydrate", "none of them", "dehydrate"],
  ["#runtime/dehydrate", "a browser", "no-dehydrate"],
  ["@quartet/sdk/adapters/undici", "Node", "index"],
  ["@quartet/sdk/adapters/undici", "Deno", "index"],
  ["@quartet/sdk/adapters/undici", "Bun", "unsupported"],
  ["@quartet/sdk/adapters/undici", "Workers", "unsupported"],
  ["@quartet/sdk/adapters/undici", "a browser", "unsupported"],
  ["#runtime/fetch", "Node", "node"],
  ["#runtime/fetch", "Bun", "node"],
  ["#runtime/fetch", "Workers", "web"],
  ["#runtime/fetch", "a browser", "web"],
  ["#runtime/transport", "Node", "node"],
  ["#runtime/transport", "Bun", "web"],
  ["#runtime/transport", "Deno", "web"],
  ["#runtime/transport", "Workers", "web"],
  ["#runtime/transport", "none of them", "web"]
] as const)("%s is, in %s, %s.js", (name, runtime, file) => {
  expect(posix.basename(String(led(name, runtime)))).toBe(`${file}.js`)
})
