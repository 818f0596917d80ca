// What an import needs of its environment: every entry is bundled for browsers and imported where there is ECMAScript and next to
// nothing else, as in jsdom, old engines and workers of others.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createContext, runInContext } from "node:vm"
import { entries } from "@quartet/support/entries.js"
import { root } from "@quartet/support/files.js"
import { condition } from "@quartet/support/sources.js"
import { type BuildFailure, build } from "esbuild"
import { describe, expect, test } from "vitest"

const timers = {
  why: "fast-check keeps the timers that were there",
  by: /^@quartet\/sandbox\/(fakes|testing)$/
}

/** The globals that our dependencies touch when they are imported: for each, the entries that hold such a dependency. */
const demanded: Readonly<Record<string, { readonly why: string; readonly by: RegExp }>> = {
  URL: { why: "effect/Hash compares values with URL's class", by: /^/ },
  console: { why: "effect writes to the one that was there", by: /^/ },
  TextEncoder: {
    why: "@effect/platform makes one, and so does effect/Encoding",
    by: /^@quartet\/(sdk\/adapters\/(platform|storage)|sandbox|sandbox\/(fakes|testing))$/
  },
  TextDecoder: {
    why: "engine.io-parser makes one, and so does effect/Encoding",
    by: /^@quartet\/(sdk\/adapters\/socket|sdk\/promise|sdk\/promise\/chat|sandbox|sandbox\/testing)$/
  },
  setTimeout: timers,
  clearTimeout: timers
}

/** Entries for Node alone, and what they import of it. */
const forNode: ReadonlyMap<string, string> = new Map([
  ["@quartet/fleet", "node:url"],
  ["@quartet/fleet/csv", "node:stream/web"],
  ["@quartet/fleet/extend", "node:url"],
  ["@quartet/fleet/handler", "node:http"],
  ["@quartet/sandbox/extend", "node:http"],
  ["@quartet/sandbox/server", "node:http"],
  ["@quartet/sdk/adapters/storage-file", "node:crypto"],
  ["@quartet/sdk/extend/http", "node:http"]
])

const bundle = async (entry: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: `export * from "${entry}"`, resolveDir: root },
    bundle: true,
    write: false,
    format: "iife",
    globalName: "entry",
    platform: "browser",
    conditions: [condition, "browser"],
    logLevel: "silent",
    define: { "process.env.NODE_ENV": '"production"' }
  })
  return outputFiles[0]?.text ?? expect.unreachable()
}

/** The globals that a program touches and that are not there, in turn. */
const touched = (code: string): ReadonlyArray<string> => {
  const absent: Array<string> = []
  const context = createContext({})
  // V8 gives each context one.
  runInContext("delete globalThis.console", context)
  for (;;) {
    try {
      runInContext(code, context)
      return absent
    } catch (error) {
      const [, name = ""] = /^(\w+) is not defined$/.exec(String(Object(error).message)) ?? []
      if (!(name in globalThis) || absent.includes(name)) throw error
      absent.push(name)
      context[name] = Reflect.get(globalThis, name)
    }
  }
}

const globalsByEntry = new Map<string, ReadonlyArray<string>>()

describe("an import touches no global that an environment may lack, but those of our dependencies", () => {
  test.each(entries.filter((name) => !forNode.has(name)))("%s", async (name) => {
    const globals = touched(await bundle(name))
    globalsByEntry.set(name, globals)
    expect(globals.filter((global) => demanded[global]?.by.test(name) !== true)).toEqual([])
  })

  test("none stands in the list that no entry touches any more", () => {
    const all = new Set([...globalsByEntry.values()].flat())
    expect(Object.keys(demanded).filter((global) => !all.has(global))).toEqual([])
  })

  test.each(Object.keys(demanded))("docs/portability.md names it: %s", (global) => {
    const page = readFileSync(join(root, "docs/portability.md"), "utf8")
    const [paragraph = ""] = /An import touches no global.*?\n\n/s.exec(page) ?? []
    expect(paragraph).toContain(`\`${global}\``)
  })

  test.each([...forNode])("%s is for Node alone: it imports %s", async (name, module) => {
    const missing = await bundle(name).then(
      () => [],
      ({ errors }: BuildFailure) => errors.map(({ text }) => text)
    )
    expect(missing).toContain(`Could not resolve "${module}"`)
  })
})
