// `npm run check:imports`: every import of the repository, by the rules of packages/support/imports.ts.
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { importSource, root } from "./sources.mjs"

const { breachesIn } = await importSource("packages/support/imports.ts")

const args = ["ls-files", "-co", "--exclude-standard", "-z", "*.ts", "*.tsx", "*.mjs"]
const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 })
if (status !== 0) throw new Error("git does not list the files")
const files = stdout.split("\0").filter((file) => file !== "" && existsSync(join(root, file)))

const breaches = files.flatMap((file) => breachesIn(file, readFileSync(join(root, file), "utf8")))
for (const breach of breaches) console.error(breach)
if (breaches.length > 0) {
  console.error(`${breaches.length} imports break the rules of packages/support/imports.ts`)
  process.exitCode = 1
}
