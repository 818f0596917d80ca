// The manifests that are published: without what only this repository uses.
//
// `npm pack` and `npm publish` run `--publish` in a package's folder before they read its files, which builds it and puts the published
// manifest in place, and `--restore` afterwards. A run that was killed in between leaves the published one: `--restore` mends that.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { condition, root } from "./sources.mjs"

/** Entries of `exports` and `imports` without the condition that leads to sources. */
const built = (entry) =>
  typeof entry !== "object" || entry === null
    ? entry
    : Object.fromEntries(
        Object.entries(entry).flatMap(([name, inner]) => (name === condition ? [] : [[name, built(inner)]]))
      )

/** A manifest as it is published. */
export const publishedOf = ({ devDependencies, overrides, scripts, workspaces, ...manifest }) => ({
  ...manifest,
  ...(manifest.imports === undefined ? {} : { imports: built(manifest.imports) }),
  exports: built(manifest.exports)
})

const run = (...args) => {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] })
  if (status !== 0) process.exit(status ?? 1)
}

const main = () => {
  const folder = process.cwd()
  const path = join(folder, "package.json")
  const kept = join(root, ".cache/manifests", `${basename(folder)}.json`)
  if (process.argv.includes("--restore")) {
    if (!existsSync(kept)) return
    writeFileSync(path, readFileSync(kept))
    rmSync(kept)
    return
  }
  run(join(root, "tools/build.mjs"))
  const text = readFileSync(path, "utf8")
  mkdirSync(dirname(kept), { recursive: true })
  if (!existsSync(kept)) writeFileSync(kept, text)
  writeFileSync(
    path,
    `${JSON.stringify(publishedOf(JSON.parse(readFileSync(kept, "utf8"))), undefined, 2)}\n`
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
