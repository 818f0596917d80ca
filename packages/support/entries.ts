/** The entries of the package, from its manifest and its sources. */
import { readFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { filesIn, root } from "./files.js"

const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
}

const all = Object.entries(exports).flatMap(([name, target]): ReadonlyArray<readonly [string, string]> => {
  if (typeof target === "string") return []
  const entry = posix.join("@quartet/sdk", name)
  const source = target.default.replace("./dist/", "").replace(/\.js$/, "")
  if (!name.includes("*")) return [[entry, source]]
  const [before = "", after = ""] = `${source}.ts`.split("*")
  return filesIn(dirname(`${before}x`))
    .filter((file) => file.startsWith(before) && file.endsWith(after))
    .map((file) => file.slice(before.length, -after.length))
    .filter((part) => !part.includes("/"))
    .map((part) => [entry.replace("*", part), source.replace("*", part)])
})

/** The sources of the entries, without the end of their names. One that is named goes before a pattern. */
export const sources: ReadonlyMap<string, string> = new Map([...all, ...[...all].reverse()])

/** Every entry of the package, as programs import it; each of those that a pattern stands for. */
export const entries: ReadonlyArray<string> = [...sources.keys()]
