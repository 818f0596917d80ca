// `npm start`: builds what is missing or older than its sources, with progress, then runs `quartet tour` from the build.
// Plain JavaScript, because it runs before anything is built.
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
const entry = join(root, "dist", "cli", "main.js")
const page = join(root, "dist", "console", "index.html")

/** The newest change below a folder, in milliseconds; 0 if there is none. */
const newest = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((item) => item.isFile() && /\.(tsx?|css|html|json)$/.test(item.name))
    .reduce(
      (latest, item) => Math.max(latest, statSync(join(item.parentPath ?? item.path, item.name)).mtimeMs),
      0
    )

const isStale = (built, folders) =>
  !existsSync(built) || folders.some((folder) => newest(folder) > statSync(built).mtimeMs)

const build = (what, script) => {
  const started = performance.now()
  process.stdout.write(`Building ${what} … `)
  const npm = spawnSync("npm", ["run", "--silent", script], {
    cwd: root,
    encoding: "utf8",
    shell: process.platform === "win32"
  })
  if (npm.status !== 0) {
    process.stdout.write("failed\n")
    process.stderr.write(`${npm.stdout ?? ""}${npm.stderr ?? ""}${npm.error?.message ?? ""}\n`)
    process.stderr.write(`Fix that and run "npm run ${script}" to see it alone.\n`)
    process.exit(1)
  }
  process.stdout.write(`done in ${((performance.now() - started) / 1000).toFixed(1)} s\n`)
}

if (
  isStale(entry, [
    "core",
    "adapters",
    "clients",
    "ui/rx",
    "ui/outbox",
    "ui/tanstack-query",
    "ui/devtools",
    "ui/jobs",
    "ui/cli"
  ])
)
  build("the SDK", "build:packages")
const isWanted = !process.argv.includes("--no-console") && !process.argv.includes("--help")
if (isWanted && isStale(page, ["core", "adapters", "clients", "ui"])) build("the console", "build:console")

process.argv.splice(2, 0, "tour")
await import(pathToFileURL(entry).href)
