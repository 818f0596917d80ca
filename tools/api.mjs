// The reports of the packages' public interfaces: `npm run api` writes one for each into `api`, from what is built, and with --check it
// only says whether that is what is committed. A change of a report in a review is a change for users.
//
// API Extractor reads the declarations of one entry. All entries share one program, or each would take seconds; what several of a package
// export stands once, where it is met first.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, posix } from "node:path"
import { CompilerState, Extractor, ExtractorConfig } from "@microsoft/api-extractor"
import { importSource, root } from "./sources.mjs"

const { entriesOf, published } = await importSource("packages/support/workspaces.ts")

/** The declarations of the packages: each entry with its file, by one name, the shortest. */
const packages = published.map(({ folder, manifest }) => {
  const home = posix.join(folder, "dist")
  const files = entriesOf({ folder, manifest }).map(({ name, source }) => [
    join(root, home, posix.relative(folder, source).replace(/\.tsx?$/, ".d.ts")),
    `./${posix.relative(manifest.name, name)}`.replace(/^\.\/$/, ".")
  ])
  const sorted = files.toSorted(([, left], [, right]) => right.length - left.length)
  return { name: manifest.name, manifest: join(root, folder, "package.json"), named: [...new Map(sorted)] }
})
const all = packages.flatMap(({ manifest, named }) => named.map(([file]) => ({ file, manifest })))

const silent = { default: { logLevel: "none" } }

const configs = (folder) =>
  all.map(({ file, manifest }, index) =>
    ExtractorConfig.prepare({
      configObject: {
        projectFolder: root,
        mainEntryPointFilePath: file,
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
            files: all.map(({ file }) => file)
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

/** Writes the reports of all entries, and answers their texts by the entries' files. */
const extract = () => {
  mkdirSync(join(root, ".cache"), { recursive: true })
  const folder = mkdtempSync(join(root, ".cache", "api-"))
  try {
    const prepared = configs(folder)
    const compilerState = CompilerState.create(prepared[0], {
      additionalEntryPoints: prepared.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath)
    })
    const texts = prepared.map((config) => {
      Extractor.invoke(config, {
        compilerState,
        localBuild: true,
        messageCallback: (message) => {
          if (message.logLevel === "error")
            throw new Error(`${config.mainEntryPointFilePath}: ${message.text}`)
          message.handled = true
        }
      })
      return [config.mainEntryPointFilePath, readFileSync(config.reportFilePath, "utf8")]
    })
    return new Map(texts)
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

/** An entry for packages that extend this one. */
const isForSiblings = (name) => /^\.\/extend(\/|$)/.test(name)

/** The report of one package. */
const page = ({ name: packageName, named }, texts) => {
  // What an entry collects from others stands at those: the innermost first, and those that hold namespaces last. What apps have is theirs.
  const rankOf = ([file, name]) => [
    Number(isForSiblings(name)),
    Number(texts.get(file).includes("\ndeclare namespace ")),
    -name.split("/").length
  ]
  const order = named
    .map((entry) => ({ file: entry[0], rank: rankOf(entry), name: entry[1] }))
    .sort((left, right) => {
      const at = left.rank.findIndex((part, index) => part !== right.rank[index])
      return at < 0 ? (left.name < right.name ? -1 : 1) : left.rank[at] - right.rank[at]
    })
  const known = new Set()
  const sections = new Map()
  // A namespace, which collects the names of other entries, is none more.
  const count = { apps: 0, siblings: 0 }
  for (const { file, name } of order) {
    const declarations = declarationsIn(texts.get(file))
    const names = namesIn(declarations)
    const fresh = declarations
      .map(plain)
      .filter(
        (declaration) => !known.has(declaration.replace(/^export /, "")) && !/^export \{/.test(declaration)
      )
    for (const declaration of fresh) known.add(declaration.replace(/^export /, ""))
    const code = fresh.length === 0 ? "" : `\n\`\`\`ts\n${fresh.join("\n\n")}\n\`\`\`\n`
    sections.set(name, `## ${name}\n\n${names.join(", ")}\n${code}`)
    count[isForSiblings(name) ? "siblings" : "apps"] += [...fresh.join("\n\n").matchAll(exported)].length
  }
  const below =
    count.siblings === 0 ? "" : `, and ${count.siblings} more below /extend, for packages that extend it`
  const head =
    `# The public interface of ${packageName}\n\n${count.apps} public names for apps${below}.\n\n` +
    "What each entry exports, and each declaration once, at the smallest entry that has it. Written by `npm run api`.\n"
  const inOrder = [...sections]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, section]) => section)
  return [head, ...inOrder].join("\n")
}

const isCheck = process.argv.includes("--check")
const texts = extract()
const reports = new Map(
  packages.map((workspace) => [`${workspace.name.replace(/^.*\//, "")}.md`, page(workspace, texts)])
)
const folder = join(root, "api")
mkdirSync(folder, { recursive: true })
for (const [file, text] of reports) {
  const path = join(folder, file)
  if (existsSync(path) && readFileSync(path, "utf8") === text) continue
  if (isCheck) {
    console.error(
      `api/${file} is not what is built: run \`npm run api\`, and look at what changes for users.`
    )
    process.exitCode = 1
  } else {
    writeFileSync(path, text)
    console.info(`written: api/${file}`)
  }
}
for (const file of readdirSync(folder).filter((file) => !reports.has(file))) {
  if (isCheck) {
    console.error(`api/${file} is the report of no package: run \`npm run api\`.`)
    process.exitCode = 1
  } else rmSync(join(folder, file))
}
