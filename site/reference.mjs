// Writes the reference of the packages' modules from their docstrings, as Markdown, into a folder: `node reference.mjs <folder>`.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Application, Comment } from "typedoc"
import { importSource } from "../tools/sources.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const { entriesOf, published } = await importSource("packages/support/workspaces.ts")

const [out] = process.argv.slice(2)
if (out === undefined) throw new Error("name the folder to write into")

/** The names under which programs import each source; the first of several. Those for packages that extend others are not for apps. */
const names = new Map()
for (const { name, source } of published.flatMap(entriesOf))
  if (!/\/extend\b/.test(name) && !names.has(join(root, source))) names.set(join(root, source), name)

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
