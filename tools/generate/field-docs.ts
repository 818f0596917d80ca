/** Finds the docstrings of the models' fields, for what shows fields at run time: their only source is the model's. */
import { filesIn, read } from "@quartet/support/files.js"
import { parseSync } from "oxc-parser"
import { moduleName } from "./operations.js"

/** A node of a source, by the fields that are read here. */
interface Node extends Readonly<Record<string, unknown>> {
  readonly type: string
  readonly start: number
}

const isNode = (value: unknown): value is Node => typeof Object(value).type === "string"

/** The docstrings of a constant's own fields, and the constants from which it takes further ones. */
interface Documented {
  readonly own: ReadonlyArray<readonly [field: string, docstring: string]>
  readonly from: ReadonlyArray<string>
  /** Whether its own docstring says that it is assumed as a whole. */
  readonly isAssumed: boolean
}

/** How the docstring of an assumed field ends, and that of a model that is assumed as a whole. */
export const assumedMark = "Assumed: the platform may differ."

/** The text of a block comment, on one line. */
const textOf = (comment: string): string =>
  comment
    .slice(1)
    .replaceAll(/\s*\n\s*\* ?/g, " ")
    .trim()

const constantsIn = (file: string): ReadonlyArray<readonly [name: string, of: Documented]> => {
  const source = read(file)
  const { comments, program } = parseSync(file, source)
  const docstringOf = ({ start }: Node): string | undefined => {
    const before = comments.find(
      ({ end, value }) => value.startsWith("*") && end <= start && source.slice(end, start).trim() === ""
    )
    return before === undefined ? undefined : textOf(before.value)
  }
  const documented = (init: Node): Omit<Documented, "isAssumed"> => {
    const own: Array<readonly [string, string]> = []
    const from: Array<string> = []
    const visit = (node: Node): void => {
      if (node.type === "Property" || node.type === "TSPropertySignature") {
        const docstring = docstringOf(node)
        if (docstring !== undefined) own.push([String(Object(node.key).name), docstring])
        // Such as `{ known: Project.fields }`.
        else if (isNode(node.value)) visit(node.value)
        return
      }
      if (node.type === "Identifier") from.push(String(node.name))
      for (const child of Object.values(node).flat()) if (isNode(child)) visit(child)
    }
    visit(init)
    return { own, from }
  }
  return program.body.flatMap((statement): ReadonlyArray<readonly [string, Documented]> => {
    const docstring = isNode(statement) ? docstringOf(statement) : undefined
    const isAssumed = docstring?.includes(assumedMark) === true
    if (statement.type === "ExportNamedDeclaration" && statement.declaration === null)
      return statement.specifiers.flatMap(({ exported, local }) =>
        "name" in exported && "name" in local
          ? [[exported.name, { own: [], from: [local.name], isAssumed: false }] as const]
          : []
      )
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
    if (declaration?.type === "TSTypeAliasDeclaration" && isNode(declaration.typeAnnotation))
      return [[declaration.id.name, { ...documented(declaration.typeAnnotation), isAssumed }] as const]
    // The type of a model that holds itself is written out beside it.
    if (declaration?.type === "TSInterfaceDeclaration" && isNode(declaration.body))
      return [[declaration.id.name, { ...documented(declaration.body), isAssumed }] as const]
    if (declaration?.type !== "VariableDeclaration") return []
    return declaration.declarations.flatMap(({ id, init }) =>
      id.type === "Identifier" && isNode(init) ? [[id.name, { ...documented(init), isAssumed }] as const] : []
    )
  })
}

/** The constants of a file by their names; of an interface and a constant of one name, both. */
const byName = (file: string): ReadonlyMap<string, Documented> => {
  const constants = new Map<string, Documented>()
  for (const [name, { from, isAssumed, own }] of constantsIn(file)) {
    const before = constants.get(name)
    constants.set(name, {
      own: [...(before?.own ?? []), ...own],
      from: [...(before?.from ?? []), ...from],
      isAssumed: isAssumed || before?.isAssumed === true
    })
  }
  return constants
}

const models = filesIn("core").filter((file) => /^core\/[a-z-]+\/model\.ts$/.test(file))

type Docs = ReadonlyMap<string, string>

/** The docstrings of a constant's fields: its own, and those of what it is made from, its own file's before others'. */
const docsOf = (
  name: string,
  local: ReadonlyMap<string, Documented>,
  further: ReadonlyMap<string, Documented> = new Map(),
  seen: ReadonlyArray<Documented> = []
): Docs => {
  const found = [local.get(name), further.get(name)].find((of) => of !== undefined && !seen.includes(of))
  if (found === undefined) return new Map()
  const inherited = found.from.flatMap((other) => [...docsOf(other, local, further, [...seen, found])])
  return new Map([...inherited, ...found.own])
}

/** The constants of the kernel from which models take fields, such as `Entity.list`: each with all that it comes to. */
const ofKernel = [
  "core/kernel/codec/row.ts",
  "core/kernel/operation/entity.ts",
  "core/kernel/operation/filters.ts"
]
  .map(byName)
  .flatMap((constants, _, files) => {
    const all = new Map(files.flatMap((of) => [...of]))
    return Array.from(constants.keys(), (name): readonly [string, Documented] => [
      name,
      { own: [...docsOf(name, constants, all)], from: [], isAssumed: false }
    ])
  })

/** The fields that several models have: those of the kernel, and those that a model takes from another slice's. */
const shared = new Map(
  [...ofKernel, ...models.flatMap((file) => [...byName(file)])].filter(([, { own }]) => own.length > 0)
)

/** What every list takes, by the specification, also one of which the filters are assumed. */
const paging = ["page", "limit", "query"]

/** The docstring of a field of a model that is assumed as a whole. */
const ofAssumed = (field: string, docstring: string): string =>
  paging.includes(field) || docstring.endsWith(assumedMark) ? docstring : `${docstring} ${assumedMark}`

/** What makes the schema of a body. */
const bodyMakers = ["body", "search", "ownBody", "ownData", "checkedBody", "change"]

/** The docstring of a field of a body, which a caller writes and does not read. */
const ofBody = (docstring: string): string => docstring.replace(/[:;] read (?:it|them) with `readNumber`/, "")

/** The docstrings of all fields of the models, by the model and the field: `Orders.Order.total`. */
export const fieldDocs = (): ReadonlyArray<readonly [field: string, docstring: string]> =>
  models.flatMap((file) => {
    const constants = byName(file)
    return [...constants].flatMap(([name, { from, isAssumed }]) =>
      Array.from(docsOf(name, constants, shared), ([field, docstring]): readonly [string, string] => {
        const said = bodyMakers.some((maker) => from.includes(maker)) ? ofBody(docstring) : docstring
        return [`${moduleName(file)}.${name}.${field}`, isAssumed ? ofAssumed(field, said) : said]
      })
    )
  })
