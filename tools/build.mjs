// `npm run build:packages`: compiles every package into its dist, and bundles the command line. What is built stays as long as neither it
// nor any file of the project has changed since.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundle } from "./bundle.mjs"
import { writeOut } from "./declarations.mjs"
import { prune } from "./prune.mjs"
import { importSource, root } from "./sources.mjs"

const { published } = await importSource("packages/support/workspaces.ts")

const note = join(root, ".cache/build.txt")

/** Packages after those that they build on: a compiler reads the others as their users do, as they are built. */
const inOrder = []
const add = (workspace) => {
  if (inOrder.includes(workspace)) return
  const { dependencies, devDependencies, peerDependencies } = workspace.manifest
  for (const name of Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies })) {
    const dependency = published.find(({ manifest }) => manifest.name === name)
    if (dependency !== undefined) add(dependency)
  }
  inOrder.push(workspace)
}
for (const workspace of published) add(workspace)

/** A digest of files, by their paths from the root; one that is gone counts as well. */
const digestOf = (files) => {
  const hash = createHash("sha256")
  for (const file of files) {
    const path = join(root, file)
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true
    hash.update(`\0${file}\0`).update(isFile ? createHash("sha256").update(readFileSync(path)).digest() : "")
  }
  return hash.digest("hex")
}

/** What it is built from: the project's files, where git knows them, and the packages. */
const sources = () => {
  const args = ["ls-files", "-co", "--exclude-standard", "-z"]
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 })
  const files = (stdout ?? "").split("\0")
  if (status !== 0 || !files.includes("package.json")) return undefined
  return digestOf([...files, "node_modules/.package-lock.json"])
}

/** What is built, but for the console's page, which is built by itself. */
const results = () => {
  const files = published.flatMap(({ folder }) => {
    const out = join(root, folder, "dist")
    const names = existsSync(out) ? readdirSync(out, { recursive: true, encoding: "utf8" }) : []
    return names.filter((name) => !name.startsWith("console")).map((name) => join(folder, "dist", name))
  })
  return digestOf([...files, "llms.txt", "llms-full.txt"])
}

const from = sources()
if (from !== undefined && existsSync(note) && readFileSync(note, "utf8") === from + results()) process.exit()

const tsc = fileURLToPath(import.meta.resolve("typescript/package.json").replace(/package\.json$/, "bin/tsc"))
for (const { folder, manifest } of inOrder) {
  const out = join(root, folder, "dist")
  for (const name of existsSync(out) ? readdirSync(out) : [])
    if (name !== "console") rmSync(join(out, name), { recursive: true })
  const { status } = spawnSync(process.execPath, [tsc, "-p", join(root, folder, "tsconfig.build.json")], {
    stdio: "inherit"
  })
  if (status !== 0) process.exit(status ?? 1)
  prune(out, manifest)
  writeOut(out)
}
await bundle(join(root, "packages/cli/dist"))

// What language models read, beside the package's manifest.
const { packed } = await importSource("tools/pages/llms.ts")
for (const [file, text] of packed) writeFileSync(join(root, file), text)

mkdirSync(dirname(note), { recursive: true })
writeFileSync(note, from === undefined ? "" : from + results())
