// The command line as a bundle: `node tools/bundle.mjs <folder>`.
//
// It runs where nothing but the package and its own dependencies is installed, so it holds everything else. Each command is
// a part that is loaded when it is called.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
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

/** Writes the bundle into a folder, and beside it the licences of the packages that it holds. */
export const bundle = async (folder) => {
  rmSync(folder, { recursive: true, force: true })
  const build = await rolldown({
    input: { main: join(root, "ui/cli/main.ts") },
    platform: "node",
    // Socket.io's server takes the last two where they are installed.
    external: [/^node:/, /^(undici|socket\.io-client|bufferutil|utf-8-validate)$/]
  })
  const { output } = await build.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    minify: true
  })
  await build.close()
  const modules = output.flatMap((piece) => (piece.type === "chunk" ? piece.moduleIds : []))
  const packages = [...new Set(modules.flatMap((id) => packageOf(id) ?? []))].sort()
  const licences = packages.map(licenceOf).join(`\n\n${"-".repeat(80)}\n\n`)
  writeFileSync(
    join(folder, "LICENSES.txt"),
    `The command line holds code of these packages.\n\n${licences}\n`
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle(resolve(process.argv[2] ?? "dist/cli"))
