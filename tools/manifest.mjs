// The manifests that are published: without what only this repository uses.
//
// `npm pack` and `npm publish` run `--publish` in a package's folder before they read its files, which builds it and puts the published
// manifest in place, and `--restore` afterwards. A run that was killed in between leaves the published one: `--restore` mends that.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { condition, root } from "./sources.mjs"

/** Entries of `exports` and `imports` without the condition that leads to sources. */
const built = (entry) =>
  typeof entry !== "object" || entry === null
    ? entry
    : Object.fromEntries(
        Object.entries(entry).flatMap(([name, inner]) => (name === condition ? [] : [[name, built(inner)]]))
      )

/** Siblings are released together: a package works with those of its own release and later ones, until the next major version. */
const siblingRange = (version) => `>=${version} <${Number.parseInt(version, 10) + 1}.0.0`

const peersOf = ({ peerDependencies, version }) =>
  Object.fromEntries(
    Object.entries(peerDependencies).map(([name, range]) => [
      name,
      name.startsWith("@quartet/") ? siblingRange(version) : range
    ])
  )

/** A manifest as it is published. */
export const publishedOf = ({ devDependencies, overrides, scripts, workspaces, ...manifest }) => ({
  ...manifest,
  ...(manifest.peerDependencies === undefined ? {} : { peerDependencies: peersOf(manifest) }),
  ...(manifest.imports === undefined ? {} : { imports: built(manifest.imports) }),
  exports: built(manifest.exports)
})

const run = (...args) => {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] })
  if (status !== 0) process.exit(status ?? 1)
}

/** Whether a manifest is what another is published as. */
const isPublishedOf = (manifest, source) => JSON.stringify(publishedOf(source)) === JSON.stringify(manifest)

/** Whether a manifest is a published one: the range of its siblings may be that of another version. */
const isPublished = ({ peerDependencies, ...manifest }) => isPublishedOf(manifest, manifest)

const jsonOf = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined)

const main = () => {
  const folder = process.cwd()
  const path = join(folder, "package.json")
  const name = relative(root, folder).replaceAll(sep, "-") || "root"
  const kept = join(root, ".cache/manifests", `${name}.json`)
  if (process.argv.includes("--restore")) {
    if (!existsSync(kept)) return
    writeFileSync(path, readFileSync(kept))
    rmSync(kept)
    return
  }
  const manifest = jsonOf(path)
  // An earlier run that did not end has left the published one in place, and kept what it made that from.
  const isLeft = isPublished(manifest)
  const source = isLeft ? jsonOf(kept) : manifest
  if (source === undefined || (isLeft && !isPublishedOf(manifest, source))) {
    console.error(
      `${path} is a published one, and not what was kept before it: bring it back with \`git checkout package.json\` there, and change that one.`
    )
    process.exit(1)
  }
  run(join(root, "tools/build.mjs"))
  mkdirSync(dirname(kept), { recursive: true })
  if (!isLeft) writeFileSync(kept, readFileSync(path))
  writeFileSync(path, `${JSON.stringify(publishedOf(source), undefined, 2)}\n`)
  console.error(
    `${path} is the published manifest until this ends. If it does not, run \`node ${relative(folder, fileURLToPath(import.meta.url))} --restore\` in this folder.`
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
