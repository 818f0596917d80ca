/**
 * What Schema's own parser does not know of answers, done before it runs: date-times in undeclared parts become Dates,
 * numbers are looked at, nesting is bounded, and no field of JSON can become a prototype. Declared text stays text.
 */
import * as AST from "effect/SchemaAST"
import { at, enter, look, revive, type State, wrong } from "./walk.js"

type Walk = (value: unknown, state: State) => unknown

const keep: Walk = (value, state) => (typeof value === "number" ? look(value, state) : value)

/** Puts what a walk answers in the place of what it was given. */
const inPlace = (holder: Record<string, unknown>, key: string, walk: Walk, state: State): boolean => {
  const before = holder[key]
  const after = walk(before, state)
  if (after === wrong) {
    at(state, key)
    return false
  }
  if (after !== before) holder[key] = after
  return true
}

const fieldsOf = (ast: AST.TypeLiteral): Walk => {
  const known: Record<string, Walk> = Object.create(null)
  for (const { name, type } of ast.propertySignatures) known[String(name)] = undeclared(type)
  const index = ast.indexSignatures[0]
  const other = index === undefined ? revive : undeclared(index.type)
  return (value, state) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return keep(value, state)
    if (!enter(state)) return wrong
    const record = value as Record<string, unknown>
    // Schema's parser would assign it, and so make it the prototype of what it answers.
    Reflect.deleteProperty(record, "__proto__")
    for (const key of Object.keys(record)) {
      if (!inPlace(record, key, known[key] ?? other, state)) return wrong
    }
    state.depth -= 1
    return value
  }
}

const itemsOf = (ast: AST.TupleType): Walk => {
  const first = ast.elements.map(({ type }) => undeclared(type))
  const rest = ast.rest[0] === undefined ? revive : undeclared(ast.rest[0].type)
  return (value, state) => {
    if (!Array.isArray(value)) return keep(value, state)
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

/** One literal for all members of a union whose fields say so: a field that any of them declares is declared. */
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

/** Whether the literals that a member declares, such as its tag, are those of the value. */
const isTagged = (member: AST.TypeLiteral, record: Record<string, unknown>): boolean =>
  member.propertySignatures.every(
    ({ name, type }) =>
      !AST.isLiteral(type) || (Object.hasOwn(record, name) && record[String(name)] === type.literal)
  )

const unionOf = (ast: AST.Union): Walk => {
  const objects = ast.types.filter(AST.isTypeLiteral)
  const lists = ast.types.filter(AST.isTupleType)
  const others = ast.types
    .filter((type) => !AST.isTypeLiteral(type) && !AST.isTupleType(type))
    .map(undeclared)
  const walks = objects.map((member) => ({ member, walk: fieldsOf(member) }))
  const all = objects.length > 1 ? fieldsOf(merged(objects)) : walks[0]?.walk
  const list = lists[0] === undefined ? undefined : itemsOf(lists[0])
  return (value, state) => {
    if (Array.isArray(value)) return (list ?? others.at(-1) ?? keep)(value, state)
    if (typeof value === "object" && value !== null && all !== undefined) {
      const tagged = walks.filter(({ member }) => isTagged(member, value as Record<string, unknown>))
      return (tagged.length === 1 && tagged[0] !== undefined ? tagged[0].walk : all)(value, state)
    }
    return (others.find((walk) => walk !== keep) ?? keep)(value, state)
  }
}

/** The walk over what a node reads; the encoded side of it, that is, which `AST.encodedAST` gives. */
export const undeclared = (ast: AST.AST): Walk => {
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
      let walk: Walk | undefined
      return (value, state) => {
        walk ??= undeclared(ast.f())
        return walk(value, state)
      }
    }
    default:
      return keep
  }
}
