// `npm run site`, `npm run site:dev` and `npm run site:check`: installs the site's own packages if they are not there, writes its
// pages from the project, and builds it into site/dist, serves it, or builds it, checks its types and follows every link.
import { spawn, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { importSource } from "../tools/sources.mjs"

const site = fileURLToPath(new URL(".", import.meta.url))
const root = join(site, "..")
const cache = join(site, ".cache")
const [command = "build"] = process.argv.slice(2)

const options = {
  cwd: site,
  stdio: "inherit",
  env: { ...process.env, ASTRO_TELEMETRY_DISABLED: "1" }
}

/** @param {string} program @param {ReadonlyArray<string>} args */
const run = (program, args) => {
  const { status } = spawnSync(program, args, options)
  if (status !== 0) process.exit(status ?? 1)
}

/** The packages are those of the lock: npm notes in their folder which lock it installed. */
const install = () => {
  const lock = readFileSync(join(site, "package-lock.json"), "utf8")
  const note = join(site, "node_modules/.lock")
  if (existsSync(note) && readFileSync(note, "utf8") === lock) return
  run("npm", ["ci", "--no-audit", "--no-fund"])
  writeFileSync(note, lock)
}

const write = async () => {
  const module = await importSource("tools/pages/sources.ts")
  for (const [file, text] of module.texts) {
    mkdirSync(dirname(join(cache, file)), { recursive: true })
    writeFileSync(join(cache, file), text)
  }
  for (const [to, from] of module.copies) cpSync(join(root, from), join(cache, to))
  // Mermaid as it was published: to bundle it once more would take longer than all the rest.
  for (const part of ["mermaid.esm.min.mjs", "chunks/mermaid.esm.min"])
    cpSync(join(site, "node_modules/mermaid/dist", part), join(cache, "public/mermaid", part), {
      recursive: true,
      filter: (file) => !file.endsWith(".map")
    })
}

install()
rmSync(cache, { recursive: true, force: true })
run(process.execPath, [join(site, "reference.mjs"), join(cache, "reference")])
await write()
const astro = join(site, "node_modules/astro/astro.js")
if (command === "dev") {
  for (const folder of ["docs", "tools/pages"])
    watch(join(root, folder), { recursive: true }, () => void write().catch(console.error))
  spawn(process.execPath, [astro, "dev"], options).once("exit", (code) => process.exit(code ?? 0))
} else {
  run(process.execPath, [astro, "build", "--force"])
}
if (command === "check") {
  // The build has written the types that the sources of the site import.
  run(process.execPath, [join(site, "node_modules/typescript/bin/tsc"), "-p", site])
  const module = await importSource("tools/pages/links.ts")
  const { dead, external, followed } = module.linksIn(join(site, "dist"), process.env.SITE_BASE)
  console.info(`${external.length} addresses elsewhere, which nobody followed:\n  ${external.join("\n  ")}`)
  console.info(`${followed} links followed, ${dead.length} dead${dead.map((link) => `\n  ${link}`).join("")}`)
  if (dead.length > 0) process.exitCode = 1
}
