/** What an entry exports is shared by all that runs in the process: nobody changes it for the others. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { root } from "../../tools/files.js"
import { entries } from "../support/entries.js"

const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
}

/** The source of an entry. */
const sourceOf = (entry: string): string => {
  const name = `.${entry.slice("@quartet/sdk".length)}`
  for (const [pattern, target] of Object.entries(exports)) {
    const [before = "", after = ""] = pattern.split("*")
    if (typeof target === "string" || !name.startsWith(before) || !name.endsWith(after)) continue
    if (!pattern.includes("*") && name !== pattern) continue
    const part = name.slice(before.length, name.length - after.length)
    const source = target.default.replace("./dist/", "").replace("*", part).replace(/\.js$/, "")
    const found = [`${source}.ts`, `${source}.tsx`].map((path) => join(root, path)).find(existsSync)
    if (found !== undefined) return found
  }
  throw new Error(`no source of ${entry}`)
}

const isPlain = (value: object): boolean =>
  Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value))

/** The places where plain data can be changed. Dates always can: no constant holds one. */
const changeable = (value: unknown, path: string, seen: Set<unknown>): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null || seen.has(value)) return []
  seen.add(value)
  const isModule = Object.prototype.toString.call(value) === "[object Module]"
  if (value instanceof Date) return [path]
  if (!isModule && !isPlain(value)) return []
  const inner = Object.entries(value).flatMap(([name, field]) => changeable(field, `${path}.${name}`, seen))
  return isModule || Object.isFrozen(value) ? inner : [path, ...inner]
}

it.each(entries)("no constant of %s can be changed", async (entry) => {
  expect(changeable(await import(sourceOf(entry)), entry, new Set())).toEqual([])
})
