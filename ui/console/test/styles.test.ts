/** The console's styles are utilities of its theme: TypeScript knows none by name, so these tests do. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { compile } from "tailwindcss"
import { expect, test } from "vitest"

const root = new URL("../../../ui/console/", import.meta.url).pathname

const filesOf = (extension: string): ReadonlyArray<string> =>
  readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(extension))

const matches = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? "")

/** The classes that a sheet has rules for, of its own. */
const ownClasses = (sheet: string): ReadonlyArray<string> =>
  matches(sheet.replaceAll(/\/\*[\s\S]*?\*\/|"[^"]*"/g, ""), /\.([a-z][\w-]*)/gi)

test("no sheet has a class of its own, beside the utilities", () => {
  const sheets = filesOf(".css")
  expect(sheets).toContain("design/base.css")
  expect(sheets.flatMap((path) => ownClasses(readFileSync(join(root, path), "utf8")))).toEqual([])
})

test("a class of its own is found in a sheet, and none in a comment, a path or a number", () => {
  const sheet = `@import "./x.css"; /* .no */ p { margin: 0.5rem } p:has(> .wide) { & .deep { color: red } }`
  expect(ownClasses(sheet)).toEqual(["wide", "deep"])
})

/** The classes that components name: in `className`, or in a constant whose name ends in `Class`. */
const classesOf = (code: string): ReadonlyArray<string> =>
  matches(code, /(?:className=|\w+Class = ?)("[^"]*"|\{(?:[^{}]|\{[^{}]*\})*\}|[^=]*?\n\n)/g)
    // What is compared with a text is no class.
    .map((match) => match.replaceAll(/[!=]== "[^"]*"/g, ""))
    .flatMap((match) => [
      ...matches(match, /"([^"]*)"/g),
      ...matches(match, /`([^`]*)`/g).map((text) => text.replaceAll(/\$\{[^}]*\}/g, " "))
    ])
    .flatMap((text) => text.split(/\s+/))
    .filter(Boolean)

/** The sheets that say what utilities there are. */
const sheetsOfUtilities = filesOf(".css").filter((path) => !/(base|index)\.css$/.test(path))

/** Of some classes, those that are no utility of the theme: nothing would come of them. */
const unknown = async (classes: Iterable<string>): Promise<ReadonlyArray<string>> => {
  const { build } = await compile(
    `${sheetsOfUtilities.map((path) => readFileSync(join(root, path), "utf8")).join("\n")} @tailwind utilities;`
  )
  let css = build([])
  return [...new Set(classes)].filter((name) => {
    const before = css
    css = build([name])
    return css === before
  })
}

test("every class that a component names is a utility of the theme", async () => {
  const classes = filesOf(".tsx").flatMap((path) => classesOf(readFileSync(join(root, path), "utf8")))
  expect(await unknown(classes)).toEqual([])
})

test("a class that is no utility of the theme is found, wherever it stands", async () => {
  const component = `const rowClass = "flex p-1 bg-teal"

    export const A = () => <p className="text-ink flexx" />
    export const B = (wide) => <p className={\`\${rowClass} \${wide === "far" ? "max-md:grid" : "gapp-2"} pp-1\`} />`
  expect(await unknown(classesOf(component))).toEqual(["bg-teal", "flexx", "gapp-2", "pp-1"])
})
