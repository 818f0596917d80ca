// The command line as a bundle: in its package's dist or, by `node tools/bundle.mjs <folder>`, with the sources of its siblings.
//
// It holds nearly all that it needs, Effect and the SDK among it: it starts three times as fast as from their own files. Each command is a
// part that is loaded when it is called. The jobs of a program run on that program's own copies of Effect, the SDK and the fleet, which are
// installed beside it: `quartet job` is a bundle of its own, without them.
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { condition, importSource, root } from "./sources.mjs"

const home = join(root, "packages/cli")
const { entriesOf, published, workspaceOf } = await importSource("packages/support/workspaces.ts")
const { manifest } = published.find(({ folder }) => folder === "packages/cli")

/** What all packages of the repository take from others. */
const foreign = published
  .flatMap(({ manifest }) => Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }))
  .filter((name) => !name.startsWith("@quartet/"))

/** The folder of the package that a bundled module comes from; undefined for the project's own. */
const packageOf = (id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0]

/** The licence of a package, as its own file has it. */
const licenceOf = (folder) => {
  const { license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(name))
  const text = file === undefined ? "" : `\n\n${readFileSync(join(folder, file), "utf8").trim()}`
  return `${name} ${version} (${license})${text}`
}

/** Has the bundle of everything else load that of the jobs; it keeps what the completions know of the command. */
const elsewhere = {
  name: "elsewhere",
  resolveId: (id, from = "") =>
    (id === "./job/command.js" && from.endsWith("main.ts")) ||
    (/^\.\/(?!options)/.test(id) && from.endsWith("job/command.ts"))
      ? { id: "./job.js", external: true }
      : null
}

const entries = new Map(published.flatMap(entriesOf).map(({ name, source }) => [name, join(root, source)]))

/** Finds the repository's packages in their sources. A condition of the bundler's would be in place of those that others need. */
const siblings = {
  name: "siblings",
  resolveId: (id, from) => {
    if (entries.has(id)) return entries.get(id)
    if (!id.startsWith("#runtime/")) return null
    const { folder, manifest } = workspaceOf(relative(root, from))
    const targets = manifest.imports[id][condition]
    return join(root, folder, targets.node ?? targets.default)
  }
}

const write = async (folder, input, outside, plugins = []) => {
  const build = await rolldown({
    platform: "node",
    input,
    // The last two are taken by Socket.IO's server where they are installed.
    external: (id) =>
      /^node:|^(bufferutil|utf-8-validate)$/.test(id) ||
      outside.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [...plugins, siblings]
  })
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

/** Writes the bundle into a folder, and the licences of the packages that it holds. With `isWhole` the jobs hold their siblings' sources. */
export const bundle = async (folder, { isWhole = false } = {}) => {
  const dependencies = Object.keys(manifest.dependencies)
  const peers = Object.keys(manifest.peerDependencies)
  const main = { main: join(home, "main.ts") }
  const job = { job: join(home, "job/command.ts") }
  const modules = [
    ...(await write(folder, main, dependencies, [elsewhere])),
    ...(await write(folder, job, isWhole ? foreign : [...dependencies, ...peers]))
  ]
  const packages = [...new Set(modules.flatMap((id) => packageOf(id) ?? []))].sort()
  const licences = packages.map(licenceOf).join(`\n\n${"-".repeat(80)}\n\n`)
  writeFileSync(
    join(folder, "LICENSES.txt"),
    `The command line holds code of these packages.\n\n${licences}\n`
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle(process.argv[2], { isWhole: true })
