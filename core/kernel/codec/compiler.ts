/**
 * Compiles a schema into one closure that checks a value, several times faster than Schema's own interpreter and
 * without `eval`. The schema stays the definition: nodes that are unknown here fall back to it.
 */
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import { EssentialId } from "../operation/answer.js"
import { ruleOfData } from "../operation/input.js"
import * as Dates from "./dates.js"
import { interpreted, keep, type Mode, mustBe, type Step } from "./fallback.js"
import {
  at,
  enter,
  isOwn,
  kindOf,
  look,
  note,
  refuse,
  refuseFatally,
  revive,
  type State,
  tolerate,
  within,
  withinItem,
  wrong
} from "./state.js"

const onlyIf = (ast: AST.AST, test: (value: unknown) => boolean): Step => {
  const rule = mustBe(ast)
  return (value, state) => (test(value) ? value : refuse(state, rule))
}

/** A declared field of an object. */
interface Field {
  readonly step: Step
  readonly isRequired: boolean
  /** Whether an answer is refused if the field is missing or of another kind, even by a tolerant client. */
  readonly isEssential: boolean
  /** The field's name in the path of a mismatch. Names that are data are all written alike. */
  readonly name: string
}

/** Maximum places of an object's fields that are remembered. */
const maxPlaces = 64

/** What a closed input does with a field that it does not declare: an undefined one counts as omitted. */
const unknownField: Step = (value, state) =>
  value === undefined ? value : refuse(state, "is not a field of this input")

const struct = (ast: AST.TypeLiteral, mode: Mode): Step => {
  const index = ast.indexSignatures[0]
  if (ast.indexSignatures.length > 1 || (index !== undefined && !AST.isStringKeyword(index.parameter))) {
    return interpreted(ast, mode)
  }
  const known: Record<string, Field> = Object.create(null)
  const required: Array<Field> = []
  const rules = new Map<Field, string>()
  for (const signature of ast.propertySignatures) {
    const name = String(signature.name)
    const isRequired = !signature.isOptional && !mayBeMissing(signature.type, mode)
    const field: Field = {
      step: compile(signature.type, mode),
      isRequired,
      isEssential: mode === "answer" && isEssential(signature.type),
      name
    }
    known[name] = field
    rules.set(field, mustBe(signature.type))
    if (isRequired) required.push(field)
  }
  const hasEssential = required.some((field) => field.isEssential)
  const isClosed = mode === "input" && index === undefined
  const other: Field = {
    step:
      index !== undefined
        ? compile(index.type, mode)
        : isClosed
          ? unknownField
          : mode === "answer"
            ? revive
            : keep,
    isRequired: false,
    isEssential: false,
    name: "*"
  }
  const rule =
    index === undefined && ast.propertySignatures.length === 0 ? "must be an object" : mustBeObject(ast)
  // The objects of a list mostly have the same fields in the same order: the field found last time at a place is tried
  // first.
  const keys: Array<string> = []
  const fields: Array<Field> = []
  const find = (key: string, place: number): Field => {
    const field = known[key] ?? other
    if (place < maxPlaces) {
      keys[place] = key
      fields[place] = field
    }
    return field
  }
  return (value, state) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return hasEssential ? refuseFatally(state, rule) : refuse(state, rule)
    const hollow =
      mode === "input" && Object.getPrototypeOf(value) !== Object.prototype ? ruleOfData(value) : undefined
    if (hollow !== undefined) return refuse(state, hollow)
    if (!enter(state)) return wrong
    const record = value as Record<string, unknown>
    let found = 0
    let place = 0
    for (const key in record) {
      // A caller's object may inherit fields; parsed JSON does only if Object.prototype is polluted.
      if (mode === "input" ? !Object.hasOwn(record, key) : !isOwn(record, key, state)) continue
      const field = (keys[place] === key ? fields[place] : undefined) ?? find(key, place)
      place += 1
      const before = record[key]
      const { noted } = state
      let after = field.step(before, state)
      if (after === wrong) {
        state.isFatal ||= field.isEssential
        after = tolerate(before, state)
        if (after === wrong) return at(state, key)
      }
      if (state.noted !== noted) within(state, noted, field.name)
      if (after !== before && mode === "answer") record[key] = after
      if (field.isRequired && before !== undefined) found += 1
    }
    if (found < required.length) {
      for (const field of required) {
        if (Object.hasOwn(record, field.name) && record[field.name] !== undefined) continue
        if (!state.isTolerant || field.isEssential) {
          refuseFatally(state, "is required")
          return at(state, field.name)
        }
        note(state, field.name, rules.get(field) ?? "", kindOf(undefined))
      }
    }
    state.depth -= 1
    return value
  }
}

/** Whether a field is declared as essential (`Entity.essential`). */
const isEssential = (ast: AST.AST): boolean => ast.annotations[EssentialId] === true

const mustBeObject = (ast: AST.TypeLiteral): string =>
  Option.match(AST.getIdentifierAnnotation(ast), {
    onNone: () => "must be an object",
    onSome: (name) => `must be an object (${name})`
  })

