/** The documentation as text for language models: a list of what there is, and all of it in one file. */
import { read } from "../../tools/files.js"
import { type Call, calls, type Row } from "./calls.js"
import { guides as made } from "./guides.js"

const { description, homepage = "" }: { readonly description: string; readonly homepage?: string } =
  JSON.parse(read("package.json"))

const item = (title: string, id: string, text: string): string =>
  `- [${title}](${homepage.replace(/\/$/, "")}/${id}/)${text === "" ? "" : `: ${text}`}`

const guides = made()

const head = `# Quartet\n\n> ${description}\n`

const families = [...new Set(calls.map(({ family }) => family))]

/** What there is to read, with an address for each page. */
const list = (): string => {
  const sections = (["Start", "Guides", "Reference", "Project"] as const).map((group) => {
    const pages = guides.filter((guide) => guide.group === group)
    return `## ${group}\n\n${pages.map((page) => item(page.title, page.id, page.description)).join("\n")}\n`
  })
  const ofFamily = (family: string): string => {
    const own = calls.filter((call) => call.family === family)
    return `### ${family}\n\n${own.map((call) => item(call.key, call.id, call.summary)).join("\n")}\n`
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
    ...calls.map(entry)
  ].join("\n")

/** Both, by the names of their files. */
export const texts: ReadonlyMap<string, string> = new Map([
  ["llms.txt", list()],
  ["llms-full.txt", full()]
])
