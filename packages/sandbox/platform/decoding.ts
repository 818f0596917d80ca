/**
 * From a request's path, query and body to the input of its operation: the reverse of the client's encoder, checked by
 * the operation's own schema. Invalid input is refused with 400 and the name of the field.
 */

import { type Body, compile, Dates, type Declared, Input, makeState, Raw, wrong } from "@quartet/sdk/extend"
import { wordsOf } from "@quartet/sdk/extend/description"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { isRecord } from "effect/Predicate"
import * as AST from "effect/SchemaAST"
import { invalid, type Refusal } from "./refusal.js"

/** The parts of a request that become input. */
export interface Source {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Body | undefined
  /** Whether `projectId` comes from the client's configuration and is not part of the input. */
  readonly isProjectNamed: boolean
}

export type Decode = (source: Source) => Effect.Effect<unknown, Refusal>

/** The schema node beneath optionality, refinements and transformations. */
const core = (ast: AST.AST): AST.AST => {
  if (AST.isRefinement(ast)) return core(ast.from)
  if (AST.isTransformation(ast)) return core(ast.to)
  if (AST.isSuspend(ast)) return core(ast.f())
  if (!AST.isUnion(ast)) return ast
  const members = ast.types.map(core).filter((type) => !AST.isUndefinedKeyword(type) && !isNull(type))
  const [only, ...others] = members
  return only !== undefined && others.every((type) => type._tag === only._tag) ? only : ast
}

const isNull = (ast: AST.AST): boolean => AST.isLiteral(ast) && ast.literal === null

const number = /^-?\d+(\.\d+)?$/

/** Text as the value that a schema node expects; invalid text stays, and the check refuses it. */
const coerce = (ast: AST.AST | undefined, text: string): unknown => {
  const node = ast === undefined ? undefined : core(ast)
  switch (node?._tag) {
    case "NumberKeyword":
      return number.test(text) ? Number(text) : text
    case "BooleanKeyword":
      return text === "true" ? true : text === "false" ? false : text
    case "Declaration":
      return Dates.parse(text) ?? text
    case "StringKeyword": {
      // The wire takes any word: one that is not known is what a caller may pass as it is.
      const words = wordsOf(node)
      return words === undefined || words.includes(text) ? text : Raw.raw(text)
    }
    case "TupleType":
      return text.split(",").map((item) => coerce(node.rest[0]?.type, item))
    default:
      return text
  }
}

const isStructured = (ast: AST.AST | undefined): boolean => {
  const node = ast === undefined ? undefined : core(ast)
  return node?._tag === "TypeLiteral" || node?._tag === "UnknownKeyword" || node?._tag === "TupleType"
}

const json = (text: string): Either.Either<unknown, Refusal> =>
  Either.try({ try: (): unknown => JSON.parse(text), catch: () => invalid("body", "is not valid JSON") })

/** A copy of parsed JSON. Not every runtime for apps has `structuredClone`. */
const copied = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** The schema of a call's body. */
const bodyIn = ({ input }: Declared): AST.AST | undefined => {
  const type = AST.getPropertySignatures(input.ast).find(({ name }) => name === "payload")?.type
  return type !== undefined && AST.isUnion(type)
    ? type.types.find((member) => !AST.isUndefinedKeyword(member))
    : type
}

/** Compiles the decoder of an operation's requests. */
export const make = (declared: Declared): Decode => {
  const ast = AST.typeAST(declared.input.ast)
  const check = compile(ast, "input")
  const fields = new Map(AST.getPropertySignatures(ast).map((field) => [String(field.name), field.type]))
  const payload = bodyIn(declared)
  // A body that its own schema checks as a whole is checked here as the client does.
  const checkBody =
    payload === undefined
      ? undefined
      : AST.isTypeLiteral(payload)
        ? compile(payload, "answer")
        : compile(AST.typeAST(payload), "input")
  const further = [...fields].find(([, type]) => Input.isFurther(type))?.[0]

  /** The fields of the body. */
  const fromBody = (body: Body | undefined): Either.Either<Record<string, unknown>, Refusal> => {
    if (body === undefined) return Either.right({})
    if (body._tag === "Form") {
      const values: Record<string, unknown> = {}
      for (const part of body.parts) {
        if ("file" in part) values[part.name] = new File([part.file], part.fileName, { type: part.file.type })
        else if (isStructured(fields.get(part.name)))
          values[part.name] = Either.getOrElse(json(part.text), () => part.text)
        else values[part.name] = coerce(fields.get(part.name), part.text)
      }
      return Either.right(values)
    }
    return Either.flatMap(json(body.text), (value) => {
      if (payload !== undefined) return Either.right({ payload: value })
      return isRecord(value) ? Either.right(value) : Either.left(invalid("body", "must be a JSON object"))
    })
  }

  return ({ body, isProjectNamed, params, query }) => {
    const input: Record<string, unknown> = {}
    const more: Record<string, unknown> = {}
    for (const name of new Set(query.keys())) {
      if (name === "projectId" && isProjectNamed && !fields.has(name)) continue
      const values = query.getAll(name)
      if (values.length > 1 && fields.has(name)) return Effect.fail(invalid(name, "must be given once"))
      if (further !== undefined && (name === further || !fields.has(name))) more[name] = values[0] ?? ""
      else input[name] = coerce(fields.get(name), values[0] ?? "")
    }
    if (further !== undefined && Object.keys(more).length > 0) input[further] = more
    const content = fromBody(body)
    if (Either.isLeft(content)) return Effect.fail(content.left)
    Object.assign(input, content.right)
    for (const [name, text] of Object.entries(params)) {
      if (name !== "projectId" || fields.has(name)) input[name] = coerce(fields.get(name), text)
    }
    const state = makeState()
    // The wire takes bodies with other fields, as `Input.raw` sends them: those that are known are held to their kinds.
    const own =
      payload === undefined || input.payload === undefined
        ? input
        : { ...input, payload: Raw.raw(input.payload) }
    if (check(own, state) !== wrong) {
      const { payload: sent } = input
      // A check writes Dates into what it reads.
      if (checkBody === undefined || sent === undefined || checkBody(copied(sent), state) !== wrong)
        return Effect.succeed(input)
      if (state.path !== "") state.path = `payload.${state.path}`
    }
    // `payload` is the client's name for the body.
    const field = state.path.replace(/^payload(\.|$)/, "")
    // How a caller passes other names is not the platform's to say.
    const rule = state.rule.replace(/; Input\.raw .*/, "")
    return Effect.fail(invalid(field === "" ? "body" : field, rule))
  }
}
