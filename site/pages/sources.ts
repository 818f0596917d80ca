/** What the site is made of beside its own look, as files: `site/make.mjs` writes them into `site/.cache`. */
import { filesIn } from "../../tools/files.js"
import { calls } from "./calls.js"
import { guides as made, type Page } from "./guides.js"
import * as Llms from "./llms.js"

const guides = made()

/** A page with what the generator asks for at its top. */
export const markdownOf = ({ body, description, title }: Page): string =>
  `---\ntitle: ${JSON.stringify(title)}\ndescription: ${JSON.stringify(description)}\n---\n${body}`

/** The texts, by their paths in `site/.cache`. */
export const texts: ReadonlyMap<string, string> = new Map([
  ...guides.map((guide) => [`content/${guide.id}.md`, markdownOf(guide)] as const),
  ["calls.json", JSON.stringify(calls)],
  ["guides.json", JSON.stringify(guides.map(({ group, id, title }) => ({ group, id, title })))],
  ["public/llms.txt", Llms.list(guides, calls)],
  ["public/llms-full.txt", Llms.full(guides, calls)]
])

/** Files of the project that the site serves as they are, by their paths in `site/.cache`. */
export const copies: ReadonlyMap<string, string> = new Map([
  ["public/favicon.svg", "site/src/favicon.svg"] as const,
  ...[...filesIn("docs/images"), ...filesIn("docs/openapi")].map(
    (file) => [file.replace("docs/", "public/"), file] as const
  )
])
