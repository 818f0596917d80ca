/** Questions about the nodes of a schema. */
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import { AssumedId, EssentialId } from "../../operation/answer.js"

/** A union's members in words. An optional field's `undefined` is not listed. */
const inWords = (ast: AST.AST): string =>
  AST.isUnion(ast)
    ? ast.types
        .filter((type) => !AST.isUndefinedKeyword(type))
        .map(String)
        .join(" | ")
    : String(ast)

const labels = [AST.getIdentifierAnnotation, AST.getTitleAnnotation, AST.getDescriptionAnnotation]

/** The rule that a node states. Schema has no words for a function without a name. */
export const mustBe = (ast: AST.AST): string => {
  const isNamed = !("filter" in ast || "decodeUnknown" in ast || "transformation" in ast)
  const text =
    isNamed || labels.some((label) => Option.isSome(label(ast)))
      ? Option.getOrElse(AST.getDescriptionAnnotation(ast), () => inWords(ast))
      : "what its schema takes: describe that"
  return `must be ${text.length > 160 ? `${text.slice(0, 157)}…` : text}`
}

/** Whether a field is declared as essential (`Entity.essential`). */
export const isEssential = (ast: AST.AST): boolean => ast.annotations[EssentialId] === true

/** Whether a field is assumed (`Entity.assumed`). */
export const isAssumed = (ast: AST.AST): boolean =>
  ast.annotations[AssumedId] === true || (AST.isUnion(ast) && ast.types.some(isAssumed))

/** Whether a node takes every value. */
export const takesAnything = (ast: AST.AST): boolean => AST.isUnknownKeyword(ast) || AST.isAnyKeyword(ast)

/** What stands behind a refined, transformed or suspended node. */
const behind = (ast: AST.AST): AST.AST | undefined =>
  "from" in ast ? ast.from : AST.isSuspend(ast) ? ast.f() : undefined

/** What a node reads first. */
export const sourceOf = (ast: AST.AST): AST.AST => {
  const next = behind(ast)
  return next === undefined ? ast : sourceOf(next)
}

/** Whether a test holds for a node, or for one that stands behind it or is a member of it. */
export const reads = (
  ast: AST.AST | undefined,
  test: (ast: AST.AST) => unknown,
  seen: ReadonlyArray<AST.AST> = []
): boolean =>
  ast !== undefined &&
  !seen.includes(ast) &&
  (Boolean(test(ast)) ||
    (AST.isUnion(ast) ? ast.types : [behind(ast)]).some((next) => reads(next, test, [...seen, ast])))

/** Whether a node can accept objects or lists, which a trial in a union might change half-way. */
export const isStructured = (ast: AST.AST): boolean =>
  !/^((String|Number|Boolean|BigInt|Undefined|Void|Never)Keyword|Literal|Enums|TemplateLiteral)$/.test(
    sourceOf(ast)._tag
  )

export const isNull = (ast: AST.AST): boolean => AST.isLiteral(ast) && ast.literal === null
export const isSaid = (ast: AST.AST): boolean => !AST.isUndefinedKeyword(ast) && !isNull(ast)

/** Whether a node takes objects and lists alone. */
export const isObject = (ast: AST.AST): boolean => /^T(ypeLiteral|upleType)/.test(sourceOf(ast)._tag)

/** What a schema gives where a value cannot be decoded (`decodingFallback`). */
export const fallbackOf = (ast: AST.AST) => Option.getOrUndefined(AST.getDecodingFallbackAnnotation(ast))
