// Writes the reference of the package's modules from their docstrings, as Markdown, into a folder: `node reference.mjs <folder>`.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Application, Comment } from "typedoc"

const root = fileURLToPath(new URL("..", import.meta.url))
const { exports, name } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

const [out] = process.argv.slice(2)
if (out === undefined) throw new Error("name the folder to write into")

/** An entry with its source; one with a star stands for every file in its place. @param {string} entry @param {string} source */
const expanded = (entry, source) => {
  if (!source.includes("*")) return [[entry, source]]
  const [folder = "", rest = ""] = source.split("*")
  return readdirSync(join(root, folder))
    .map((file) => (rest.startsWith("/") ? file : file.replace(/\.ts$/, "")))
    .filter((star) => !star.includes(".") && existsSync(join(root, `${folder}${star}${rest}`)))
    .map((star) => [entry.replace("*", star), `${folder}${star}${rest}`])
}

/** The names under which programs import each source; the first of several. */
const names = new Map()
for (const [entry, { types }] of Object.entries(exports)) {
  if (types === undefined) continue
  for (const [own, source] of expanded(
    join(name, entry),
    types.replace("./dist/", "").replace(/\.d\.ts$/, ".ts")
  ))
    if (!names.has(join(root, source))) names.set(join(root, source), own)
}

const app = await Application.bootstrapWithPlugins({
  entryPoints: [...names.keys()],
  tsconfig: join(root, "tsconfig.json"),
  plugin: ["typedoc-plugin-markdown"],
  router: "module",
  // Without these it empties docs/ and writes there.
  outputs: [{ name: "markdown", path: out }],
  cleanOutputDir: false,
  readme: "none",
  logLevel: "Error",
  // The compiler of the project is another one, and has checked it.
  skipErrorChecking: true,
  disableSources: true,
  excludeExternals: true,
  excludeInternal: true,
  hideBreadcrumbs: true,
  hidePageHeader: true
})
const points = app.getEntryPoints() ?? []
for (const point of points) point.displayName = names.get(point.sourceFile.fileName) ?? point.displayName
const project = app.converter.convert(points)
// TypeDoc takes the text at the top of a file for its first declaration's, or for nobody's.
for (const [source, own] of names) {
  const [, text = ""] = /^\/\*\*([\s\S]*?)\*\//.exec(readFileSync(source, "utf8")) ?? []
  const module = project.getChildByName([own])
  if (module !== undefined && text !== "")
    module.comment = new Comment([{ kind: "text", text: text.replaceAll(/^ *\* ?/gm, "").trim() }])
}
await app.generateOutputs(project)
