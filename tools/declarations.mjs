// Writes out, in the declarations that are built, the members of each interface that is what a schema gives: `interface Order extends
// Schema.Schema.Type<typeof Order> {}`. A user's compiler then has nothing to compute to know an entity, and every editor shows the comment
// of each of its fields. This needs the compiler as a library, which TypeScript 7 is not.
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

/** An interface with its members written out. */
const written = (node, checker, file) => {
  const type = checker.getTypeAtLocation(node)
  const print = (inner) =>
    checker
      .typeToString(inner, node, ts.TypeFormatFlags.NoTruncation)
      .replaceAll(/import\("([^"]+)"\)/g, (whole, path) => {
        if (!path.startsWith("/")) return whole
        const from = relative(dirname(file), path).split(sep).join(posix.sep)
        return `import("${from.startsWith(".") ? from : `./${from}`}.js")`
      })
  // Where a field is declared: what the schema gives may have lost its comment.
  const { exprName } = node.heritageClauses[0].types[0].typeArguments[0]
  const fields = checker.getTypeAtLocation(exprName).getProperty("fields")
  const declared = fields && checker.getTypeOfSymbolAtLocation(fields, node)
  const indexes = checker
    .getIndexInfosOfType(type)
    .map(({ keyType, type: value }) => `    readonly [field: ${print(keyType)}]: ${print(value)};\n`)
  const order = declared?.getProperties().map(({ name }) => name) ?? []
  const properties = checker.getPropertiesOfType(type)
  properties.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name))
  const members = properties.map((symbol) => {
    const name = identifier.test(symbol.name) ? symbol.name : JSON.stringify(symbol.name)
    const mark = symbol.flags & ts.SymbolFlags.Optional ? "?" : ""
    const comment =
      commentOf(declared?.getProperty(symbol.name), checker) ||
      commentOf(symbol, checker) ||
      saidOf(file, node.name.text, symbol.name)
    return `${comment}    readonly ${name}${mark}: ${print(checker.getTypeOfSymbolAtLocation(symbol, node))};\n`
  })
  // An interface would not pass as a record, as what a schema gives does.
  return `export type ${node.name.text} = {\n${indexes.join("")}${members.join("")}}`
}

/** Whether a declaration takes a type from a file of another package, which a user's compiler does not find there. */
const isAstray = (text, file, folder) =>
  Array.from(text.matchAll(/import\("(\.[^"]+)"\)/g), ([, path]) => join(dirname(file), path)).some((path) =>
    relative(folder, path).startsWith("..")
  )

/** Writes out the interfaces in the declarations of a folder. */
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
    let text = source.text
    for (const node of source.statements.filter(isOfSchema).reverse()) {
      const whole = written(node, checker, file)
      if (isAstray(whole, file, folder)) continue
      text = text.slice(0, node.getStart(source)) + whole + text.slice(node.end)
    }
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
