// The command line as a bundle: `node tools/bundle.mjs <folder>`.
//
// It runs where nothing but the package and its own dependencies is installed, so it holds everything else. Each command is
// a part that is loaded when it is called.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

const root = fileURLToPath(new URL("../", import.meta.url))

/** The folder of the package that a bundled module comes from; undefined for the project's own. */
const packageOf = (id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0]

/** The licence of a package, as its own file has it. */
const licenceOf = (folder) => {
  const { license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(one))
  const text = file === undefined ? "" : `\n\n${readFileSync(join(folder, file), "utf8").trim()}`
  return `${name} ${version} (${license})${text}`
}

// Socket.io's server takes the last two where they are installed.
const external = [/^node:/, /^(undici|socket\.io-client|bufferutil|utf-8-validate)$/]

/**
 * What `quartet job` takes from the project of whoever calls it: the packages of its engine, which are optional, and the copy of Effect that
 * these and the jobs of that project have. So it is a bundle of its own.
 */
const installed = [
  /^effect(\/|$)/,
  /^@effect\/(cluster|experimental|rpc|sql|sql-pg|workflow)(\/|$)/,
  /^(csv-parse|libsql)(\/|$)/
]

/** Has the bundle of everything else load that one; it keeps what the completions know of the command. */
const elsewhere = {
  name: "elsewhere",
  resolveId: (id, from = "") =>
    (id === "./commands/job.js" && from.endsWith("main.ts")) || /^\.\.\/job\/(?!packages)/.test(id)
      ? { id: "./job.js", external: true }
      : null
}

/** Has the bundle of jobs load the package's own modules where they stand beside it, as in dist: it needs no second copy. */
const beside = {
  name: "beside",
  resolveId: (id, from) => {
    const path = from === undefined || !id.startsWith(".") ? "" : relative(root, resolve(dirname(from), id))
    return /^(core|adapters|clients)\//.test(path) ? { id: `../${path}`, external: "relative" } : null
  }
}

const write = async (folder, options) => {
  const build = await rolldown({ platform: "node", ...options })
  const { output } = await build.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    minify: true
  })
  await build.close()
  return output.flatMap((piece) => (piece.type === "chunk" ? piece.moduleIds : []))
}

/** Writes the bundle into a folder, and beside it the licences of the packages that it holds. */
export const bundle = async (folder) => {
  rmSync(folder, { recursive: true, force: true })
  const modules = [
    await write(folder, { input: { main: join(root, "packages/cli/main.ts") }, external, plugins: [elsewhere] }),
    await write(folder, {
      input: { job: join(root, "packages/cli/commands/job.ts") },
      external: [...external, ...installed],
      plugins: existsSync(join(folder, "../clients")) ? [beside] : []
    })
  ].flat()
  const packages = [...new Set(modules.flatMap((id) => packageOf(id) ?? []))].sort()
  const licences = packages.map(licenceOf).join(`\n\n${"-".repeat(80)}\n\n`)
  writeFileSync(
    join(folder, "LICENSES.txt"),
    `The command line holds code of these packages.\n\n${licences}\n`
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle(resolve(process.argv[2] ?? "dist/cli"))
