/** Steps of objects and lists. */
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import { hiddenField, ruleOfData, ruleOfHidden } from "../../operation/input.js"
import { meant } from "../../operation/spelling.js"
import {
  at,
  enter,
  isOwn,
  kindOf,
  makeState,
  note,
  refuse,
  refuseFatally,
  revive,
  type State,
  tolerate,
  within,
  withinItem,
  wrong
} from "../state.js"
import { isEssential, mustBe, takesAnything } from "./nodes.js"
import { type Compile, every, guarded, isAnswer, keep, type Mode, type Step } from "./step.js"

/** A declared field of an object. */
interface Field {
  readonly step: Step
  readonly isRequired: boolean
  /** Whether it may not be omitted, although its schema takes undefined. */
  readonly isGiven: boolean
  /** Whether an answer is refused if the field is missing or of another kind, even by a tolerant client. */
  readonly isEssential: boolean
  readonly key: PropertyKey
  /** The field's name in the path of a mismatch. Names that are data are all written alike. */
  readonly name: string
}

/** Maximum places of an object's fields that are remembered. */
const maxPlaces = 64

/** What a closed input does with a field that it does not declare: an undefined one counts as omitted. */
const unknownField =
  (name: string, names: ReadonlyArray<string>): Step =>
  (value, state) =>
    value === undefined
      ? value
      : refuse(
          state,
          `is not a field of this input${meant(name, names)}${names.includes("query") ? "; query takes further parameters" : ""}`
        )

export const struct = (ast: AST.TypeLiteral, mode: Mode, compile: Compile): Step => {
  const known: Record<string, Field> = Object.create(null)
  const required: Array<Field> = []
  const rules = new Map<Field, string>()
  for (const signature of ast.propertySignatures) {
    const name = String(signature.name)
    // Of an entity that is assumed to be there, any field may be missing.
    const isRequired = !signature.isOptional && mode !== "assumed"
    const field: Field = {
      step: compile(signature.type, mode),
      isRequired,
      isGiven: mode === "input" && takesAnything(signature.type),
      isEssential: isAnswer(mode) && isEssential(signature.type),
      key: signature.name,
      name
    }
    known[name] = field
    rules.set(field, mustBe(signature.type))
    if (isRequired) required.push(field)
  }
  const names = Object.keys(known)
  const hasEssential = required.some((field) => field.isEssential)
  const open = ast.indexSignatures.map(({ parameter, type }) => ({
    accepts: AST.isStringKeyword(parameter) ? keep : compile(parameter, "value"),
    step: compile(type, mode)
  }))
  const isParsed = isAnswer(mode)
  const isClosed = mode === "input" && open.length === 0
  const undeclared: Field = {
    step: isAnswer(mode) ? revive : keep,
    isRequired: false,
    isGiven: false,
    isEssential: false,
    key: "*",
    name: "*"
  }
  const rule =
    open.length === 0 && ast.propertySignatures.length === 0 ? "must be an object" : mustBeObject(ast)
  // The objects of a list mostly have the same fields in the same order: the field found last time at a place is tried
  // first.
  const keys: Array<string> = []
  const fields: Array<Field> = []
  const find = (key: string, place: number): Field => {
    // Of a name that nobody declared nothing is kept.
    if (isClosed && known[key] === undefined) return { ...undeclared, step: unknownField(key, names) }
    const steps = open.filter(({ accepts }) => accepts(key, makeState()) !== wrong).map(({ step }) => step)
    const last = steps.pop()
    const field =
      known[key] ?? (last === undefined ? undeclared : { ...undeclared, step: every(steps, last, mode) })
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
    const source = value as Record<PropertyKey, unknown>
    const start = state.noted
    let record = source
    let presentCount = 0
    let knownCount = 0
    let place = 0
    for (const key in source) {
      // A caller's object may inherit fields; parsed JSON does only if Object.prototype is polluted.
      if (isParsed ? !isOwn(source, key, state) : !Object.hasOwn(source, key)) continue
      const field = (keys[place] === key ? fields[place] : undefined) ?? find(key, place)
      place += 1
      if (field.name !== "*") knownCount += 1
      const before = source[key]
      const { noted } = state
      let after = state.isCareful ? guarded(field.step, before, state) : field.step(before, state)
      if (after === wrong) {
        state.isFatal ||= field.isEssential
        after = tolerate(before, state)
        if (after === wrong) {
          if (before === undefined && !field.isRequired)
            refuse(state, "is undefined: leave it out, or give a value")
          return at(state, key)
        }
      }
      if (state.noted !== noted) {
        if (field.name === "*") withinItem(state, start, noted, "*")
        else within(state, noted, field.name)
      }
      if (after !== before) {
        if (!isParsed && record === source) record = { ...source }
        record[key] = after
      }
      if (field.isRequired && before !== undefined) presentCount += 1
    }
    const hidden = isClosed && knownCount < names.length ? hiddenField(value, names) : undefined
    if (hidden !== undefined) {
      refuse(state, ruleOfHidden)
      return at(state, hidden)
    }
    if (presentCount < required.length) {
      for (const field of required) {
        if (Object.hasOwn(record, field.key) && record[field.key] !== undefined) continue
        const fallback = field.isGiven ? wrong : field.step(undefined, state)
        if (fallback !== wrong) {
          if (fallback === undefined) continue
          if (!isParsed && record === source) record = { ...source }
          record[field.key] = fallback
          continue
        }
        state.isFatal = field.isEssential
        state.path = ""
        if (!state.isTolerant || field.isEssential) {
          refuse(state, "is required")
          return at(state, field.name)
        }
        note(state, field.name, rules.get(field) ?? "", kindOf(undefined))
      }
    }
    state.depth -= 1
    return record
  }
}

