/** The links of a built site: which lead nowhere, and which lead out of it. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** What the links of a site are. */
export interface Links {
  /** `page: target` of each that leads nowhere. */
  readonly dead: ReadonlyArray<string>
  /** The addresses elsewhere, each once. */
  readonly external: ReadonlyArray<string>
  /** How many were followed. */
  readonly followed: number
}

const unescaped = (text: string): string =>
  text.replaceAll("&#38;", "&").replaceAll("&amp;", "&").replaceAll("&#x27;", "'")

const valuesOf = (html: string, name: string): ReadonlyArray<string> =>
  [...html.matchAll(new RegExp(`\\s(?:${name})="([^"]*)"`, "g"))].map(([, value = ""]) => unescaped(value))

/** Follows every link, image, script and style of every page of a folder that is served at `base`. */
export const linksIn = (folder: string, base = "/"): Links => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".html")
  )
  const anchors = new Map(
    files.map((file) => [file, new Set(valuesOf(readFileSync(join(folder, file), "utf8"), "id"))] as const)
  )
  const dead = new Set<string>()
  const external = new Set<string>()
  let followed = 0
  const isThere = (url: URL): boolean => {
    if (!url.pathname.startsWith(base)) return false
    const path = decodeURIComponent(url.pathname.slice(base.length))
    const file = path === "" || path.endsWith("/") ? `${path}index.html` : path
    const anchor = decodeURIComponent(url.hash.slice(1))
    return existsSync(join(folder, file)) && (anchor === "" || anchors.get(file)?.has(anchor) === true)
  }
  for (const file of files) {
    // What a page shows as code, and what stands in a script, is no link.
    const html = readFileSync(join(folder, file), "utf8").replaceAll(
      /<script\b[^>]*>[\s\S]*?<\/script>/g,
      (script) => script.slice(0, script.indexOf(">") + 1)
    )
    const page = new URL(`${base}${file.replace(/index\.html$/, "")}`, "http://site.test")
    for (const target of valuesOf(html, "href|src")) {
      if (/^(?:mailto|data|javascript):/.test(target)) continue
      const url = new URL(target, page)
      if (url.origin !== page.origin) external.add(url.href)
      else {
        followed += 1
        if (!isThere(url)) dead.add(`${page.pathname}: ${target}`)
      }
    }
  }
  return { dead: [...dead].sort(), external: [...external].sort(), followed }
}
