/** Writes docs/specification.md from the trace. */
import { edits, entities } from "@quartet/support/statement-edits.js"
import { statements } from "./statements.js"
import { texts } from "./texts.js"
import { type Place, type Traced, tags, trace } from "./trace.js"

/** Text escaped for a table cell. */
export const cell = (text: string): string =>
  text.replaceAll(/[\\`*_<|]/g, (mark) => (mark === "<" ? "&lt;" : `\\${mark}`))

const link = (file: string): string => `[${file}](../${file})`

/** A test's titles as a sentence; the variable part of a case is shown as …, and omitted if it is the whole title. */
const sentence = (titles: string): string => {
  const shown = titles.split(" > ").map((title) => title.replaceAll(/\$\w+|%[sjdo]/g, "…"))
  return cell(shown.filter((title) => title !== "…").join(" › "))
}

/** Places, each file once. */
const grouped = (places: ReadonlyArray<Place>, show: (name: string) => string, between: string): string => {
  const files = [...new Set(places.map(({ file }) => file))]
  const namesIn = (file: string) => places.flatMap((place) => (place.file === file ? [show(place.name)] : []))
  return files.map((file) => `${link(file)}: ${namesIn(file).join(between)}`).join("<br>")
}

/** The calls of a statement, and the files that declare and offer them. */
const ofCalls = (calls: Traced["calls"]): string => {
  const files = new Set([...calls.map(({ operation }) => operation.file), ...calls.map(({ bound }) => bound)])
  return `${calls.map(({ id }) => `\`${id}\``).join(", ")}<br>${[...files].map(link).join(", ")}`
}

/** The edits that break a statement, each in words. */
const brokenBy = ({ calls, id }: Traced): string =>
  [
    ...(calls.length > 0 || id === entities ? ["each of the calls is at another address"] : []),
    ...edits.flatMap(({ name, statement }) => (statement === id ? [cell(name.slice(id.length + 1))] : []))
  ].join("<br>")

const lineOf = (row: Traced): string => {
  const { calls, code, id, note, tests, text } = row
  const said = note === undefined ? cell(text) : `${cell(text)}<br>*${note.replaceAll("|", "\\|")}*`
  const where = calls.length > 0 ? ofCalls(calls) : grouped(code, (name) => `\`${name}\``, ", ")
  return `| ${calls.length > 0 ? "" : id} | ${said} | ${where} | ${grouped(tests, sentence, "; ")} | ${brokenBy(row)} |`
}

/** Where a date-time stays text: the declared text fields of each model. */
const textFields = (): string => {
  const rows = Array.from(
    texts,
    ([model, fields]) => `| \`${model}\` | ${fields.map((field) => `\`${field}\``).join(", ")} |`
  )
  return [
    "## Text that stays text\n",
    'Statement 1.8 says "any response string". One kind of string is excepted: a field that its model declares as text is text, whatever it ' +
      "holds, so that its type is true. A title, a name or a message that reads like a date-time is not a date. These are all such fields; " +
      "`[]` stands for the items of a list. A date-time in any other field, declared as a date or not declared at all, becomes a `Date`.\n",
    `| model | fields that are text |\n|---|---|\n${rows.join("\n")}\n`
  ].join("\n")
}

/** The page as it stands in docs/. */
export const page = (): string => {
  const calls = trace.reduce((sum, row) => sum + row.calls.length, 0)
  const tables = [...new Set(statements.map(({ section }) => section))].map((section) => {
    const rows = trace.filter((row) => row.section === section).map(lineOf)
    const title = section === "" ? "The product" : section
    return `## ${title}\n\n| | statement | where it lives | what proves it | what it notices |\n|---|---|---|---|---|\n${rows.join("\n")}\n`
  })
  return [
    "# The specification, statement by statement\n",
    "Each sentence, bullet and table row of [the specification](../spec/specification.txt), where it lives, and which tests prove it: " +
      `${trace.length} statements, ${calls} calls, ${tags.length} tests. Written by \`npm run generate\` from the comments ` +
      "`// Spec 3.2` above the tests, [the list of places](../tools/specification/places.ts) and the platform's " +
      "[list of calls](../spec/calls.json). [test/docs/specification.test.ts](../test/docs/specification.test.ts) proves that no " +
      "statement is left out or without a test, and that no tag and no export named here is missing. " +
      "The last column breaks the statement in the sources: `npm run mutants:statements` sees that each of the tests beside it " +
      "then fails with one of these edits, which stand in " +
      "[spec/statements.diff](../spec/statements.diff). " +
      "Entries in italics say how an open statement is read.\n",
    ...tables,
    textFields()
  ].join("\n")
}
