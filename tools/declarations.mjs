// Writes out, in the declarations that are built, the members of each interface that is what a schema gives: `interface Order extends
// Schema.Schema.Type<typeof Order> {}`, and those of each body, `type NewOrder = Schema.Schema.Type<typeof NewOrder>`. A user's compiler then
// has nothing to compute to know an entity or a body, and every editor shows the comment of each of its fields. This needs the compiler as a library, which TypeScript 7 is not.
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, posix, relative, sep } from "node:path"
import ts from "typescript-6.0"
import { importSource } from "./sources.mjs"

const { fieldDocs } = await importSource("clients/description/field-docs.ts")

/** What the sources say of a field that a declaration has from a function, whose comments a compiler leaves out. */
const saidOf = (file, model, field) => {
  const [, slice = ""] = /core\/([a-z-]+)\/model\.d\.ts$/.exec(file.split(sep).join(posix.sep)) ?? []
  const module = slice.replaceAll(/(?:^|-)([a-z])/g, (_, letter) => letter.toUpperCase())
  const text = fieldDocs[`${module}.${model}.${field}`]
  return text === undefined ? "" : `    /** ${text} */\n`
}

const isOfSchema = (node) =>
  ts.isInterfaceDeclaration(node) &&
  node.typeParameters === undefined &&
  node.members.length === 0 &&
  /^extends Schema(\.Schema)?\.Type<typeof \w+>$/.test(node.heritageClauses?.[0]?.getText() ?? "")

/** The alias of what a schema of a body gives. */
const isOfBody = (node) =>
  ts.isTypeAliasDeclaration(node) && /^Schema\.Schema\.Type<typeof \w+>$/.test(node.type.getText())

const options = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.esnext.disposable.d.ts"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true
}

const identifier = /^[A-Za-z_$][\w$]*$/

const commentOf = (symbol, checker) => {
  const text = ts.displayPartsToString(symbol?.getDocumentationComment(checker) ?? [])
  return text === "" ? "" : `    /** ${text.replaceAll("\n", "\n     * ")} */\n`
}

/** Prints types as a place of a file names them. */
const printer = (node, checker, file) => (type) =>
  checker
    .typeToString(type, node, ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias)
    .replaceAll(/import\("([^"]+)"\)/g, (whole, path) => {
      if (!path.startsWith("/")) return whole
      const from = relative(dirname(file), path).split(sep).join(posix.sep)
      return `import("${from.startsWith(".") ? from : `./${from}`}.js")`
    })

/** What stands between the braces of an object's type: its index signatures, and its fields with their comments. */
const membersOf = (type, { commentOf, order, print, typeOf }, checker) => {
  const indexes = checker
    .getIndexInfosOfType(type)
    .map(({ keyType, type: value }) => `    readonly [field: ${print(keyType)}]: ${print(value)};\n`)
  const properties = [...checker.getPropertiesOfType(type)]
  properties.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name))
  const members = properties.map((symbol) => {
    const name = identifier.test(symbol.name) ? symbol.name : JSON.stringify(symbol.name)
    const mark = symbol.flags & ts.SymbolFlags.Optional ? "?" : ""
    return `${commentOf(symbol)}    readonly ${name}${mark}: ${typeOf(symbol)};\n`
  })
  return `{\n${indexes.join("")}${members.join("")}}`
}

