/** The exports of the packages' entries with their docstrings. */
import { posix } from "node:path"
import { exists, read } from "@quartet/support/files.js"
import { entriesOf, published } from "@quartet/support/workspaces.js"
import { isNode, type Node, nameOf, nodesIn, parse } from "../../tools/specification/syntax.js"

/** One public name: the file that declares it, and its docstrings, of a value and of a type. */
export interface Exported {
  readonly file: string
  readonly name: string
  readonly docstrings: ReadonlyArray<string>
}

/** The source files of the packages' entries for apps; the others are for packages that extend them. */
export const entries: ReadonlyArray<string> = published
  .flatMap(entriesOf)
  .flatMap(({ name, source }) => (/\/extend\b/.test(name) ? [] : [source]))

const namesOf = (declaration: Node): ReadonlyArray<string> =>
  declaration.type === "VariableDeclaration"
    ? nodesIn(declaration.declarations).map(({ id }) => nameOf(id))
    : [nameOf(declaration.id)]

const docstringBefore = (source: string, start: number): string =>
  /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(source.slice(0, start))?.[0] ?? ""

const targetOf = (file: string, specifier: unknown): string | undefined => {
  const target = posix.join(posix.dirname(file), nameOf(specifier)).replace(/\.js$/, ".ts")
  return isNode(specifier) && nameOf(specifier).startsWith(".") && exists(target) ? target : undefined
}

/** Where a name of a file is declared: here, or in the file that it is imported or exported from. */
const declared = (file: string, name: string): Exported => {
  const source = read(file)
  const docstrings: Array<string> = []
  for (const statement of parse(source)) {
    const declaration = isNode(statement.declaration) ? statement.declaration : statement
    const from = targetOf(file, statement.source)
    if (from !== undefined)
      for (const specifier of nodesIn(statement.specifiers)) {
        if (specifier.type === "ImportNamespaceSpecifier") continue
        const isImport = statement.type === "ImportDeclaration"
        if (nameOf(isImport ? specifier.local : specifier.exported) !== name) continue
        const there = nameOf(isImport ? specifier.imported : specifier.local)
        return declared(from, there)
      }
    // What comes from another package is told where it is exported.
    else if (nodesIn(statement.specifiers).some(({ exported }) => nameOf(exported) === name))
      docstrings.push(docstringBefore(source, Number(statement.start)))
    else if ("id" in declaration || declaration.type === "VariableDeclaration")
      if (namesOf(declaration).includes(name))
        docstrings.push(docstringBefore(source, Number(statement.start)))
  }
  return { file, name, docstrings }
}

const seen = new Set<string>()

/** The names that a file exports; of a module that it exports under a name, the names of that module. */
const exportedBy = (file: string): ReadonlyArray<Exported> => {
  if (seen.has(file)) return []
  seen.add(file)
  const statements = parse(read(file))
  const namespaces = new Map(
    statements.flatMap((statement) => {
      const target = statement.type === "ImportDeclaration" ? targetOf(file, statement.source) : undefined
      return target === undefined
        ? []
        : nodesIn(statement.specifiers)
            .filter(({ type }) => type === "ImportNamespaceSpecifier")
            .map(({ local }) => [nameOf(local), target] as const)
    })
  )
  return statements.flatMap((statement) => {
    if (statement.type === "ExportAllDeclaration") {
      const target = targetOf(file, statement.source)
      return target === undefined ? [] : exportedBy(target)
    }
    if (statement.type !== "ExportNamedDeclaration") return []
    // What another package declares is documented there.
    if (isNode(statement.source) && nameOf(statement.source).startsWith("@quartet/")) return []
    const names = isNode(statement.declaration)
      ? namesOf(statement.declaration)
      : nodesIn(statement.specifiers).map(({ exported, local }) =>
          isNode(statement.source) ? nameOf(exported) : nameOf(local)
        )
    return names.flatMap((name) => {
      const module = namespaces.get(name)
      return module === undefined ? [declared(file, name)] : exportedBy(module)
    })
  })
}

/** All public names, each declaration once. */
export const exported: ReadonlyArray<Exported> = [
  ...new Map(
    entries
      .flatMap(exportedBy)
      .map((declaration) => [`${declaration.file} ${declaration.name}`, declaration] as const)
  ).values()
]