/** Whether a field that is not optional may still be left out: an input of any type must be given. */
const mayBeMissing = (ast: AST.AST, mode: Mode): boolean =>
  AST.isUndefinedKeyword(ast) ||
  (mode === "answer" && (AST.isUnknownKeyword(ast) || AST.isAnyKeyword(ast))) ||
  (AST.isUnion(ast) && ast.types.some((type) => mayBeMissing(type, mode)))

/** Takes the items of a list one by one, in place. Returns whether all of them are valid or tolerated. */
export const eachItem = (items: Array<unknown>, step: Step, mode: Mode, state: State): boolean => {
  const start = state.noted
  for (let index = 0; index < items.length; index++) {
    const before = items[index]
    const { noted } = state
    let after = step(before, state)
    if (after === wrong) {
      after = tolerate(before, state)
      if (after === wrong) {
        at(state, index)
        return false
      }
    }
    if (state.noted !== noted) withinItem(state, start, noted)
    if (after !== before && mode === "answer") items[index] = after
  }
  return true
}

const list = (item: Step, mode: Mode): Step => {
  return (value, state) => {
    if (!Array.isArray(value)) return refuse(state, "must be a list")
    if (!enter(state) || !eachItem(value, item, mode, state)) return wrong
    state.depth -= 1
    return value
  }
}

/** Whether a node can accept objects or lists, which a trial in a union might change half-way. */
const isStructured = (ast: AST.AST): boolean => {
  switch (ast._tag) {
    case "Refinement":
      return isStructured(ast.from)
    case "Transformation":
      return isStructured(ast.from)
    case "StringKeyword":
    case "NumberKeyword":
    case "BooleanKeyword":
    case "BigIntKeyword":
    case "Literal":
    case "UndefinedKeyword":
    case "VoidKeyword":
    case "NeverKeyword":
    case "Enums":
    case "TemplateLiteral":
      return false
    default:
      return true
  }
}

const union = (ast: AST.Union, mode: Mode): Step => {
  const structured = ast.types.filter(isStructured)
  if (structured.length > 1) return interpreted(ast, mode)
  const takesNull = ast.types.some((type) => AST.isLiteral(type) && type.literal === null)
  const takesUndefined = ast.types.some(AST.isUndefinedKeyword)
  const rest = ast.types.filter(
    (type) => !AST.isUndefinedKeyword(type) && !(AST.isLiteral(type) && type.literal === null)
  )
  const scalars = rest.filter((type) => !isStructured(type)).map((type) => compile(type, mode))
  const object = structured[0] === undefined ? undefined : compile(structured[0], mode)
  const rule = mustBe(ast)
  return (value, state) => {
    if (value === null ? takesNull : value === undefined && takesUndefined) return value
    if (object !== undefined && typeof value === "object" && value !== null) return object(value, state)
    for (let index = 0; index < scalars.length; index++) {
      const result = scalars[index]?.(value, state)
      if (result !== wrong) return result
    }
    // An unknown-keyword member takes scalars too.
    const last = object === undefined ? wrong : object(value, state)
    return last === wrong ? refuse(state, rule) : last
  }
}

/** Compiles a node. */
export const compile = (ast: AST.AST, mode: Mode): Step => {
  switch (ast._tag) {
    case "StringKeyword":
      return onlyIf(ast, (value) => typeof value === "string")
    case "NumberKeyword": {
      const rule = mustBe(ast)
      return (value, state) => (typeof value === "number" ? look(value, state) : refuse(state, rule))
    }
    case "BooleanKeyword":
      return onlyIf(ast, (value) => typeof value === "boolean")
    case "Literal":
      return onlyIf(ast, (value) => value === ast.literal)
    case "UndefinedKeyword":
      return onlyIf(ast, (value) => value === undefined)
    case "UnknownKeyword":
    case "AnyKeyword":
      return mode === "answer" ? revive : keep
    case "TypeLiteral":
      return struct(ast, mode)
    case "TupleType": {
      const rest = ast.rest[0]
      return ast.elements.length === 0 && ast.rest.length === 1 && rest !== undefined
        ? list(compile(rest.type, mode), mode)
        : interpreted(ast, mode)
    }
    case "Union":
      return union(ast, mode)
    case "Refinement": {
      const from = compile(ast.from, mode)
      const rule = mustBe(ast)
      return (value, state) => {
        const inner = from(value, state)
        if (inner === wrong) return wrong
        return Option.isNone(ast.filter(inner, AST.defaultParseOption, ast)) ? inner : refuse(state, rule)
      }
    }
    case "Suspend": {
      let step: Step | undefined
      return (value, state) => {
        step ??= compile(ast.f(), mode)
        return step(value, state)
      }
    }
    case "Transformation": {
      if (mode === "answer" && Dates.isDateTime(ast)) {
        const rule = mustBe(ast)
        return (value, state) =>
          value instanceof Date
            ? value
            : ((typeof value === "string" ? Dates.parse(value) : undefined) ?? refuse(state, rule))
      }
      return interpreted(ast, mode)
    }
    default:
      return interpreted(ast, mode)
  }
}
