// What must be there before the measuring: a build that is not older than its sources, and the rivals' packages.

import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))
const stepMillis = 300_000

/** Sources of dist, from the package's root. */
const sources = [
  "core",
  "adapters",
  "clients",
  "ui/rx",
  "ui/outbox",
  "ui/tanstack-query",
  "ui/devtools",
  "package.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "tools/build.mjs"
]

/** Time of the newest file at or under `path`, in milliseconds; 0 where there is none. */
const newest = (path) => {
  if (!existsSync(path)) return 0
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), 0)
}

const npm = (...args) => {
  // Through the shell on Windows only, where npm is a script.
  const options = { cwd: root, timeout: stepMillis, shell: process.platform === "win32" }
  const { error, status } = spawnSync("npm", args, { ...options, stdio: ["ignore", 2, 2] })
  if (status !== 0)
    throw new Error(`npm ${args.join(" ")} failed (${error?.message ?? `exit code ${status}`})`)
}

/** Builds the package where dist is missing or older than a source. */
export const build = () => {
  const built = newest(join(root, "dist"))
  if (built > 0 && sources.every((source) => newest(join(root, source)) <= built)) return
  console.error(`bench: dist is ${built === 0 ? "missing" : "older than its sources"}, building ...`)
  npm("run", "build:packages")
}

/** Installs the rivals' packages where they are missing or older than their lock file. */
export const install = () => {
  const installed = newest(join(root, "test/bench/node_modules/.package-lock.json"))
  if (installed >= newest(join(root, "test/bench/package-lock.json"))) return
  console.error("bench: installing the rivals' packages ...")
  npm("ci", "--prefix", "test/bench", "--ignore-scripts", "--no-audit", "--no-fund")
}
