/** Writes docs/specification.md from the trace. */
import { statements } from "./statements.js"
import type { Place } from "./trace/row.js"
import { ledger, type Traced, trace } from "./trace.js"

/** The file and the name or the titles of a place. */
export const partsOf = (place: Place): { readonly file: string; readonly name: string } => {
  const at = place.indexOf("#")
  return { file: place.slice(0, at), name: place.slice(at + 1) }
}

/** Text that stands in a cell of a table as it is. */
export const cell = (text: string): string =>
  text.replaceAll(/[\\`*_<|]/g, (mark) => (mark === "<" ? "&lt;" : `\\${mark}`))

const link = (file: string): string => `[${file}](../${file})`

/** The ledger's one title stands for all calls, transports and forms. */
const ledgerSays = "each call is on the wire as stated, over fetch and undici, as an Effect and as a Promise"

/** A test's titles as a sentence; what changes from case to case is shown as …, and left out where it is all. */
const sentence = (titles: string): string => {
  if (titles === partsOf(ledger).name) return ledgerSays
  const shown = titles.split(" > ").map((title) => title.replaceAll(/\$\w+|%[sjdo]/g, "…"))
  return cell(shown.filter((title) => title !== "…").join(" › "))
}

/** Places, each file once. */
const grouped = (places: ReadonlyArray<Place>, show: (name: string) => string, between: string): string => {
  const files = new Map<string, Array<string>>()
  for (const place of places) {
    const { file, name } = partsOf(place)
    files.set(file, [...(files.get(file) ?? []), show(name)])
  }
  return [...files].map(([file, names]) => `${link(file)}: ${names.join(between)}`).join("<br>")
}

/** The calls of a statement, and the files that declare and offer them. */
const ofCalls = (calls: Traced["calls"]): string => {
  const files = new Set([...calls.map(({ found }) => found.file), ...calls.map(({ bound }) => bound)])
  return `${calls.map(({ id }) => `\`${id}\``).join(", ")}<br>${[...files].map(link).join(", ")}`
}

const lineOf = ({ calls, code, note, says, tests }: Traced): string => {
  const said = note === undefined ? cell(says) : `${cell(says)}<br>*${note.replaceAll("|", "\\|")}*`
  const where = calls.length > 0 ? ofCalls(calls) : grouped(code, (name) => `\`${name}\``, ", ")
  return `| ${said} | ${where} | ${grouped(tests, sentence, "; ")} |`
}

/** The rows of each section, in order. */
const sections = (): ReadonlyMap<string, ReadonlyArray<Traced>> => {
  const found = new Map<string, Array<Traced>>()
  for (const [index, row] of trace.entries()) {
    const section = statements[index]?.section ?? ""
    found.set(section, [...(found.get(section) ?? []), row])
  }
  return found
}

/** The page as it stands in docs/. */
export const page = (): string => {
  const calls = trace.reduce((sum, row) => sum + row.calls.length, 0)
  const tests = new Set(trace.flatMap((row) => row.tests)).size
  const tables = [...sections()].map(([section, rows]) => {
    const title = section === "" ? "The product" : section
    return `## ${title}\n\n| statement | where it lives | what proves it |\n|---|---|---|\n${rows.map(lineOf).join("\n")}\n`
  })
  return [
    "# The specification, statement by statement\n",
    "Each sentence, bullet and table row of the specification, where it lives, and which tests prove it: " +
      `${trace.length} statements, ${calls} calls, ${tests} tests. Written by \`npx vitest run test/docs -u\` from ` +
      "[test/docs/trace](../test/docs/trace); [test/docs/specification.test.ts](../test/docs/specification.test.ts) proves that no " +
      "statement of [the text](../test/docs/specification.txt) is left out, and that every export and test named here exists. " +
      "Entries in italics say how an open statement is read.\n",
    ...tables
  ].join("\n")
}
