// The command line as a bundle in its package's dist.
//
// It leaves outside what is installed beside it: its dependencies and peers, so that the jobs of a program run on that program's own
// copy of Effect. It holds everything else. Each command is a part that is loaded when it is called.
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"
import { root } from "./workspaces.mjs"

const home = join(root, "packages/cli")
const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"))
const installed = [...Object.keys(dependencies), ...Object.keys(peerDependencies)]

/** The folder of the package that a bundled module comes from; undefined for the project's own. */
const packageOf = (id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0]

/** The licence of a package, as its own file has it. */
const licenceOf = (folder) => {
  const { license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(one))
  const text = file === undefined ? "" : `\n\n${readFileSync(join(folder, file), "utf8").trim()}`
  return `${name} ${version} (${license})${text}`
}

/** Writes the bundle into `dist`, and beside it the licences of the packages that it holds. */
export const bundle = async () => {
  const build = await rolldown({
    platform: "node",
    input: { main: join(home, "main.ts") },
    external: (id) => id.startsWith("node:") || installed.some((name) => id === name || id.startsWith(`${name}/`))
  })
  const { output } = await build.write({
    dir: join(home, "dist"),
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "parts/[name]-[hash].js",
    minify: true
  })
  await build.close()
  const modules = output.flatMap((piece) => (piece.type === "chunk" ? piece.moduleIds : []))
  const packages = [...new Set(modules.flatMap((id) => packageOf(id) ?? []))].sort()
  const licences = packages.map(licenceOf).join(`\n\n${"-".repeat(80)}\n\n`)
  writeFileSync(
    join(home, "dist/LICENSES.txt"),
    `The command line holds code of these packages.\n\n${licences}\n`
  )
}
