// What a package's `#…` and entries lead to is decided by conditions: the same ones in its sources as in its build.
import { posix } from "node:path"
import { describe, expect, test } from "vitest"
import { condition } from "@quartet/support/sources.js"
import { published, type Target } from "@quartet/support/workspaces.js"

/** Where a target leads under conditions, by the order of its own. */
const resolved = (target: Target | undefined, conditions: ReadonlySet<string>): string | null | undefined => {
  if (typeof target !== "object" || target === null) return target
  for (const [name, inner] of Object.entries(target)) {
    const found = name === "default" || conditions.has(name) ? resolved(inner, conditions) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

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

const led = (name: string, runtime: keyof typeof runtimes, ...more: ReadonlyArray<string>) => {
  const targets = published.flatMap(({ manifest }) => manifest.imports?.[name] ?? [])
  expect(targets).toHaveLength(1)
  return resolved(targets[0], new Set([...more, ...runtimes[runtime]]))
}

const imports = published.flatMap(({ manifest }) => Object.keys(manifest.imports ?? {}))

describe.each(imports)("%s", (name) => {
  test.each(Object.keys(runtimes) as ReadonlyArray<keyof typeof runtimes>)(
    "leads %s to the same module in the sources as in the build",
    (runtime) => {
      const [source, built] = [led(name, runtime, condition), led(name, runtime)]
      expect(built).toMatch(/^\.\/dist\/.+\.js$/)
      expect(source).toMatch(/^\.\/(?!dist\/).+\.tsx?$/)
      expect(`./${posix.join("dist", String(source)).replace(/\.tsx?$/, ".js")}`).toBe(built)
    }
  )
})

test.each([
  ["#runtime/dehydrate", "Node", "dehydrate"],
  ["#runtime/dehydrate", "Workers", "dehydrate"],
  ["#runtime/dehydrate", "Vercel's edge", "dehydrate"],
  ["#runtime/dehydrate", "none of them", "dehydrate"],
  ["#runtime/dehydrate", "a browser", "no-dehydrate"],
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

test("a module that streams a page is tested as on a server, also under a fake page", async () => {
  const { dehydrateEntries } = await import("#runtime/dehydrate")
  expect(dehydrateEntries).toHaveLength(2)
})
