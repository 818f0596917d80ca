/**
 * Schema nodes without a compiled form go to Schema's own parser. What it does not do for answers is done before it
 * runs: date-times in undeclared parts become Dates, numbers are checked, nesting is bounded, and no JSON field can
 * become a prototype. Declared text stays text.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { at, enter, look, refuse, revive, type State, tolerate, unreadable, wrong } from "./state.js"

/** Checks a value and returns it, with its dates revived in place, or `wrong` with the rule in the state. */
export type Step = (value: unknown, state: State) => unknown

/**
 * `answer`: parsed JSON, revived in place, undeclared fields kept. `input`: a caller's value, never changed, with
 * undeclared fields refused unless the schema is open.
 */
export type Mode = "answer" | "input"

/** Accepts everything unchanged. */
export const keep: Step = (value) => value

/** A union's members in words. An optional field's `undefined` is not listed. */
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

/** The result of a transformation for a mismatch that is tolerated. */
const transformed = (ast: AST.AST, value: unknown, state: State): unknown => {
  if (!AST.isTransformation(ast) || !AST.isFinalTransformation(ast.transformation)) return wrong
  const noted = tolerate(value, state)
  if (noted === wrong) return wrong
  const { decode } = ast.transformation
  // A tolerated value may be of any kind, so the transformation may throw.
  const result = Either.try(() => decode(noted, AST.defaultParseOption, ast, noted))
  return Either.isRight(result) && Either.isEither(result.right) && Either.isRight(result.right)
    ? result.right.right
    : noted
}

/** Where Schema's parser met its first issue. Its own formatters build texts besides, which every app would carry. */
const placeOf = (issue: ParseResult.ParseIssue | undefined): ReadonlyArray<PropertyKey> => {
  switch (issue?._tag) {
    case "Pointer":
      return [issue.path, ...placeOf(issue.issue)].flat()
    case "Composite":
      return placeOf([issue.issues].flat()[0])
    case "Refinement":
    case "Transformation":
      return placeOf(issue.issue)
    default:
      return []
  }
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
    // A schema of the caller's own may throw, and Schema itself does over some hostile values.
    const run = Either.try(() => parse(prepared))
    if (Either.isLeft(run)) {
      shown(prepared, state)
      return refuse(state, unreadable)
    }
    const parsed = run.right
    if (Either.isLeft(parsed)) {
      state.path = placeOf(parsed.left).map(String).join(".")
      refuse(state, rule)
      const result = transformed(ast, prepared, state)
      if (result !== wrong) return shown(result, state)
      // The caller may keep the value that was received.
      shown(prepared, state)
      return wrong
    }
    return shown(parsed.right, state)
  }
}

/** The key under which an own field `__proto__` passes Schema's parser, which would make it the prototype of what it answers. */
const hidden: unique symbol = Symbol("__proto__")

type Fields = Record<string | typeof hidden, unknown>

const hide = (record: Fields, state: State): void => {
  state.hidesProto = true
  record[hidden] = Reflect.get(record, "__proto__")
  Reflect.deleteProperty(record, "__proto__")
}

/** Gives hidden fields their name back: they are data like any other. */
const shown = (value: unknown, state: State): unknown => {
  if (!state.hidesProto || typeof value !== "object" || value === null) return value
  for (const key of Reflect.ownKeys(value)) shown(Reflect.get(value, key), state)
  const held = Object.getOwnPropertyDescriptor(value, hidden)
  if (held !== undefined) {
    Object.defineProperty(value, "__proto__", held)
    Reflect.deleteProperty(value, hidden)
  }
  return value
}

const scalar: Step = (value, state) => (typeof value === "number" ? look(value, state) : value)

