/**
 * Compiles a schema into one closure that checks a value, several times faster than Schema's own parser and without
 * `eval`. The schema stays the definition: its transformations, filters and declarations are called as they are.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { ParseIssue } from "effect/ParseResult"
import * as AST from "effect/SchemaAST"
import { AtLeastId, EssentialId } from "../operation/answer.js"
import { ruleOfData } from "../operation/input.js"
import * as Dates from "./dates.js"
import {
  at,
  enter,
  isOwn,
  kindOf,
  look,
  makeState,
  maxDepth,
  note,
  refuse,
  refuseFatally,
  revive,
  type State,
  tolerate,
  unreadable,
  within,
  withinItem,
  wrong
} from "./state.js"

/** Checks a value and returns it, with its dates revived in place, or `wrong` with the rule in the state. */
export type Step = (value: unknown, state: State) => unknown

/**
 * `answer`: parsed JSON, changed in place, undeclared fields kept and their dates revived. `input`: a caller's value,
 * never changed, with undeclared fields refused unless the schema is open. `value`: what a transformation made, never
 * changed, undeclared fields kept.
 */
export type Mode = "answer" | "input" | "value"

/** Accepts everything unchanged. */
const keep: Step = (value) => value

/** A union's members in words. An optional field's `undefined` is not listed. */
const inWords = (ast: AST.AST): string =>
  AST.isUnion(ast)
    ? ast.types
        .filter((type) => !AST.isUndefinedKeyword(type))
        .map(String)
        .join(" | ")
    : String(ast)

/** The rule that a node states. */
const mustBe = (ast: AST.AST): string => {
  const text = Option.getOrElse(AST.getDescriptionAnnotation(ast), () => inWords(ast))
  return `must be ${text.length > 160 ? `${text.slice(0, 157)}…` : text}`
}

const onlyIf = (ast: AST.AST, test: (value: unknown) => boolean): Step => {
  const rule = mustBe(ast)
  return (value, state) => (test(value) ? value : refuse(state, rule))
}

/** A step that refuses the value over which a schema throws: a caller's own may. */
export const guarded = (step: Step, value: unknown, state: State): unknown => {
  const { depth } = state
  return Either.getOrElse(
    Either.try(() => step(value, state)),
    () => {
      state.depth = depth
      state.path = ""
      return refuse(state, unreadable)
    }
  )
}

