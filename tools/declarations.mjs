// Removes the declarations of a build that no compiler of a user reads: those that no entry leads to.
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { dirname, join, sep } from "node:path"

/** The paths that an entry stands for, by the declarations that there are. */
const named = (entry, all) => {
  const [before, after = ""] = entry.replace("./dist/", "").split("*")
  return all.filter((file) =>
    entry.includes("*") ? file.startsWith(before) && file.endsWith(after) : file === before
  )
}

/** The declarations that one imports or exports from. */
const importsOf = (out, file) =>
  [...readFileSync(join(out, file), "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)\.js"/g)].map(
    ([, path]) => join(dirname(file), `${path}.d.ts`)
  )

/** @param {string} out @param {Readonly<Record<string, string | { readonly types?: string }>>} exports */
export const prune = (out, exports) => {
  const all = readdirSync(out, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".d.ts"))
    .map((file) => file.split(sep).join("/"))
  const reached = new Set(
    Object.values(exports).flatMap((entry) => (entry.types === undefined ? [] : named(entry.types, all)))
  )
  for (const file of reached) for (const path of importsOf(out, file)) reached.add(path.split(sep).join("/"))
  for (const file of all) if (!reached.has(file)) rmSync(join(out, file))
}
