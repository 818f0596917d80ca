/**
 * What files import, and the rules that this keeps: the walls between the packages, and the layers inside of them. A package's face is
 * its `exports`; the sources of a package import what its manifest names.
 */
import { posix } from "node:path"
import { parseSync, Visitor } from "oxc-parser"
import { exists, read } from "./files.js"
import { entriesOf, type Workspace, workspaceOf, workspaces } from "./workspaces.js"

export interface Import {
  readonly line: number
  readonly specifier: string
}

/** What is called with a text that leads to a module: a mock's module, or an address from the file's own. */
const leads =
  /^(?:vi\.(?:mock|doMock|importActual)|import\.meta\.resolve|(?:createRequire\(.*\)|require)(?:\.resolve)?)$/

/** The text that a node is, where nothing is put together in it. */
const textOf = (node: object): unknown => {
  if ("value" in node) return node.value
  const [only, ...more] = "quasis" in node && Array.isArray(node.quasis) ? node.quasis : []
  return more.length === 0 ? only?.value.cooked : undefined
}

/** Every import of a file: of values and types, static and dynamic, and what is exported from elsewhere. */
const importsIn = (file: string, code: string): ReadonlyArray<Import> => {
  const { program } = parseSync(file, code)
  const imports: Array<Import> = []
  const add = (source: object | null | undefined, mayBeNoModule = false): void => {
    if (source === null || source === undefined || !("start" in source)) return
    const { start } = source
    const value = textOf(source)
    if (typeof value !== "string" || typeof start !== "number") return
    if (mayBeNoModule && !/\.[cm]?[jt]sx?$/.test(value)) return
    imports.push({ line: code.slice(0, start).split("\n").length, specifier: value })
  }
  new Visitor({
    ImportDeclaration: ({ source }) => add(source),
    ExportNamedDeclaration: ({ source }) => add(source),
    ExportAllDeclaration: ({ source }) => add(source),
    ImportExpression: ({ source }) => add(source),
    TSImportType: ({ source }) => add(source),
    CallExpression: ({ arguments: [first], callee: { start, end } }) => {
      if (leads.test(code.slice(start, end))) add(first)
    },
    TSExternalModuleReference: ({ expression }) => add(expression),
    NewExpression: ({ arguments: [first, base], callee: { start, end } }) => {
      if (
        code.slice(start, end) === "URL" &&
        base !== undefined &&
        /^import\.meta\.url$/.test(code.slice(base.start, base.end))
      )
        add(first, true)
    }
  }).visit(program)
  return imports
}

const rooms = ["errors", "operation", "codec", "redaction", "dispatch", "session"]

/** What no file imports: each rule is matched against the file and what it imports, `core/users/operations.ts core/kernel/x.js`. */
const layers: ReadonlyArray<readonly [why: string, refused: RegExp]> = [
  [
    "Core imports nothing but Effect's modules (effect/Effect) and core itself. The layers point one way: core <- adapters <- clients.",
    /^core\/\S+ (?!core\/|effect\/)/
  ],
  [
    "A slice of core may import kernel, ports, permissions and another slice's model.js; never its operations or flows.",
    /^core\/(?!kernel\/|ports\/|permissions\/)([^/ ]+)\/\S+ core\/(?!\1\/|kernel\/|ports\/|permissions\/|[^/]+\/model\.js$)/
  ],
  [
    "Ports and permissions carry everything else of core, the kernel the slices: neither imports what it carries.",
    /^core\/(?:kernel\/\S+ core\/(?!kernel\/|ports\/|permissions\/)|(ports|permissions)\/\S+ core\/(?!\1\/))/
  ],
  ["A file of the kernel stands in one of its rooms.", /^core\/kernel\/[^/ ]+ /],
  [
    `The rooms of the kernel import one way: ${rooms.join(" <- ")}.`,
    new RegExp(
      rooms
        .slice(0, -1)
        .map((room, at) => `^core/kernel/${room}/\\S+ core/kernel/(?:${rooms.slice(at + 1).join("|")})/`)
        .join("|")
    )
  ],
  [
    "Adapters never import clients. The layers point one way: core <- adapters <- clients.",
    /^adapters\/\S+ clients\//
  ],
  ["A client reaches the world through an adapter.", /^clients\/\S+ (?:node:|undici|socket\.io)/],
  [
    "An example imports the packages by their names, as their users do.",
    /^examples\/\S+ (?:core|adapters|clients|ui|packages|tools|test|site|spec)\//
  ],
  [
    "The console's pages know no sandbox, and of the fleet what it serves over HTTP.",
    /^ui\/console\/(?!(?:sandbox|serve|vite\.config)\.ts |test\/)\S+ @quartet\/(?:sandbox|fleet(?!\/http$))/
  ],
  [
    "The console's design knows neither the platform nor the console.",
    /^ui\/console\/design\/\S+ (?!ui\/console\/design\/|(?:react|react-dom|@swan-io\/chicane|react-aria-components|@internationalized\/date)$)/
  ],
  [
    "The console's kit stands behind its design: views import the components there.",
    /^ui\/console\/(?!design\/)\S+ (?:react-aria|react-stately|@react-aria|@react-stately|@internationalized)\b/
  ]
]