const mustBeObject = (ast: AST.TypeLiteral): string =>
  Option.match(AST.getIdentifierAnnotation(ast), {
    onNone: () => "must be an object",
    onSome: (name) => `must be an object (${name})`
  })

/** Takes the items of a list one by one, those of an answer in place. Returns `wrong` unless all are valid or tolerated. */
export const eachItem = (
  list: Array<unknown>,
  stepAt: Step | ReadonlyArray<Step>,
  mode: Mode,
  state: State
): Array<unknown> | typeof wrong => {
  const start = state.noted
  const isParsed = isAnswer(mode)
  let items = list
  for (let index = 0; index < list.length; index++) {
    const before = list[index]
    const { noted } = state
    const step = typeof stepAt === "function" ? stepAt : (stepAt[index] ?? keep)
    let after = state.isCareful ? guarded(step, before, state) : step(before, state)
    if (after === wrong) {
      after = tolerate(before, state)
      if (after === wrong) return at(state, index)
    }
    if (state.noted !== noted) withinItem(state, start, noted)
    if (after !== before) {
      if (!isParsed && items === list) items = [...list]
      items[index] = after
    }
  }
  return items
}

export const list = (ast: AST.TupleType, mode: Mode, compile: Compile): Step => {
  const first = ast.elements.map(({ type }) => compile(type, mode))
  const [rest, ...last] = ast.rest.map(({ type }) => compile(type, mode))
  const least = ast.elements.filter(({ isOptional }) => !isOptional).length + last.length
  const isPlain = first.length === 0 && last.length === 0
  const rule = isPlain ? "must be a list" : mustBe(ast)
  /** The step of each item of a tuple. */
  const steps = (length: number): ReadonlyArray<Step> => {
    const between = Math.max(0, length - first.length - last.length)
    return [...first, ...Array.from({ length: between }, () => rest ?? keep), ...last]
  }
  return (value, state) => {
    if (!Array.isArray(value)) return refuse(state, rule)
    const { length } = value
    if (length < least || (rest === undefined && length > first.length)) {
      refuse(state, rule)
      return at(state, Math.min(length, first.length))
    }
    if (!enter(state)) return wrong
    const items = eachItem(value, isPlain && rest !== undefined ? rest : steps(length), mode, state)
    state.depth -= 1
    return items
  }
}