const fieldsOf = (ast: AST.TypeLiteral): Step => {
  const known: Record<string, Step> = Object.create(null)
  for (const { name, type } of ast.propertySignatures) known[String(name)] = undeclared(type)
  const index = ast.indexSignatures[0]
  const other = index === undefined ? revive : undeclared(index.type)
  return (value, state) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return scalar(value, state)
    if (!enter(state)) return wrong
    const record = value as Fields
    if (Object.hasOwn(record, "__proto__")) hide(record, state)
    for (const key of Reflect.ownKeys(record) as Array<keyof Fields>) {
      const before = record[key]
      const after = (key === hidden ? other : (known[key] ?? other))(before, state)
      if (after === wrong) return at(state, key === hidden ? "__proto__" : key)
      if (after !== before) record[key] = after
    }
    state.depth -= 1
    return value
  }
}

const itemsOf = (ast: AST.TupleType): Step => {
  const first = ast.elements.map(({ type }) => undeclared(type))
  const rest = ast.rest[0] === undefined ? revive : undeclared(ast.rest[0].type)
  return (value, state) => {
    if (!Array.isArray(value)) return scalar(value, state)
    if (!enter(state)) return wrong
    for (let index = 0; index < value.length; index++) {
      const after = (first[index] ?? rest)(value[index], state)
      if (after === wrong) return at(state, index)
      value[index] = after
    }
    state.depth -= 1
    return value
  }
}

/** One set of fields for all members of a union: a field that any member declares is declared. */
const merged = (members: ReadonlyArray<AST.TypeLiteral>): AST.TypeLiteral => {
  const types = new Map<PropertyKey, Array<AST.AST>>()
  for (const { name, type } of members.flatMap(({ propertySignatures }) => propertySignatures)) {
    types.set(name, [...(types.get(name) ?? []), type])
  }
  const fields = [...types].map(
    ([name, all]) => new AST.PropertySignature(name, AST.Union.make(all), true, true)
  )
  return new AST.TypeLiteral(fields, members.flatMap(({ indexSignatures }) => indexSignatures).slice(0, 1))
}

/** Whether the member's literals, such as its tag, match the value. */
const isTagged = (member: AST.TypeLiteral, record: Record<string, unknown>): boolean =>
  member.propertySignatures.every(
    ({ name, type }) =>
      !AST.isLiteral(type) || (Object.hasOwn(record, name) && record[String(name)] === type.literal)
  )

const unionOf = (ast: AST.Union): Step => {
  const objects = ast.types.filter(AST.isTypeLiteral)
  const lists = ast.types.filter(AST.isTupleType)
  const others = ast.types
    .filter((type) => !AST.isTypeLiteral(type) && !AST.isTupleType(type))
    .map(undeclared)
  const steps = objects.map((member) => ({ member, step: fieldsOf(member) }))
  const all = objects.length > 1 ? fieldsOf(merged(objects)) : steps[0]?.step
  const list = lists[0] === undefined ? undefined : itemsOf(lists[0])
  return (value, state) => {
    if (Array.isArray(value)) return (list ?? others.at(-1) ?? scalar)(value, state)
    if (typeof value === "object" && value !== null && all !== undefined) {
      const tagged = steps.filter(({ member }) => isTagged(member, value as Record<string, unknown>))
      return (tagged.length === 1 && tagged[0] !== undefined ? tagged[0].step : all)(value, state)
    }
    return (others.find((step) => step !== scalar) ?? scalar)(value, state)
  }
}

/** The step over a node's encoded side, which `AST.encodedAST` gives. */
const undeclared = (ast: AST.AST): Step => {
  switch (ast._tag) {
    case "UnknownKeyword":
    case "AnyKeyword":
    case "ObjectKeyword":
      return revive
    case "TypeLiteral":
      return fieldsOf(ast)
    case "TupleType":
      return itemsOf(ast)
    case "Union":
      return unionOf(ast)
    case "Refinement":
      return undeclared(ast.from)
    case "Suspend": {
      let step: Step | undefined
      return (value, state) => {
        step ??= undeclared(ast.f())
        return step(value, state)
      }
    }
    default:
      return scalar
  }
}
