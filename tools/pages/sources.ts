/** What the site is made of beside its own look, as files: `site/make.mjs` writes them into `site/.cache`. */
import { filesIn, root } from "@quartet/support/files.js"
import { calls } from "./calls.js"
import { guides as made, type Page } from "./guides.js"
import { served as llms } from "./llms.js"
import { modulesIn } from "./reference.js"

const guides = made()
const modules = modulesIn(`${root}site/.cache/reference`)

/** A page with what the generator asks for at its top. */
export const markdownOf = ({ body, description, title }: Page): string =>
  `---\ntitle: ${JSON.stringify(title)}\ndescription: ${JSON.stringify(description)}\n---\n${body}`

/** The texts, by their paths in `site/.cache`. */
export const texts: ReadonlyMap<string, string> = new Map([
  ...[...guides, ...modules].map((page) => [`content/${page.id}.md`, markdownOf(page)] as const),
  [
    "modules.json",
    JSON.stringify(modules.filter(({ isEntry }) => isEntry).map(({ id, title }) => ({ id, title })))
  ],
  ["calls.json", JSON.stringify(calls)],
  ["guides.json", JSON.stringify(guides.map(({ group, id, title }) => ({ group, id, title })))],
  ...[...llms].map(([file, text]) => [`public/${file}`, text] as const)
])

/** Files of the project that the site serves as they are, by their paths in `site/.cache`. */
export const copies: ReadonlyMap<string, string> = new Map([
  ["public/favicon.svg", "site/src/favicon.svg"] as const,
  ...[...filesIn("docs/images"), ...filesIn("docs/openapi")].map(
    (file) => [file.replace("docs/", "public/"), file] as const
  )
])
