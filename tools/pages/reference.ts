/** The pages of the packages' modules, from what `site/reference.mjs` wrote: their places, titles and links on the site. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { base, type Page } from "./guides.js"
import { anchorsIn, descriptionOf, partsOf, relinked } from "./markdown.js"

/** A page of the reference. */
export interface Module extends Page {
  /** Whether it is an entry of a package, and no namespace in one. */
  readonly isEntry: boolean
}

/** Where the names of all packages begin. */
const scope = "@quartet/"

/** Modules by their names, all others by the files that they were written into. */
const idOf = (file: string, title: string): string => {
  if (file === "README.md") return "api"
  const own = (title.startsWith(scope) ? title : file).slice(scope.length)
  return `api/${own
    .replace(/(?:\/README)?\.md$/, "")
    .replaceAll("namespaces/", "")
    .toLowerCase()}`
}

/** The pages that stand in a folder; none where it does not exist. */
export const modulesIn = (folder: string): ReadonlyArray<Module> => {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".md")
  )
  const pages = files.map((file) => {
    const parts = partsOf(readFileSync(join(folder, file), "utf8"))
    return { file, ...parts, id: idOf(file, parts.title), isEntry: parts.title.startsWith(scope) }
  })
  const byFile = new Map(pages.map((page) => [page.file, { id: page.id, anchors: anchorsIn(page.body) }]))
  return pages.map(({ body, file, title, ...page }) => {
    const target = (link: string): string => {
      const [path = "", anchor = ""] = link.split("#")
      const to = byFile.get(path === "" ? file : posix.join(posix.dirname(file), path))
      // A type and a constant of one name are one heading, and TypeDoc counts two.
      const at = to?.anchors.has(anchor) === false ? anchor.replace(/-\d+$/, "") : anchor
      return `${path === "" ? "" : `${base}/${to?.id}/`}${at === "" ? "" : `#${at}`}`
    }
    // What stands below the first heading is about a member alone.
    const description = descriptionOf(body.split(/^## /m)[0] ?? "")
    const relinkedPage = { ...page, body: relinked(body, target) }
    return file === "README.md"
      ? {
          ...relinkedPage,
          title: "Modules",
          description: "The modules of all packages, each with what it exports."
        }
      : { ...relinkedPage, title, description: description || `What ${title} exports.` }
  })
}
