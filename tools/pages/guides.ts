/** The handwritten pages: every Markdown page of the project has its place on the site, and its links lead there. */
import { posix } from "node:path"
import { exists, filesIn, read } from "@quartet/support/files.js"
import { drawn, partsOf, relinked } from "./markdown.js"

/** The groups of the sidebar. */
export type Group = "Start" | "Guides" | "Reference" | "Project"

/** A page as the site's generator reads it. */
export interface Page {
  /** Its path on the site, without slashes around it: `guides/chat`. */
  readonly id: string
  readonly title: string
  readonly description: string
  /** Markdown, without the title. */
  readonly body: string
}

/** A page of the project. */
export interface Guide extends Page {
  readonly group: Group
  /** Its file: `docs/chat.md`. */
  readonly file: string
}

/** Pages that are not what a reader begins with, by their files. All others are guides. */
const groups: Readonly<Record<string, Group>> = {
  "README.md": "Start",
  "docs/cli.md": "Reference",
  "docs/errors.md": "Reference",
  "docs/architecture.md": "Project",
  "docs/console.md": "Project",
  "docs/console-views.md": "Project",
  "docs/specification.md": "Project",
  "CONTRIBUTING.md": "Project",
  "SECURITY.md": "Project",
  "CHANGELOG.md": "Project"
}

/** What has a page of another kind: the table of calls, and the documents beside it. */
const others: Readonly<Record<string, string>> = {
  "docs/calls.md": "calls/",
  "docs/openapi": "calls/#openapi"
}

const groupOf = (file: string): Group =>
  groups[file] ??
  (/^docs\/decisions\//.test(file) ? "Project" : /^docs\/guides\/start/.test(file) ? "Start" : "Guides")

const ids: Readonly<Record<string, string>> = {
  "README.md": "overview",
  "SECURITY.md": "security-policy",
  "docs/guides/README.md": "guides",
  "docs/decisions/README.md": "decisions"
}

const idOf = (file: string): string =>
  ids[file] ??
  file
    .replace(/^docs\//, "")
    .replace(/\.md$/, "")
    .toLowerCase()

/** Where the site is served, without a slash at its end. */
export const base = (process.env.SITE_BASE ?? "/").replace(/\/$/, "")

/** The pages that come first in their groups. */
const order = [
  ...[
    "README.md",
    "docs/guides/start-promises.md",
    "docs/guides/start-effect.md",
    "docs/guides/start-react.md"
  ],
  ...["docs/guides/start-next.md", "docs/guides/start-workers.md", "docs/guides/start-tests.md"],
  ...[
    "docs/guides/README.md",
    "docs/guides/sessions.md",
    "docs/guides/pagination.md",
    "docs/guides/failures.md"
  ]
]

const placeOf = (file: string): number => (order.includes(file) ? order.indexOf(file) : order.length)

const files: ReadonlyArray<string> = [
  "README.md",
  ...filesIn("docs").filter((file) => file.endsWith(".md") && !(file in others)),
  "AGENTS.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md"
].sort((left, right) => placeOf(left) - placeOf(right))

const manifest: { readonly repository?: { readonly url: string } } = JSON.parse(read("package.json"))
const repository = manifest.repository?.url.replace(/^git\+|\.git$/g, "")

/** Where a link of a page leads on the site; undefined for a file that only the repository has, if nobody says where that is. */
const addressOf = (from: string, target: string): string | undefined => {
  const [path = "", anchor] = target.split("#")
  const at = anchor === undefined ? "" : `#${anchor}`
  if (path === "") return at
  const file = posix.join(posix.dirname(from), path).replace(/\/$/, "")
  if (!exists(file)) throw new Error(`${from} leads to ${target}, which does not exist`)
  const page = others[file]
  if (page !== undefined) return `${base}/${page}${at}`
  if (files.includes(file)) return `${base}/${idOf(file)}/${at}`
  if (/^docs\/(images|openapi)\//.test(file)) return base + file.slice("docs".length)
  return repository === undefined ? undefined : `${repository}/blob/main/${file}${at}`
}

/** The project's own pages. */
export const guides = (): ReadonlyArray<Guide> =>
  files.map((file) => {
    const { body, ...parts } = partsOf(read(file))
    const linked = relinked(body, (target) => addressOf(file, target))
    const title = file === "README.md" ? "Overview" : parts.title
    return { ...parts, title, id: idOf(file), group: groupOf(file), file, body: drawn(linked) }
  })
