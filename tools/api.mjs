// The report of the package's public interface: `npm run api` writes api/report.md from what is built, and with --check it
// only says whether that is what is committed. A change of the report in a review is a change for users.
//
// API Extractor reads the declarations of one entry. The entries share one program, or each would take seconds; what several
// of them export stands once, where it is met first.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { CompilerState, Extractor, ExtractorConfig } from "@microsoft/api-extractor"

const root = fileURLToPath(new URL("../", import.meta.url))
const report = join(root, "api", "report.md")
const manifest = join(root, "package.json")

/** The entries by name, each with its file; `*` stands for each file or folder that is there. */
const entries = Object.entries(JSON.parse(readFileSync(manifest, "utf8")).exports).flatMap(
  ([name, { types }]) => {
    if (types === undefined) return []
    const [folder, rest] = types.split("*")
    if (rest === undefined) return [[name, types]]
    return readdirSync(join(root, folder))
      .filter((one) =>
        rest.startsWith("/") ? existsSync(join(root, folder, one, rest)) : one.endsWith(rest)
      )
      .sort()
      .map((one) => {
        const stem = rest.startsWith("/") ? one : one.slice(0, -rest.length)
        return [name.replace("*", stem), `${folder}${stem}${rest}`]
      })
  }
)

/** One name for each file: the shortest. */
const named = [
  ...new Map(
    entries.toSorted(([one], [other]) => other.length - one.length).map(([name, file]) => [file, name])
  )
]

const silent = { default: { logLevel: "none" } }

const configs = (folder) =>
  named.map(([file], index) =>
    ExtractorConfig.prepare({
      configObject: {
        projectFolder: root,
        mainEntryPointFilePath: join(root, file),
        newlineKind: "lf",
        compiler: {
          overrideTsconfig: {
            compilerOptions: {
              target: "es2022",
              lib: ["es2022", "DOM", "DOM.Iterable", "ESNext.Disposable"],
              module: "nodenext",
              jsx: "react-jsx",
              types: ["node"],
              strict: true,
              skipLibCheck: true
            },
            files: named.map(([file]) => join(root, file))
          }
        },
        apiReport: {
          enabled: true,
          reportFolder: folder,
          reportTempFolder: folder,
          reportFileName: `${index}.api.md`
        },
        docModel: { enabled: false },
        dtsRollup: { enabled: false },
        tsdocMetadata: { enabled: false },
        messages: {
          compilerMessageReporting: silent,
          extractorMessageReporting: silent,
          tsdocMessageReporting: silent
        }
      },
      configObjectFullPath: undefined,
      packageJsonFullPath: manifest
    })
  )

/** Writes the reports of all entries, and answers their texts in the entries' order. */
const extract = () => {
  mkdirSync(join(root, ".cache"), { recursive: true })
  const folder = mkdtempSync(join(root, ".cache", "api-"))
  try {
    const all = configs(folder)
    const compilerState = CompilerState.create(all[0], {
      additionalEntryPoints: all.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath)
    })
    return all.map((config) => {
      Extractor.invoke(config, {
        compilerState,
        localBuild: true,
        messageCallback: (message) => {
          if (message.logLevel === "error")
            throw new Error(`${config.mainEntryPointFilePath}: ${message.text}`)
          message.handled = true
        }
      })
      return readFileSync(config.reportFilePath, "utf8")
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The declarations of a report, without imports and marks. */
const declarationsIn = (text) =>
  text
    .slice(text.indexOf("```ts") + 5, text.lastIndexOf("```"))
    .trim()
    .split(/\n\n(?=\/\/ @|\/\/ \(|export |declare |import )/)
    .filter((block) => !/^(import |\/\/ \()/.test(block))
    .map((block) => block.replace(/^\/\/ @.*\n/, "").trim())

/** Without the numbers that tell names of one entry apart: they change with each name that comes or goes. */
const plain = (text) => text.replaceAll(/\b([A-Za-z]\w*?)_\d+\b/g, "$1").replaceAll(/\b(\w+) as \1\b/g, "$1")

const exported =
  /^export (?:default |declare |abstract )*(?:const|let|type|interface|class|function|enum) (\w+)/gm

/** The pairs of a list of names: the one here, and the one outside. */
const pairsIn = (list) => list.split(",").map((pair) => pair.trim().split(" as "))

/** The names that an entry exports. Its namespaces bear no mark: they are those that no other one holds. */
const namesIn = (declarations) => {
  const spaces = declarations.flatMap((text) => {
    const [, name, list] = /^declare namespace (\w+) \{\s*export \{([^}]*)\}/.exec(text) ?? []
    return name === undefined ? [] : [{ name, inner: pairsIn(list).map(([here]) => here) }]
  })
  const inner = new Set(spaces.flatMap(({ inner }) => inner))
  const text = declarations.join("\n\n")
  const names = [
    ...[...text.matchAll(exported)].map(([, name]) => name),
    ...[...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list]) =>
      pairsIn(list).map((pair) => pair.at(-1))
    ),
    ...spaces.map(({ name }) => name).filter((name) => !inner.has(name))
  ]
  return [...new Set(names)].map(plain).sort()
}

const page = () => {
  const texts = extract()
  // What an entry collects from others stands at those: the innermost first, and those that hold namespaces last.
  const rankOf = ([, name], index) => [
    Number(texts[index].includes("\ndeclare namespace ")),
    -name.split("/").length
  ]
  const order = named
    .map((entry, index) => ({ index, rank: rankOf(entry, index), name: entry[1] }))
    .sort(
      (one, other) =>
        one.rank[0] - other.rank[0] || one.rank[1] - other.rank[1] || (one.name < other.name ? -1 : 1)
    )
  const known = new Set()
  const sections = new Map()
  for (const { index, name } of order) {
    const declarations = declarationsIn(texts[index])
    const names = namesIn(declarations)
    const fresh = declarations
      .map(plain)
      .filter((one) => !known.has(one.replace(/^export /, "")) && !/^export \{/.test(one))
    for (const one of fresh) known.add(one.replace(/^export /, ""))
    const code = fresh.length === 0 ? "" : `\n\`\`\`ts\n${fresh.join("\n\n")}\n\`\`\`\n`
    sections.set(name, `## ${name}\n\n${names.join(", ")}\n${code}`)
  }
  const all = [...sections].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, section]) => section)
  const head =
    "# The public interface\n\nWhat each entry of the package exports, and each declaration once, at the smallest entry that has it. " +
    "Written by `npm run api`.\n"
  return `${[head, ...all].join("\n")}`
}

const text = page()
const isSame = existsSync(report) && readFileSync(report, "utf8") === text
if (process.argv.includes("--check")) {
  if (!isSame) {
    console.error(
      "api/report.md is not what is built: run `npm run api`, and look at what changes for users."
    )
    process.exitCode = 1
  }
} else if (!isSame) {
  mkdirSync(join(root, "api"), { recursive: true })
  writeFileSync(report, text)
  console.info("written: api/report.md")
}