/** A declared field of an object. */
interface Field {
  readonly step: Step
  readonly isRequired: boolean
  /** Whether a missing field is made by its schema. */
  readonly isMade: boolean
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
  const known: Record<string, Field> = Object.create(null)
  const required: Array<Field> = []
  const rules = new Map<Field, string>()
  for (const signature of ast.propertySignatures) {
    const name = String(signature.name)
    const isRequired = !signature.isOptional && !mayBeMissing(signature.type, mode)
    const field: Field = {
      step: compile(signature.type, mode),
      isRequired,
      isMade: isRequired && makesOfNothing(signature.type),
      isEssential: mode === "answer" && isEssential(signature.type),
      name
    }
    known[name] = field
    rules.set(field, mustBe(signature.type))
    if (isRequired) required.push(field)
  }
  const hasEssential = required.some((field) => field.isEssential)
  const otherwise = (step: Step): Field => ({
    step,
    isRequired: false,
    isMade: false,
    isEssential: false,
    name: "*"
  })
  const open = ast.indexSignatures.map(({ parameter, type }) => ({
    accepts: AST.isStringKeyword(parameter) ? keep : compile(parameter, "value"),
    field: otherwise(compile(type, mode))
  }))
  const isClosed = mode === "input" && open.length === 0
  const undeclared = otherwise(isClosed ? unknownField : mode === "answer" ? revive : keep)
  const rule =
    open.length === 0 && ast.propertySignatures.length === 0 ? "must be an object" : mustBeObject(ast)
  // The objects of a list mostly have the same fields in the same order: the field found last time at a place is tried
  // first.
  const keys: Array<string> = []
  const fields: Array<Field> = []
  const find = (key: string, place: number): Field => {
    const field =
      known[key] ?? open.find(({ accepts }) => accepts(key, makeState()) !== wrong)?.field ?? undeclared
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
    const given = value as Record<string, unknown>
    let record = given
    let found = 0
    let place = 0
    for (const key in given) {
      // A caller's object may inherit fields; parsed JSON does only if Object.prototype is polluted.
      if (mode === "answer" ? !isOwn(given, key, state) : !Object.hasOwn(given, key)) continue
      const field = (keys[place] === key ? fields[place] : undefined) ?? find(key, place)
      place += 1
      const before = given[key]
      const { noted } = state
      let after = state.isCareful ? guarded(field.step, before, state) : field.step(before, state)
      if (after === wrong) {
        state.isFatal ||= field.isEssential
        after = tolerate(before, state)
        if (after === wrong) return at(state, key)
      }
      if (state.noted !== noted) within(state, noted, field.name)
      if (after !== before) {
        if (mode !== "answer" && record === given) record = { ...given }
        record[key] = after
      }
      if (field.isRequired && before !== undefined) found += 1
    }
    if (found < required.length) {
      for (const field of required) {
        if (Object.hasOwn(record, field.name) && record[field.name] !== undefined) continue
        const made = field.isMade ? field.step(undefined, state) : wrong
        if (made !== wrong) {
          if (mode !== "answer" && record === given) record = { ...given }
          record[field.name] = made
          continue
        }
        if (!state.isTolerant || field.isEssential) {
          refuseFatally(state, "is required")
          return at(state, field.name)
        }
        note(state, field.name, rules.get(field) ?? "", kindOf(undefined))
      }
    }
    state.depth -= 1
    return record
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
  (mode !== "input" && (AST.isUnknownKeyword(ast) || AST.isAnyKeyword(ast))) ||
  (AST.isUnion(ast) && ast.types.some((type) => mayBeMissing(type, mode)))

/** Takes the items of a list one by one, those of an answer in place. Returns `wrong` unless all are valid or tolerated. */
export const eachItem = (
  given: Array<unknown>,
  stepAt: Step | ReadonlyArray<Step>,
  mode: Mode,
  state: State
): Array<unknown> | typeof wrong => {
  const start = state.noted
  let items = given
  for (let index = 0; index < given.length; index++) {
    const before = given[index]
    const { noted } = state
    const step = typeof stepAt === "function" ? stepAt : (stepAt[index] ?? keep)
    let after = state.isCareful ? guarded(step, before, state) : step(before, state)
    if (after === wrong) {
      after = tolerate(before, state)
      if (after === wrong) return at(state, index)
    }
    if (state.noted !== noted) withinItem(state, start, noted)
    if (after !== before) {
      if (mode !== "answer" && items === given) items = [...given]
      items[index] = after
    }
  }
  return items
}

const list = (ast: AST.TupleType, mode: Mode): Step => {
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

/**
 * What a function of a schema gave: an Either or, rarely, an Effect, which is run at once: one that has to wait, throws.
 */
const settled = (made: Effect.Effect<unknown, unknown, unknown>, rule: string, state: State): unknown => {
  // An answer's schema has no services (`Typed`): a missing one throws.
  const whole = Either.isEither(made) ? undefined : Effect.either(made as Effect.Effect<unknown, unknown>)
  // biome-ignore lint/plugin: decoding is synchronous, like that of Schema itself.
  const result = whole === undefined ? made : Effect.runSync(whole)
  return Either.isEither(result) && Either.isRight(result) ? result.right : refuse(state, rule)
}

/** What a schema's functions are told: they keep undeclared fields too. */
const options: AST.ParseOptions = { onExcessProperty: "preserve" }

/** The function that a transformation applies to its decoded source. */
const change = (
  ast: AST.Transformation,
  rule: string
): ((inner: unknown, value: unknown, state: State) => unknown) => {
  const { transformation } = ast
  switch (transformation._tag) {
    case "FinalTransformation":
      return (inner, value, state) => settled(transformation.decode(inner, options, ast, value), rule, state)
    case "ComposeTransformation":
      return (inner) => inner
    case "TypeLiteralTransformation":
      return (inner) => {
        const record: Record<PropertyKey, unknown> = { ...Object(inner) }
        for (const { decode, from, to } of transformation.propertySignatureTransformations) {
          const made = decode(Object.hasOwn(record, from) ? Option.some(record[from]) : Option.none())
          delete record[from]
          if (Option.isSome(made)) record[to] = made.value
        }
        return record
      }
  }
}

const transformed = (ast: AST.Transformation, mode: Mode): Step => {
  const from = compile(ast.from, mode)
  const to = compile(ast.to, "value")
  const rule = mustBe(ast)
  const make = change(ast, rule)
  return (value, state) => {
    const inner = from(value, state)
    if (inner !== wrong) {
      const made = make(inner, value, state)
      return made === wrong ? wrong : to(made, state)
    }
    if (state.path === "" && !state.isFatal) refuse(state, rule)
    // A transformation may still read a value that is tolerated.
    const noted = tolerate(value, state)
    if (noted === wrong) return wrong
    const made = guarded((given) => make(given, value, state), noted, state)
    return made === wrong ? noted : made
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

/** Whether a node takes null or undefined by itself. */
const takesNothing = (ast: AST.AST): boolean =>
  AST.isTransformation(ast) || AST.isRefinement(ast)
    ? takesNothing(ast.from)
    : AST.isUnion(ast)
      ? ast.types.some(takesNothing)
      : AST.isUnknownKeyword(ast) ||
        AST.isUndefinedKeyword(ast) ||
        (AST.isLiteral(ast) && ast.literal === null)

/** Whether a node makes something of null or undefined. */
const makesOfNothing = (ast: AST.AST): boolean =>
  fallbackOf(ast) !== undefined ||
  (AST.isRefinement(ast) && makesOfNothing(ast.from)) ||
  (AST.isUnion(ast) && ast.types.some(makesOfNothing)) ||
  (AST.isTransformation(ast) && takesNothing(ast))

const union = (ast: AST.Union, mode: Mode): Step => {
  const structured = ast.types.filter(isStructured)
  if (structured.length > 1 || ast.types.some(makesOfNothing)) return choice(ast, mode)
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

/** Whether the literals that a member of a union declares, such as its tag, stand in the value. */
const fits = (member: AST.AST, value: unknown): boolean => {
  if (AST.isRefinement(member) || AST.isTransformation(member)) return fits(member.from, value)
  return (
    !AST.isTypeLiteral(member) ||
    member.propertySignatures.every(
      ({ isOptional, name, type }) =>
        isOptional ||
        !AST.isLiteral(type) ||
        (Object.hasOwn(Object(value), name) && Object(value)[name] === type.literal)
    )
  )
}

/** A copy of parsed JSON, down to the deepest nesting of an answer. */
const copyOf = (value: unknown, depth = 0): unknown => {
  if (typeof value !== "object" || value === null || value instanceof Date || depth > maxDepth) return value
  const copy = (item: unknown): unknown => copyOf(item, depth + 1)
  return Array.isArray(value)
    ? value.map(copy)
    : // An own field "__proto__" stays one.
      Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item)]))
}

/** A union of several kinds of objects: the members whose literals fit are tried in turn, on copies if there are more. */
const choice = (ast: AST.Union, mode: Mode): Step => {
  const members = ast.types.map((type) => ({ type, step: compile(type, mode === "input" ? "value" : mode) }))
  const rule = mustBe(ast)
  return (value, state) => {
    const fitting = members.filter(({ type }) => fits(type, value))
    const [only, ...others] = fitting.length === 0 ? members : fitting
    if (only !== undefined && others.length === 0) return only.step(value, state)
    let path: string | undefined
    for (const { step } of fitting.length === 0 ? members : fitting) {
      const trial = makeState()
      trial.depth = state.depth
      trial.isCareful = state.isCareful
      const result = step(mode === "answer" ? copyOf(value) : value, trial)
      if (result !== wrong) {
        state.unsafe ||= trial.unsafe
        return result
      }
      if (trial.reason !== "Shape") return refuseFatally(state, trial.rule, trial.reason)
      path ??= trial.path
    }
    state.path = path ?? ""
    return refuse(state, rule)
  }
}

/** What a filter with a least size compares: the length of a text, or a whole number. */
const sizeOf = (value: unknown): number =>
  typeof value === "string" ? value.length : Number.isSafeInteger(value) ? Number(value) : Number.NaN

/** What a schema gives where a value cannot be decoded (`decodingFallback`). */
const fallbackOf = (ast: AST.AST) => Option.getOrUndefined(AST.getDecodingFallbackAnnotation(ast))

/** Compiles a node. */
export const compile = (ast: AST.AST, mode: Mode): Step => {
  const step = compileNode(ast, mode)
  const fallback = fallbackOf(ast)
  if (fallback === undefined) return step
  return (value, state) => {
    const result = step(value, state)
    if (result !== wrong) return result
    const issue: ParseIssue = { _tag: "Type", ast, actual: value, message: state.rule }
    state.path = ""
    return settled(fallback(issue), state.rule, state)
  }
}

const compileNode = (ast: AST.AST, mode: Mode): Step => {
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
    case "TupleType":
      return list(ast, mode)
    case "Union":
      return union(ast, mode)
    case "Refinement": {
      const from = compile(ast.from, mode)
      const rule = mustBe(ast)
      const least = ast.annotations[AtLeastId]
      const holds =
        typeof least === "number"
          ? (inner: unknown) => sizeOf(inner) >= least
          : (inner: unknown) => Option.isNone(ast.filter(inner, AST.defaultParseOption, ast))
      return (value, state) => {
        const inner = from(value, state)
        return inner === wrong || holds(inner) ? inner : refuse(state, rule)
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
      return transformed(ast, mode)
    }
    case "Declaration": {
      const rule = mustBe(ast)
      const parse = ast.decodeUnknown(...ast.typeParameters)
      return (value, state) => settled(parse(value, options, ast), rule, state)
    }
    case "VoidKeyword":
      return keep
    case "NeverKeyword":
      return onlyIf(ast, () => false)
    case "BigIntKeyword":
      return onlyIf(ast, (value) => typeof value === "bigint")
    case "SymbolKeyword":
      return onlyIf(ast, (value) => typeof value === "symbol")
    case "UniqueSymbol":
      return onlyIf(ast, (value) => value === ast.symbol)
    case "Enums":
      return onlyIf(ast, (value) => ast.enums.some(([, known]) => known === value))
    case "ObjectKeyword": {
      const isObject = onlyIf(ast, (value) => Object(value) === value)
      return mode === "answer"
        ? (value, state) => (isObject(value, state) === wrong ? wrong : revive(value, state))
        : isObject
    }
    case "TemplateLiteral": {
      const regex = AST.getTemplateLiteralRegExp(ast)
      return onlyIf(ast, (value) => typeof value === "string" && regex.test(value))
    }
  }
}
