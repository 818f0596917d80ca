// The packages as they are published, each in a folder below .cache: what is packed of it, with its published manifest. What looks at a
// package as its users have it reads it there, and leaves alone what others read meanwhile. They hold what was built last: build first.
import { spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { publishedOf } from "./manifest.mjs"
import { root } from "./sources.mjs"

/** What `npm pack` says of a folder's package. */
const npmPack = (folder, ...options) => {
  const args = ["pack", "--json", "--ignore-scripts", "--loglevel=error", ...options]
  const { status, stderr, stdout } = spawnSync("npm", args, {
    cwd: folder,
    encoding: "utf8",
    shell: process.platform === "win32"
  })
  if (status !== 0) throw new Error(`${folder} cannot be packed: ${stderr.trim()}`)
  const [packed] = JSON.parse(stdout)
  return packed
}

/** Where this process has its copies. They go when it ends. */
const home = () => {
  const staged = join(root, ".cache/staged")
  mkdirSync(staged, { recursive: true })
  const own = mkdtempSync(join(staged, `${process.pid}-`))
  process.once("exit", () => rmSync(own, { recursive: true, force: true }))
  return own
}
let copies

/** Copies the package of a folder, given from the project's, as it is published; answers the path of the copy. */
export const stage = (folder, project = root) => {
  const source = join(project, folder)
  const manifest = publishedOf(JSON.parse(readFileSync(join(source, "package.json"), "utf8")))
  copies ??= home()
  const copy = join(copies, manifest.name)
  rmSync(copy, { recursive: true, force: true })
  for (const { path } of npmPack(source, "--dry-run").files) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    copyFileSync(join(source, path), join(copy, path))
  }
  writeFileSync(join(copy, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`)
  return copy
}

/** Packs the package of a folder as it is published into `destination`; answers the tarball's path and what `npm pack` says of it. */
export const pack = (folder, destination, project = root) => {
  mkdirSync(destination, { recursive: true })
  const packed = npmPack(stage(folder, project), "--pack-destination", destination)
  return { ...packed, path: join(destination, packed.filename) }
}
