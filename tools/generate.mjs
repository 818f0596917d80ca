// `npm run generate`: writes every file that is derived from the operations. With --check it writes nothing, names the
// stale files, and fails if there is one.

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { importSource } from "./sources.mjs"

const root = new URL("../", import.meta.url)
const isCheck = process.argv.includes("--check")
let stale = 0

/** @param {string} file */
const note = (file) => {
  stale += 1
  console.info(`${isCheck ? "stale" : "written"}: ${file}`)
}

// Each part is made from what those before it write, so it loads its modules again.
for (const part of ["registries", "clients", "docs"]) {
  const module = await importSource(`tools/generate/${part}.ts`)
  for (const [file, text] of module.files) {
    const url = new URL(file, root)
    if (existsSync(url) && readFileSync(url, "utf8") === text) continue
    note(file)
    if (!isCheck) writeFileSync(url, text)
  }
  for (const file of module.leftOver ?? []) {
    note(file)
    if (!isCheck) rmSync(new URL(file, root))
  }
}

if (isCheck && stale > 0) {
  console.error("Run `npm run generate`.")
  process.exitCode = 1
}
