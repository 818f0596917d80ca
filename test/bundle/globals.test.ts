// What an import needs of its environment: every entry is bundled for browsers and imported where there is ECMAScript and next to
// nothing else, as in jsdom, old engines and workers of others.
import { existsSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { createContext, runInContext } from "node:vm"
import { build } from "esbuild"
import { describe, expect, test } from "vitest"
import { root } from "@quartet/support/files.js"
import { entries } from "@quartet/support/entries.js"

/** The globals that our dependencies touch when they are imported: for each, the entries that hold such a dependency. */
const demanded: Readonly<Record<string, { readonly why: string; readonly by: RegExp }>> = {
  URL: { why: "effect/Hash compares values with URL's class", by: /^/ },
  console: { why: "effect writes to the one that was there", by: /^/ },
  TextEncoder: {
    why: "@effect/platform makes one, and so does effect/Encoding",
    by: /^(adapters\/(platform|storage|sandbox)|sandbox|testing)$/
  },
  TextDecoder: {
    why: "engine.io-parser makes one, and so does effect/Encoding",
    by: /^(adapters\/(socket|sandbox)|promise|promise\/chat|sandbox|testing)$/
  },
  setTimeout: { why: "fast-check keeps the timers that were there", by: /^testing$/ },
  clearTimeout: { why: "fast-check keeps the timers that were there", by: /^testing$/ }
}

/** Entries for Node alone, and what they import of it. */
const forNode: Readonly<Record<string, string>> = {
  fleet: "node:url",
  "sandbox/server": "node:http",
  "adapters/csv": "node:stream/web",
  "adapters/storage-file": "node:crypto"
}

const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

/** The source of an entry, by the manifest's conditions for browsers. */
const sourceOf = (name: string): string => {
  const path = posix
    .join("./", name)
    .replace(/^\.?\/?/, "./")
    .replace(/\/$/, "")
  const key = path === "./" ? "." : path
  const pattern = Object.keys(exports).find(
    (one) => one.includes("*") && key.startsWith(one.split("*")[0] ?? "")
  )
  const target = exports[key] ?? exports[pattern ?? ""]
  const part = key.slice((pattern ?? key).indexOf("*"))
  const file = String(target.browser?.default ?? target.browser ?? target.default).replace("*", part)
  const source = join(root, file.replace("./dist/", "").replace(/\.js$/, ""))
  return [".ts", ".tsx"].map((end) => source + end).find(existsSync) ?? expect.unreachable(source)
}

const bundle = async (name: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [sourceOf(name)],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    conditions: ["browser"],
    logLevel: "silent",
    define: { "process.env.NODE_ENV": '"production"' }
  })
  return outputFiles[0]?.text ?? expect.unreachable()
}

/** The globals that a program touches and that are not there, in turn. */
const touched = (code: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  const context = createContext({})
  // V8 gives each context one.
  runInContext("delete globalThis.console", context)
  for (;;) {
    try {
      runInContext(code, context)
      return found
    } catch (error) {
      const [, name = ""] = /^(\w+) is not defined$/.exec(String(Object(error).message)) ?? []
      if (!(name in globalThis) || found.includes(name)) throw error
      found.push(name)
      context[name] = Reflect.get(globalThis, name)
    }
  }
}

const names = entries.map((entry) => entry.replace(/^@quartet\/sdk\/?/, ""))
const found = new Map<string, ReadonlyArray<string>>()

describe("an import touches no global that an environment may lack, but those of our dependencies", () => {
  test.each(names.filter((name) => !(name in forNode)))("@quartet/sdk/%s", async (name) => {
    const globals = touched(await bundle(name))
    found.set(name, globals)
    expect(globals.filter((global) => demanded[global]?.by.test(name) !== true)).toEqual([])
  })

  test("none stands in the list that no entry touches any more", () => {
    const all = new Set([...found.values()].flat())
    expect(Object.keys(demanded).filter((global) => !all.has(global))).toEqual([])
  })

  test.each(Object.keys(demanded))("docs/portability.md names it: %s", (global) => {
    const page = readFileSync(join(root, "docs/portability.md"), "utf8")
    const [paragraph = ""] = /An import touches no global.*?\n\n/s.exec(page) ?? []
    expect(paragraph).toContain(`\`${global}\``)
  })

  test.each(Object.entries(forNode))(
    "@quartet/sdk/%s is for Node alone: it imports %s",
    async (name, module) => {
      const failure = await bundle(name).catch((error: unknown) => String(error))
      expect(failure).toContain(`Could not resolve "node:`)
      expect(failure).toContain(module)
    }
  )
})
