/** What a bundle holds of the platform's calls: read from its syntax tree, so that minifying hides nothing. */
import { parseAst } from "rolldown/parseAst"
import { operations } from "../../core/catalogue.js"
import { isNode, type Node } from "../../tools/specification/syntax.js"

/** Path templates of all operations. */
const templates = new Set(operations.map(({ declaration }) => declaration().path))
const names = new Set(operations.map(({ name }) => name))

/** The text of a string literal, or of a template literal without expressions. */
const textOf = (value: unknown): string | undefined => {
  if (!isNode(value)) return undefined
  if (value.type === "Literal") return typeof value.value === "string" ? value.value : undefined
  if (value.type !== "TemplateLiteral" || !Array.isArray(value.quasis) || value.quasis.length !== 1)
    return undefined
  const cooked: unknown = Reflect.get(Object(Reflect.get(Object(value.quasis[0]), "value")), "cooked")
  return typeof cooked === "string" ? cooked : undefined
}

const walk = (value: unknown, visit: (node: Node) => void): void => {
  if (Array.isArray(value)) for (const item of value) walk(item, visit)
  else if (isNode(value)) {
    visit(value)
    for (const child of Object.values(value)) walk(child, visit)
  }
}

const isPath = (key: unknown): boolean => isNode(key) && (key.name === "path" || textOf(key) === "path")

export interface Contents {
  /** Names of the operations whose names stand in it. */
  readonly operations: ReadonlyArray<string>
  /** Path templates that stand in it: as the `path` of a declaration, or anywhere where no word could be meant. */
  readonly templates: ReadonlyArray<string>
}

/** Finds the operations that the files of a bundle hold. */
export const contentsOf = (files: ReadonlyArray<string>): Contents => {
  const foundNames = new Set<string>()
  const foundTemplates = new Set<string>()
  for (const code of files) look(code, foundNames, foundTemplates)
  return { operations: [...foundNames].sort(), templates: [...foundTemplates].sort() }
}

/** Adds the operations that one file holds. */
const look = (code: string, foundNames: Set<string>, foundTemplates: Set<string>): void => {
  const constants = new Map<string, string>()
  const paths: Array<unknown> = []
  walk(parseAst(code), (node) => {
    const text = textOf(node)
    if (text !== undefined) {
      if (names.has(text)) foundNames.add(text)
      if (text.includes("/") && templates.has(text)) foundTemplates.add(text)
    }
    if (node.type === "VariableDeclarator" && isNode(node.id)) {
      const constant = textOf(node.init)
      if (constant !== undefined) constants.set(String(node.id.name), constant)
    }
    if (node.type === "Property" && isPath(node.key)) paths.push(node.value)
  })
  for (const path of paths) {
    const text = textOf(path) ?? (isNode(path) ? constants.get(String(path.name)) : undefined)
    if (text !== undefined && templates.has(text)) foundTemplates.add(text)
  }
}
