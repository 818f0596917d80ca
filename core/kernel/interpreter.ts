/** Steps over a value, and those that Schema's own interpreter takes for nodes that have no compiled form. */
import * as Arr from "effect/Array"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { tolerate } from "./mismatch.js"
import { undeclared } from "./undeclared.js"
import { refuse, type State, wrong } from "./walk.js"

/** Checks a value and answers it, changed in place where it holds dates, or `wrong` with the rule in the state. */
export type Step = (value: unknown, state: State) => unknown

/**
 * `answer`: parsed JSON, revived in place, undeclared fields kept. `input`: a caller's value, never changed, with
 * undeclared fields refused unless the schema is open.
 */
export type Mode = "answer" | "input"

/** Takes everything as it is. */
export const keep: Step = (value) => value

/** A union's members in words. That a field may be left out is no rule. */
const inWords = (ast: AST.AST): string =>
  AST.isUnion(ast)
    ? ast.types
        .filter((type) => !AST.isUndefinedKeyword(type))
        .map(String)
        .join(" | ")
    : String(ast)

/** The rule that a node states. */
export const mustBe = (ast: AST.AST): string => {
  const text = Option.getOrElse(AST.getDescriptionAnnotation(ast), () => inWords(ast))
  return `must be ${text.length > 160 ? `${text.slice(0, 157)}…` : text}`
}

/** What a transformation makes of a value that is not as it was declared, where that is tolerated. */
const transformed = (ast: AST.AST, value: unknown, state: State): unknown => {
  if (!AST.isTransformation(ast) || !AST.isFinalTransformation(ast.transformation)) return wrong
  const noted = tolerate(value, state)
  if (noted === wrong) return wrong
  const result = ast.transformation.decode(noted, AST.defaultParseOption, ast, noted)
  return Either.isEither(result) && Either.isRight(result) ? result.right : noted
}

/** Schema's own parser, for nodes that have no compiled form. */
export const interpreted = (ast: AST.AST, mode: Mode): Step => {
  const parse = ParseResult.decodeUnknownEither(Schema.make<unknown, unknown>(ast), {
    onExcessProperty: "preserve"
  })
  const rule = mustBe(ast)
  const prepare = mode === "answer" ? undeclared(AST.encodedAST(ast)) : keep
  return (value, state) => {
    const prepared = prepare(value, state)
    if (prepared === wrong) return wrong
    const result = parse(prepared)
    if (Either.isLeft(result)) {
      const first = Arr.head(ParseResult.ArrayFormatter.formatIssueSync(result.left))
      state.path = Option.match(first, {
        onNone: () => "",
        onSome: (issue) => issue.path.map(String).join(".")
      })
      refuse(state, rule)
      return transformed(ast, prepared, state)
    }
    return result.right
  }
}
