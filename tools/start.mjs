// `npm start`: builds what is missing or older than its sources, with progress, then runs `quartet tour` from the build.
// Plain JavaScript, because it runs before anything is built.
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, statSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
const built = join(root, "packages/cli/dist")
const entry = join(built, "main.js")
const page = join(built, "console/index.html")

/** The newest change of a source below a folder, in milliseconds; 0 if there is none. */
const newest = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((item) => item.isFile() && /\.(tsx?|css|html|json)$/.test(item.name))
    .map((item) => join(item.parentPath ?? item.path, item.name))
    .filter((file) => !/[\\/](dist|node_modules|test)[\\/]/.test(relative(root, file)))
    .reduce((latest, file) => Math.max(latest, statSync(file).mtimeMs), 0)

const isStale = (file, folders) =>
  !existsSync(file) || folders.some((folder) => newest(folder) > statSync(file).mtimeMs)

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

const sources = ["core", "adapters", "clients", "ui", "packages"]
if (isStale(entry, sources)) build("the packages", "build:packages")
const isWanted = !process.argv.includes("--no-console") && !process.argv.includes("--help")
if (isWanted && isStale(page, sources)) build("the console", "build:console")

process.argv.splice(2, 0, "tour")
await import(pathToFileURL(entry).href)
