/** The documentation as text for language models: a list of what there is, and all of it in one file. */
import { read } from "@quartet/support/files.js"
import { type Call, calls, type Row } from "./calls.js"
import { base, type Guide, guides as made } from "./guides.js"

const manifest: { readonly description: string; readonly files: ReadonlyArray<string> } = JSON.parse(
  read("package.json")
)

/** Where the list leads to: pages of the site, or files beside it in the package. */
interface Places {
  /** Undefined for a page that is not there. */
  readonly guide: (guide: Guide) => string | undefined
  readonly call: (call: Call) => string
}

const onSite: Places = { guide: ({ id }) => `${base}/${id}/`, call: ({ id }) => `${base}/${id}/` }

/** Whether the package holds a file, by the `files` of its manifest; the README and the changelog it always does. */
const isPacked = (file: string): boolean => {
  if (["README.md", "CHANGELOG.md"].includes(file)) return true
  const matches = (pattern: string): boolean =>
    new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}$`).test(file)
  return manifest.files.some(matches) && !manifest.files.includes(`!${file}`)
}

const inPackage: Places = {
  guide: ({ file }) => (isPacked(file) ? file : undefined),
  call: ({ family }) => `docs/calls.md#${family.toLowerCase()}`
}

const item = (title: string, place: string, text: string): string =>
  `- [${title}](${place})${text === "" ? "" : `: ${text}`}`

const guides = made()

const head = `# Quartet\n\n> ${manifest.description}\n`

/** What the calls of a family are for, to each of their clients. */
const aboutOf = (own: ReadonlyArray<Call>): string => [...new Set(own.map(({ about }) => about))].join(" ")

const families = [...new Set(calls.map(({ family }) => family))]

/** What there is to read, with an address for each page. */
const list = (places: Places): string => {
  const sections = (["Start", "Guides", "Reference", "Project"] as const).map((group) => {
    const pages = guides.filter((guide) => guide.group === group)
    const items = pages.flatMap((page) => {
      const place = places.guide(page)
      return place === undefined ? [] : [item(page.title, place, page.description)]
    })
    return `## ${group}\n\n${items.join("\n")}\n`
  })
  const ofFamily = (family: string): string => {
    const own = calls.filter((call) => call.family === family)
    return `### ${family}\n\n${aboutOf(own)}\n\n${own.map((call) => item(call.key, places.call(call), call.summary)).join("\n")}\n`
  }
  return [
    head,
    "Install: `npm install @quartet/sdk effect@3`. Everything in one file: llms-full.txt. For coding agents: AGENTS.md of the package.\n",
    ...sections,
    "## Calls\n",
    ...families.map(ofFamily)
  ].join("\n")
}

const field = ({ description, isRequired, name, rule, type }: Row): string =>
  `- \`${name}\`${isRequired ? "" : "?"}: ${[type, rule, description].filter((part) => part !== "").join("; ")}`

const fields = (title: string, rows: ReadonlyArray<Row>): string =>
  rows.length === 0 ? "" : `\n${title}:\n${rows.map(field).join("\n")}\n`

/** The call alone, without the program around it. */
const expressionOf = ({ samples }: Call): string =>
  /const program = ([\s\S]*?)\nconst client/.exec(samples[0]?.source ?? "")?.[1] ?? ""

const entry = (call: Call): string =>
  [
    `### ${call.key}\n\n${call.summary} \`${call.method} ${call.url}\`${call.host === "legacyUrl" ? " (legacy)" : ""}. ${call.permission}\n`,
    fields("Input", call.input),
    fields("Body, as the sandbox takes it", call.body),
    `\nAnswer: ${call.answer}\n`,
    `\n\`\`\`ts\n${expressionOf(call)}\n\`\`\`\n`
  ].join("")

/** All that a program's author reads, in one text. What is about the project itself is left out. */
const full = (): string =>
  [
    head,
    ...guides
      .filter(({ group }) => group !== "Project")
      .map(({ file, title }) => `# ${title}\n\n${read(file).replace(/^# .+\n+/, "")}`),
    "# Calls\n",
    ...families.flatMap((family) => {
      const own = calls.filter((call) => call.family === family)
      return [`## ${family}\n\n${aboutOf(own)}\n`, ...own.map(entry)]
    })
  ].join("\n")

const texts = (places: Places): ReadonlyMap<string, string> =>
  new Map([
    ["llms.txt", list(places)],
    ["llms-full.txt", full()]
  ])

/** Both texts as the site has them, by the names of their files. */
export const served: ReadonlyMap<string, string> = texts(onSite)

/** Both texts as the package has them. */
export const packed: ReadonlyMap<string, string> = texts(inPackage)
