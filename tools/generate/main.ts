/** Writes what is generated, or says what of it is stale. */
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../files.js"
import { isStale, leftOver, written } from "./all.js"

const stale = [...written].filter(isStale)

if (process.argv.includes("--check")) {
  for (const file of [...stale.map(([file]) => file), ...leftOver]) console.error(`stale: ${file}`)
  if (stale.length + leftOver.length > 0) {
    console.error("Run `npm run generate`.")
    process.exitCode = 1
  }
} else {
  for (const [file, text] of stale) writeFileSync(join(root, file), text)
  for (const file of leftOver) rmSync(join(root, file))
  console.info(`${stale.length} of ${written.size} generated files written, ${leftOver.length} removed`)
}