/** The schema of a body, its type with its members written out, and that type as it is printed elsewhere; undefined of what is no object. */
const bodyOf = (node, source, checker, file) => {
  const type = checker.getTypeAtLocation(node)
  const print = printer(node, checker, file)
  const parts = type.isUnion() ? type.types : [type]
  const objects = parts.filter((part) => part.symbol?.name === "__type" && part.getProperties().length > 0)
  const statement = source.statements.find(
    (one) =>
      ts.isVariableStatement(one) && one.declarationList.declarations[0]?.name.getText() === node.name.text
  )
  const schema = statement?.declarationList.declarations[0].type
  if (objects.length !== 1 || schema === undefined) return undefined
  const [object] = objects
  const order = object.getProperties().map(({ name }) => name)
  const members = membersOf(
    object,
    {
      commentOf: ({ name }) => saidOf(file, node.name.text, name),
      order,
      print,
      typeOf: (symbol) => print(checker.getTypeOfSymbolAtLocation(symbol, node))
    },
    checker
  )
  const { name } = node
  const others = parts.flatMap((part) => (part === object ? [] : [`${print(part)} | `]))
  return {
    printed: print(type),
    name: name.text,
    edits: [
      { node, text: `export type ${name.text} = ${others.join("")}${members};` },
      { node: schema, text: `Schema.Schema<${name.text}>` }
    ]
  }
}

/** An interface with its members written out. A body that it holds stands there by its name. */
const written = (node, checker, file, bodies) => {
  const type = checker.getTypeAtLocation(node)
  const print = printer(node, checker, file)
  // Where a field is declared: what the schema gives may have lost its comment.
  const { exprName } = node.heritageClauses[0].types[0].typeArguments[0]
  const fields = checker.getTypeAtLocation(exprName).getProperty("fields")
  const declared = fields && checker.getTypeOfSymbolAtLocation(fields, node)
  const members = membersOf(
    type,
    {
      commentOf: (symbol) =>
        commentOf(declared?.getProperty(symbol.name), checker) ||
        commentOf(symbol, checker) ||
        saidOf(file, node.name.text, symbol.name),
      order: declared?.getProperties().map(({ name }) => name) ?? [],
      print,
      typeOf: (symbol) => {
        const of = checker.getTypeOfSymbolAtLocation(symbol, node)
        const body = bodies.find(({ printed }) => printed === print(checker.getNonNullableType(of)))
        if (body === undefined) return print(of)
        return symbol.flags & ts.SymbolFlags.Optional ? `${body.name} | undefined` : body.name
      }
    },
    checker
  )
  // An interface would not pass as a record, as what a schema gives does.
  return `export type ${node.name.text} = ${members}`
}

/** Whether a declaration takes a type from a file of another package, which a user's compiler does not find there. */
const isAstray = (text, file, folder) =>
  Array.from(text.matchAll(/import\("(\.[^"]+)"\)/g), ([, path]) => join(dirname(file), path)).some((path) =>
    relative(folder, path).startsWith("..")
  )

/** Writes out the interfaces and the bodies in the declarations of a folder. */
export const writeOut = (folder) => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".d.ts") && !name.startsWith("console"))
    .map((name) => join(folder, name))
    .filter((file) => /extends Schema(\.Schema)?\.Type<typeof/.test(readFileSync(file, "utf8")))
  if (files.length === 0) return
  const program = ts.createProgram(files, options)
  const checker = program.getTypeChecker()
  const edited = files.map((file) => {
    const source = program.getSourceFile(file)
    const bodies = source.statements
      .filter(isOfBody)
      .flatMap((node) => bodyOf(node, source, checker, file) ?? [])
    const edits = [
      ...bodies.flatMap((body) => body.edits),
      ...source.statements
        .filter(isOfSchema)
        .map((node) => ({ node, text: written(node, checker, file, bodies) }))
    ].filter(({ text }) => !isAstray(text, file, folder))
    edits.sort((one, other) => other.node.end - one.node.end)
    const text = edits.reduce(
      (before, { node, text: after }) =>
        before.slice(0, node.getStart(source)) + after + before.slice(node.end),
      source.text
    )
    return [file, text]
  })
  for (const [file, text] of edited) writeFileSync(file, text)
  const again = ts.createProgram(files, options)
  const mistakes = files.flatMap((file) => again.getSemanticDiagnostics(again.getSourceFile(file)))
  if (mistakes.length > 0)
    throw new Error(
      ts.formatDiagnostics(mistakes, {
        getCanonicalFileName: (name) => name,
        getCurrentDirectory: () => folder,
        getNewLine: () => "\n"
      })
    )
}
