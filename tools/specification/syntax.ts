/**
 * What a source exports and which tests it holds, read from its syntax tree, because comments and texts prove nothing.
 */
import { parseAst } from "rolldown/parseAst"

export interface Node {
  readonly type: string
  readonly [field: string]: unknown
}

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

export const nodesIn = (value: unknown): ReadonlyArray<Node> =>
  Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []

export const parse = (source: string): ReadonlyArray<Node> => nodesIn(parseAst(source, { lang: "ts" }).body)

export const nameOf = (value: unknown): string => (isNode(value) ? String(value.name ?? value.value) : "")

/** The exported names of a source: values and types. */
export const exportsIn = (source: string): ReadonlySet<string> =>
  new Set(
    parse(source).flatMap((statement) => {
      if (statement.type === "ExportAllDeclaration") return [nameOf(statement.exported)]
      if (statement.type !== "ExportNamedDeclaration") return []
      const { declaration } = statement
      const declared = isNode(declaration)
        ? declaration.type === "VariableDeclaration"
          ? nodesIn(declaration.declarations).map(({ id }) => nameOf(id))
          : [nameOf(declaration.id)]
        : []
      return [...declared, ...nodesIn(statement.specifiers).map(({ exported }) => nameOf(exported))]
    })
  )

/** A suite or a test: its titles from the outside in, whether it runs, and where it begins. */
export interface Titled {
  readonly path: ReadonlyArray<string>
  readonly runs: boolean
  readonly start: number
}

/** The words of a callee: `it`, `scopedLive` and `each` of `it.scopedLive.each([…])("…")`. */
const wordsOf = (callee: unknown): ReadonlyArray<string> => {
  if (!isNode(callee)) return []
  if (callee.type === "Identifier") return [nameOf(callee)]
  if (callee.type === "CallExpression") return wordsOf(callee.callee)
  if (callee.type === "MemberExpression") return [...wordsOf(callee.object), nameOf(callee.property)]
  return []
}

const starters = new Set(["describe", "effect", "it", "live", "scenario", "served", "story", "test"])
const stoppers = new Set(["skip", "skipIf", "runIf", "todo", "fails"])

/** The title of a call that begins a suite or a test; a template's expressions are written as `…`. */
const titleOf = (node: Node): string | undefined => {
  const [first] = nodesIn(node.arguments)
  if (first === undefined || !starters.has(wordsOf(node.callee)[0] ?? "")) return undefined
  if (first.type === "Literal") return typeof first.value === "string" ? first.value : undefined
  if (first.type !== "TemplateLiteral") return undefined
  return nodesIn(first.quasis)
    .map(({ value }) => String(Reflect.get(Object(value), "cooked")))
    .join("…")
}

/** All suites and tests of a source, in order. */
export const titlesIn = (source: string): ReadonlyArray<Titled> => {
  const titles: Array<Titled> = []
  const walk = (value: unknown, outer: ReadonlyArray<string>, runs: boolean): void => {
    if (Array.isArray(value)) for (const item of value) walk(item, outer, runs)
    if (!isNode(value)) return
    const title = value.type === "CallExpression" ? titleOf(value) : undefined
    if (title === undefined) {
      for (const child of Object.values(value)) walk(child, outer, runs)
      return
    }
    const inner = [...outer, title]
    const stillRuns = runs && !wordsOf(value.callee).some((word) => stoppers.has(word))
    titles.push({ path: inner, runs: stillRuns, start: Number(value.start) })
    walk(value.arguments, inner, stillRuns)
  }
  walk(parse(source), [], true)
  return titles
}

/** A tag of a test: `// Spec 3.2, admin.requests.markSeen` on the line above it. */
export interface Tag {
  /** Numbers of statements, and calls: each for the statement that states it. */
  readonly statements: ReadonlyArray<string>
  /** The test or suite below it; undefined for anything else. */
  readonly test: Titled | undefined
}

/** All tags of a source. */
export const tagsIn = (source: string): ReadonlyArray<Tag> => {
  const tags = [...source.matchAll(/^ *\/\/ Spec (.+)\n */gm)]
  const titled = tags.length === 0 ? [] : titlesIn(source)
  return tags.map((tag) => ({
    statements: (tag[1] ?? "").split(", "),
    test: titled.find(({ start }) => start === tag.index + tag[0].length)
  }))
}
