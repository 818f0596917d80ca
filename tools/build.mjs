// `npm run build:sdk`: compiles the package into dist, and bundles its command line. What is in dist stays as long as neither it
// nor any file of the project has changed since it was built.
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { runnerImport } from "vite"
import { bundle } from "./bundle.mjs"
import { prune } from "./declarations.mjs"

const root = fileURLToPath(new URL("../", import.meta.url))
const out = join(root, "dist")
const note = join(root, ".cache/build.txt")

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

/** What is built. */
const results = () => {
  const files = existsSync(out) ? readdirSync(out, { recursive: true, encoding: "utf8" }) : []
  return digestOf([...files.map((name) => join("dist", name)), "llms.txt", "llms-full.txt"])
}

const from = sources()
if (from !== undefined && existsSync(note) && readFileSync(note, "utf8") === from + results()) process.exit()

for (const part of ["core", "adapters", "clients", "ui", "cli"])
  rmSync(join(out, part), { recursive: true, force: true })

const tsc = fileURLToPath(import.meta.resolve("typescript/package.json").replace(/package\.json$/, "bin/tsc"))
const { status } = spawnSync(
  process.execPath,
  [tsc, "-p", join(root, "tsconfig.build.json"), "--outDir", out],
  {
    stdio: "inherit"
  }
)
process.exitCode = status ?? 1

// `#runtime/…` leads to the sources, `#built/…` to the same modules as they are built.
for (const file of readdirSync(out, { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".js")
)) {
  const text = readFileSync(join(out, file), "utf8")
  if (text.includes('"#runtime/')) writeFileSync(join(out, file), text.replaceAll('"#runtime/', '"#built/'))
}

prune(out, JSON.parse(readFileSync(join(root, "package.json"), "utf8")).exports)

await bundle(join(out, "cli"))

// What language models read, beside the package's manifest.
const { module } = await runnerImport(join(root, "site/pages/llms.ts"))
for (const [file, text] of module.packed) writeFileSync(join(root, file), text)

mkdirSync(dirname(note), { recursive: true })
writeFileSync(note, from !== undefined && process.exitCode === 0 ? from + results() : "")
