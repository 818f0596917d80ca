// Removes from a build what no entry of the package leads to: tests' helpers, programs that are bundled, and declarations that no compiler
// of a user reads.
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { dirname, join, posix, sep } from "node:path"

/** The files that a target of `exports` or `imports` stands for, by those that there are. */
const matching = (target, all) => {
  const [before, after = ""] = target.replace("./dist/", "").split("*")
  return all.filter((file) =>
    target.includes("*") ? file.startsWith(before) && file.endsWith(after) : file === before
  )
}

/** All targets of a manifest in what is built. */
const targetsOf = (entry) =>
  typeof entry === "string"
    ? entry.startsWith("./dist/")
      ? [entry]
      : []
    : Object.values(entry ?? {}).flatMap(targetsOf)

const imported = /(?:from|import)\s*\(?\s*"(\.[^"]+)\.js"/g

/** @param {string} out @param {{ readonly exports: unknown, readonly imports?: unknown }} manifest */
export const prune = (out, { exports, imports }) => {
  const all = readdirSync(out, { recursive: true, encoding: "utf8" })
    .map((file) => file.split(sep).join("/"))
    .filter((file) => /\.(js|d\.ts)$/.test(file) && !file.startsWith("console/"))
  const reached = new Set(
    [...targetsOf(exports), ...targetsOf(imports)].flatMap((target) => matching(target, all))
  )
  for (const file of reached) {
    const end = file.endsWith(".d.ts") ? ".d.ts" : ".js"
    for (const [, path] of readFileSync(join(out, file), "utf8").matchAll(imported)) {
      const target = posix.join(dirname(file), path) + end
      if (target.startsWith(".."))
        throw new Error(`${join(out, file)} leaves its package: it imports ${path}.js`)
      reached.add(target)
    }
  }
  for (const file of all) if (!reached.has(file)) rmSync(join(out, file))
}
