/** The entries of the package, from its manifest and its sources. */
import { readFileSync } from "node:fs"
import { dirname, join, posix } from "node:path"
import { filesIn, root } from "../../tools/files.js"

const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
}

const all = Object.entries(exports).flatMap(([name, target]) => {
  if (typeof target === "string") return []
  const entry = posix.join("@quartet/sdk", name)
  if (!name.includes("*")) return [entry]
  const [before = "", after = ""] = target.default.replace("./dist/", "").replace(/\.js$/, ".ts").split("*")
  return filesIn(dirname(`${before}x`))
    .filter((file) => file.startsWith(before) && file.endsWith(after))
    .map((file) => file.slice(before.length, -after.length))
    .filter((part) => !part.includes("/"))
    .map((part) => entry.replace("*", part))
})

/** Every entry of the package, as programs import it; each of those that a pattern stands for. */
export const entries: ReadonlyArray<string> = [...new Set(all)]