const sdkSources = /^(?:core|adapters|clients)\//

/** Whether a file is a package's own, and no test or tool of it. */
const isSource = (file: string, { folder, manifest }: Workspace): boolean =>
  folder === "."
    ? sdkSources.test(file)
    : manifest.name !== "@quartet/support" && !posix.relative(folder, file).startsWith("test/")

/** The package that a specifier names. */
const packageIn = (specifier: string): string | undefined =>
  /^(?:node:|[.#/])/.test(specifier) ? undefined : /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0]

/** Whether a manifest has an entry: one that is named, or of a pattern whose file is there. */
const hasEntry = ({ folder, manifest }: Workspace, entry: string): boolean => {
  const { exports = {} } = manifest
  if (entry in exports) return exports[entry] !== null
  return Object.entries(exports).some(([name, target]) => {
    const [before = "", after] = name.split("*")
    if (after === undefined || !entry.startsWith(before) || !entry.endsWith(after)) return false
    const part = entry.slice(before.length, entry.length - after.length)
    const files = JSON.stringify(target).match(/\.\/[^"]+\.tsx?/g) ?? []
    return files.some((path) => exists(posix.join(folder, path.replace("*", part))))
  })
}

const sourceAt = (path: string): string | undefined =>
  [path, path.replace(/\.js$/, ".ts"), path.replace(/\.js$/, ".tsx")].find(exists)

/** The files that a module exports from. */
const exportedFrom = (file: string): ReadonlyArray<string> =>
  parseSync(file, read(file)).module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => {
      const target = moduleRequest?.value ?? ""
      return target.startsWith(".") ? (sourceAt(posix.join(posix.dirname(file), target)) ?? []) : []
    })
  )

/** The entry of a package that leads to a file of it, or exports from it. */
const entryFor = (workspace: Workspace, file: string): string | undefined => {
  const all = entriesOf(workspace)
  const own = all.find(({ source }) => source === file)
  const reaches = (source: string): boolean => {
    const seen = new Set([source])
    for (const file of seen) for (const next of exportedFrom(file)) seen.add(next)
    return seen.has(file)
  }
  return (own ?? all.find(({ source }) => reaches(source)))?.name
}

const crossing = (own: Workspace, target: Workspace, path: string): string => {
  const entry = entryFor(target, sourceAt(path) ?? path)
  const way =
    entry === undefined ? `no entry of ${target.manifest.name} exports from it` : `import it from "${entry}"`
  return `${own.manifest.name} reaches into ${target.manifest.name} past its entries: ${way}`
}

/** What is wrong with an import; undefined of one that keeps the rules. */
const wrongOf = (file: string, specifier: string): string | undefined => {
  const own = workspaceOf(file)
  const isOwn = isSource(file, own)
  const path = specifier.startsWith(".") ? posix.join(posix.dirname(file), specifier) : specifier
  if (specifier.startsWith(".")) {
    const target = workspaceOf(path)
    if (target !== own) return crossing(own, target, path)
    if (isOwn && !isSource(path, own)) return "sources import neither tests nor tools"
  }
  const name = packageIn(specifier)
  const sibling = workspaces.find(({ manifest }) => manifest.name === name)
  if (sibling !== undefined && !hasEntry(sibling, `.${specifier.slice(name?.length)}`))
    return `${specifier} is no entry of ${sibling.manifest.name}: its "exports" are its face`
  if (isOwn && own.manifest.private !== true) {
    if (sibling === own) return "files of one package import each other by relative paths"
    if (specifier === "effect")
      return "import the module (effect/Effect), never the barrel: it doubles a bundle"
    const { bin, dependencies, devDependencies, optionalDependencies, peerDependencies } = own.manifest
    // The command line is a bundle: it holds what it is developed with.
    const runtime = { ...dependencies, ...optionalDependencies, ...peerDependencies }
    const all = { ...runtime, ...(bin === undefined ? {} : devDependencies) }
    if (name !== undefined && !(name in all))
      return `${own.manifest.name} has ${name} neither in its dependencies nor in its peers`
  }
  return layers.find(([, refused]) => refused.test(`${file} ${path}`))?.[0]
}

/** The imports of a file that break a rule, a line each: where it stands, what it imports, and why not. */
export const breachesIn = (file: string, code: string): ReadonlyArray<string> =>
  importsIn(file, code).flatMap(({ line, specifier }) => {
    const wrong = wrongOf(file, specifier)
    return wrong === undefined ? [] : [`${file}:${line} imports "${specifier}": ${wrong}`]
  })
