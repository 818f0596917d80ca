/** The console's CSS Modules: TypeScript knows no class by name, so these tests do. */
import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { compile } from "tailwindcss"
import { expect, test } from "vitest"

type Files = ReadonlyMap<string, string>

const matches = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? "")

/** What is wrong between components and their modules, a line a fault. */
const faults = (files: Files): ReadonlyArray<string> => {
  const found: Array<string> = []
  const declared = new Map<string, ReadonlySet<string>>()
  const used = new Map<string, Set<string>>()
  for (const [path, text] of files) {
    const rules = text.replaceAll(/\/\*[\s\S]*?\*\//g, "")
    if (!path.endsWith(".module.css")) {
      if (path.endsWith(".css") && /\.[a-z]/i.test(rules.replaceAll(/"[^"]*"/g, "")))
        found.push(`${path}: a global class`)
      continue
    }
    if ([...declared.keys()].some((other) => basename(other) === basename(path)))
      found.push(`${path}: a second module of this name`)
    if (!rules.trim().startsWith(path.startsWith("design/") ? "@layer parts {" : "@layer views {"))
      found.push(`${path}: outside of its layer`)
    declared.set(path, new Set(matches(rules, /\.([a-z][\w-]*)/gi)))
    used.set(path, new Set())
  }
  for (const [path, text] of files) {
    if (!path.endsWith(".tsx")) continue
    const code = text.replaceAll(/ from ".*"$/gm, "")
    for (const [, name = "", specifier = ""] of text.matchAll(/^import (\w+) from "(.*\.module\.css)"$/gm)) {
      const module = join(path, "..", specifier)
      if (new RegExp(`\\b${name}\\[`).test(text)) found.push(`${path}: a computed class of ${name}`)
      for (const one of matches(code, new RegExp(`\\b${name}\\.(\\w+)`, "g"))) {
        used.get(module)?.add(one)
        if (declared.get(module)?.has(one) !== true) found.push(`${path}: no class ${one} in ${specifier}`)
      }
    }
  }
  for (const [path, names] of declared)
    for (const name of names)
      if (used.get(path)?.has(name) !== true) found.push(`${path}: nothing uses ${name}`)
  return found
}

const root = new URL("../../../ui/console/", import.meta.url).pathname

test("every class that a component uses is in its module, and every class in a module is used", () => {
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.(css|tsx)$/.test(path)
  )
  expect(paths.length).toBeGreaterThan(40)
  expect(faults(new Map(paths.map((path) => [path, readFileSync(join(root, path), "utf8")])))).toEqual([])
})

test("a class that is missing, unused, global or computed is found", () => {
  const component = `import styles from "./a.module.css"
    export const A = () => <p className={styles.there}><b className={styles.gone} /></p>
    export const B = (name) => <p className={styles[name]} />`
  expect(
    faults(
      new Map([
        ["design/a.tsx", component],
        [
          "design/a.module.css",
          "/* .no */ @layer parts { .there { margin: 0.5rem } & .idle { color: red } }"
        ],
        ["views/a.module.css", ".there { color: red }"],
        ["design/base.css", '@import "./x.css"; p { margin: 0.5rem } .wide { width: 100% }']
      ])
    )
  ).toEqual([
    "views/a.module.css: a second module of this name",
    "views/a.module.css: outside of its layer",
    "design/base.css: a global class",
    "design/a.tsx: a computed class of styles",
    "design/a.tsx: no class gone in ./a.module.css",
    "design/a.module.css: nothing uses idle",
    "views/a.module.css: nothing uses there"
  ])
})

/** The classes that components name: in `className`, or in a constant whose name ends in `Class`. */
const classesOf = (code: string): ReadonlyArray<string> =>
  matches(code, /(?:className=|\w+Class = ?)("[^"]*"|\{(?:[^{}]|\{[^{}]*\})*\}|[^=]*?\n\n)/g)
    .flatMap((found) => [
      ...matches(found, /"([^"]*)"/g),
      ...matches(found, /`([^`]*)`/g).map((text) => text.replaceAll(/\$\{[^}]*\}/g, " "))
    ])
    .flatMap((text) => text.split(/\s+/))
    .filter(Boolean)

/** Of some classes, those that are no utility of the theme: nothing would come of them. */
const unknown = async (classes: Iterable<string>): Promise<ReadonlyArray<string>> => {
  const { build } = await compile(
    `${readFileSync(join(root, "design/theme.css"), "utf8")} @tailwind utilities;`
  )
  let css = build([])
  return [...new Set(classes)].filter((name) => {
    const before = css
    css = build([name])
    return css === before
  })
}

test("every class that a component names is a utility of the theme", async () => {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".tsx")
  )
  const classes = files.flatMap((path) => classesOf(readFileSync(join(root, path), "utf8")))
  expect(await unknown(classes)).toEqual([])
})

test("a class that is no utility of the theme is found, wherever it stands", async () => {
  const component = `const rowClass = "flex p-1 bg-teal"

    export const A = () => <p className="text-ink flexx" />
    export const B = (wide) => <p className={\`\${rowClass} \${wide ? "max-md:grid" : "gapp-2"} pp-1\`} />`
  expect(await unknown(classesOf(component))).toEqual(["bg-teal", "flexx", "gapp-2", "pp-1"])
})
