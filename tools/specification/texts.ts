/** The fields of answers that are declared as text: a date-time in them stays text. */
import * as AST from "effect/SchemaAST"
import { modelOf } from "../../clients/description/fields.js"
import { isAssumed } from "../../core/kernel/codec/compiler/nodes.js"
import { operations } from "../generate/operations.js"

const sourceOf = (ast: AST.AST): AST.AST => (AST.isRefinement(ast) ? sourceOf(ast.from) : ast)

/** The paths of the text fields of a schema, with `[]` for the items of a list and `*` for a name that is data. */
const textsIn = (ast: AST.AST, path = "", above: ReadonlyArray<AST.AST> = []): ReadonlyArray<string> => {
  const source = sourceOf(ast)
  // An assumed text does not count as declared.
  if (above.includes(source) || isAssumed(source)) return []
  const into = (next: AST.AST, name: string): ReadonlyArray<string> =>
    textsIn(next, `${path}${/^[[]|^$/.test(name) || path === "" ? "" : "."}${name}`, [...above, source])
  switch (source._tag) {
    case "StringKeyword":
      return [path]
    case "Union":
      return source.types.flatMap((type) => into(type, ""))
    case "Transformation":
      // A date-time is text on the wire, and a Date in the answer.
      return textsIn(source.to, path, above)
    case "TypeLiteral":
      return [
        ...source.propertySignatures.flatMap(({ name, type }) => into(type, String(name))),
        ...source.indexSignatures.flatMap(({ type }) => into(type, "*"))
      ]
    case "TupleType":
      return [...source.elements, ...source.rest].flatMap(({ type }) => into(type, "[]"))
    case "Suspend":
      return into(source.f(), "")
    default:
      return []
  }
}

/** The text fields of each model that a call answers. */
export const texts: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  operations
    .flatMap(({ declared: { success } }) =>
      "bytes" in success ? [] : "page" in success ? [success.page] : [success]
    )
    .map((schema) => [modelOf(schema) ?? "", textsIn(schema.ast)] as const)
    .filter(([model, fields]) => model !== "" && fields.length > 0)
    .sort(([left], [right]) => (left < right ? -1 : 1))
)

const namesOf = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.flatMap((path) => path.split(".").at(-1)?.replaceAll("[]", "") ?? [])

/** Their names in the order of the alphabet, each once. */
export const textNames: ReadonlyArray<string> = [...new Set(namesOf([...texts.values()].flat()))].sort(
  (left, right) => left.localeCompare(right, "en")
)
