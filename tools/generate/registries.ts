/**
 * Writes the lists of what the slices hold: operations, models, and the sandbox's handlers. Nothing here may read a generated source: it may
 * be stale or import a deleted file.
 */
import { filesIn } from "@quartet/support/files.js"
import type * as AST from "effect/SchemaAST"
import { assumedMark, fieldDocs } from "./field-docs.js"
import { headOf, load, moduleName, operations } from "./operations.js"
import { byPath, type Files, marked, width } from "./written.js"

const operationModule = "core/kernel/operation/operation.ts"

const js = (file: string): string => file.replace(/\.ts$/, ".js")
const fromCore = (file: string): string => `"./${js(file.slice("core/".length))}"`

const catalogue = (): string => {
  const files = [...new Set(operations.map(({ file }) => file))]
  const imports = [
    ...files.map((file) => `import * as ${moduleName(file)} from ${fromCore(file)}`),
    `import { Operation } from ${fromCore(operationModule)}`
  ]
  return `/**
 * Every operation of the platform, as one list: what the sandbox routes, the tools describe and the tests compare with
 * the platform's list of calls. Apps do not import it, as it holds every call.
 */
${marked("the slices")}
${imports.sort(byPath).join("\n")}

const modules: ReadonlyArray<Readonly<Record<string, unknown>>> = [
${files
  .map(moduleName)
  .sort()
  .map((name) => `  ${name}`)
  .join(",\n")}
]

/** Every operation, module by module. An operation that serves several audiences stands here once. */
export const operations: ReadonlyArray<Operation<never, unknown, never>> = modules
  .flatMap((module) => Object.values(module))
  .filter(Operation.isOperation)
`
}

/** What a module is about, in its first words, without the places of the specification. */
const subjectOf = (file: string): string =>
  headOf(file)
    .replaceAll(/\n \*(?=[ /])/g, "")
    .replaceAll(/^\/\*\*\s*/g, "/** ")
    .replaceAll(/ \(specification, [^()]+\)/g, "")
    .replace(/\/$/, "*/")
    .replaceAll(/\s*\*+\/$/g, " */")

const byExported = (one: string, other: string): number => {
  const [first = "", second = ""] = [one, other].map((text) => text.slice(text.lastIndexOf("\n")))
  return first < second ? -1 : 1
}

const schemas = (): string => {
  const models = filesIn("core").filter((file) => /^core\/[a-z-]+\/model\.ts$/.test(file))
  return [
    "/** The schemas and types of all slices, each under its slice's name: `Schemas.Requests.RequestAction`. */",
    `${marked("the slices")}\n`,
    ...models.map((file) => `import * as ${moduleName(file)} from ${fromCore(file)}`).sort(byPath),
    "",
    // A compiler shows the comment of a name that is exported so, and none of `export * as`.
    "export {",
    models
      .map((file) => `  ${subjectOf(file)}\n  ${moduleName(file)}`)
      .sort(byExported)
      .join(",\n"),
    "}",
    ""
  ].join("\n")
}

/** The lists of handlers that a module of the sandbox exports. */
const handlersOf = async (file: string) => {
  const names = Object.entries(await load(file)).flatMap(([name, value]) =>
    Array.isArray(value) ? [name] : []
  )
  return { file, names: names.sort() }
}

const handlers = async (): Promise<string> => {
  const folder = "packages/sandbox/slices/"
  const files = filesIn(folder).filter((file) => file !== `${folder}index.ts`)
  const handlers = (await Promise.all(files.map(handlersOf))).filter(({ names }) => names.length > 0)
  const imports = handlers.map(
    ({ file, names }) => `import { ${names.join(", ")} } from "./${js(file.slice(folder.length))}"`
  )
  return `/** The handlers of all operations, slice by slice. The sandbox's routes are derived from the operations that they name. */
${marked("the files beside it")}
import type { Handler } from "../platform/handler.js"
${imports.sort(byPath).join("\n")}

export const slices: ReadonlyArray<Handler> = [
${handlers
  .flatMap(({ names }) => names)
  .sort()
  .map((name) => `  ...${name}`)
  .join(",\n")}
]
`
}

/** What each operation does, by its name in the first client that it serves: for tools only. */
const summaries = (): string => {
  const line = ({ declared, name, summary }: (typeof operations)[number]): string => {
    const [key, text] = [`  "${declared.audiences[0]}.${name}":`, JSON.stringify(summary)]
    const last = key.length + text.length + 2
    return last > width ? `${key}\n    ${text}` : `${key} ${text}`
  }
  return `/** What each operation does, in the words of its docstring, under the first client that it serves. */
${marked("the operations")}
export const summaries: Readonly<Record<string, string>> = {
${operations.map(line).join(",\n")}
}
`
}

/** What each field of the models is, for tools only. */
const docs = (): string => {
  const line = ([field, text]: readonly [string, string]): string => {
    const [key, value] = [`  "${field}":`, JSON.stringify(text)]
    return key.length + value.length + 2 > width ? `${key}\n    ${value}` : `${key} ${value}`
  }
  return `/** What each field of the models is, in the words of its docstring, by the model and the field. */
${marked("the models")}
/** How the docstring of an assumed field ends. */
export const assumedMark = ${JSON.stringify(assumedMark)}

export const fieldDocs: Readonly<Record<string, string>> = {
${fieldDocs().map(line).join(",\n")}
}
`
}

/** The names of the fields below a node of a schema, at any depth. */
const namesBelow = (ast: AST.AST, names: Set<string>, seen = new Set<AST.AST>()): void => {
  if (seen.has(ast)) return
  seen.add(ast)
  const visit = (node: AST.AST): void => namesBelow(node, names, seen)
  switch (ast._tag) {
    case "TypeLiteral":
      for (const { name, type } of ast.propertySignatures) {
        names.add(String(name))
        visit(type)
      }
      return
    case "TupleType":
      for (const { type } of ast.rest) visit(type)
      return
    case "Union":
      for (const type of ast.types) visit(type)
      return
    case "Suspend":
      return visit(ast.f())
    case "Refinement":
      return visit(ast.from)
    case "Transformation":
      return visit(ast.from)
    default:
      return
  }
}

/** The names of the calls, and of the fields that they send and answer. */
const names = (): string => {
  const fields = new Set<string>()
  for (const { declared } of operations) {
    const { input, success } = declared
    namesBelow(input.ast, fields)
    if ("page" in success) namesBelow(success.page.ast, fields)
    else if ("ast" in success) namesBelow(success.ast, fields)
  }
  // The body as a whole has no name on the wire.
  fields.delete("payload")
  const listed = (all: Iterable<string>): string =>
    [...new Set(all)]
      .sort()
      .map((name) => `  "${name}"`)
      .join(",\n")
  return `/** The names of all calls and of the fields that they send and answer, so that what is said of a platform can be checked. */
${marked("the operations")}
/** The calls of all clients. */
export const calls = [
${listed(operations.map(({ name }) => name))}
] as const

/** The name of a call. @category models */
export type CallName = (typeof calls)[number]

/** The fields of all inputs and answers, but for those that a project itself defines. */
export const fields = [
${listed(fields)}
] as const

/** The name of a field. @category models */
export type FieldName = (typeof fields)[number]
`
}

/** The registries by their files. */
export const files: Files = new Map([
  ["core/platform/names.ts", names()],
  ["core/catalogue.ts", catalogue()],
  ["core/schemas.ts", schemas()],
  ["packages/sandbox/slices/index.ts", await handlers()],
  ["clients/description/field-docs.ts", docs()],
  ["clients/description/summaries.ts", summaries()]
])
