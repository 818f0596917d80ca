/**
 * Compiles a schema into one closure that checks a value, several times faster than Schema's own parser and without
 * `eval`. The schema stays the definition: its transformations, filters and declarations are called as they are.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { ParseIssue } from "effect/ParseResult"
import * as AST from "effect/SchemaAST"
import { AtLeastId, CountedId, EssentialId } from "../operation/answer.js"
import { ruleOfData } from "../operation/input.js"
import { meant } from "../operation/options.js"
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

const labels = [AST.getIdentifierAnnotation, AST.getTitleAnnotation, AST.getDescriptionAnnotation]

/** The rule that a node states. Schema has no words for a function without a name. */
const mustBe = (ast: AST.AST): string => {
  const isNamed = !("filter" in ast || "decodeUnknown" in ast || "transformation" in ast)
  const text =
    isNamed || labels.some((label) => Option.isSome(label(ast)))
      ? Option.getOrElse(AST.getDescriptionAnnotation(ast), () => inWords(ast))
      : "what its schema takes: describe that"
  return `must be ${text.length > 160 ? `${text.slice(0, 157)}…` : text}`
}

const onlyIf = (ast: AST.AST, test: (value: unknown) => boolean): Step => {
  const rule = mustBe(ast)
  return (value, state) =>
    test(value) ? (typeof value === "number" ? look(value, state) : value) : refuse(state, rule)
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
  /** Whether it may not be omitted, although its schema takes undefined. */
  readonly isGiven: boolean
  /** Whether an answer is refused if the field is missing or of another kind, even by a tolerant client. */
  readonly isEssential: boolean
  readonly key: PropertyKey
  /** The field's name in the path of a mismatch. Names that are data are all written alike. */
  readonly name: string
}

/** All of the steps, of which the last gives the value: the others look at copies of an answer. */
const every = (steps: ReadonlyArray<Step>, last: Step, mode: Mode): Step =>
  steps.length === 0
    ? last
    : (value, state) =>
        steps.some((step) => step(mode === "answer" ? copyOf(value) : value, state) === wrong)
          ? wrong
          : last(value, state)

/** Maximum places of an object's fields that are remembered. */
const maxPlaces = 64

/** What a closed input does with a field that it does not declare: an undefined one counts as omitted. */
const unknownField =
  (name: string, names: ReadonlyArray<string>): Step =>
  (value, state) =>
    value === undefined ? value : refuse(state, `is not a field of this input${meant(name, names)}`)

const struct = (ast: AST.TypeLiteral, mode: Mode): Step => {
  const known: Record<string, Field> = Object.create(null)
  const required: Array<Field> = []
  const rules = new Map<Field, string>()
  for (const signature of ast.propertySignatures) {
    const name = String(signature.name)
    const isRequired = !signature.isOptional
    const field: Field = {
      step: compile(signature.type, mode),
      isRequired,
      isGiven: mode === "input" && takesAnything(signature.type),
      isEssential: mode === "answer" && isEssential(signature.type),
      key: signature.name,
      name
    }
    known[name] = field
    rules.set(field, mustBe(signature.type))
    if (isRequired) required.push(field)
  }
  const hasEssential = required.some((field) => field.isEssential)
  const open = ast.indexSignatures.map(({ parameter, type }) => ({
    accepts: AST.isStringKeyword(parameter) ? keep : compile(parameter, "value"),
    step: compile(type, mode)
  }))
  const isClosed = mode === "input" && open.length === 0
  const undeclared: Field = {
    step: mode === "answer" ? revive : keep,
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
    if (isClosed && known[key] === undefined)
      return { ...undeclared, step: unknownField(key, Object.keys(known)) }
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
    const given = value as Record<PropertyKey, unknown>
    const start = state.noted
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
      if (state.noted !== noted) {
        if (field.name === "*") withinItem(state, start, noted, "*")
        else within(state, noted, field.name)
      }
      if (after !== before) {
        if (mode !== "answer" && record === given) record = { ...given }
        record[key] = after
      }
      if (field.isRequired && before !== undefined) found += 1
    }
    if (found < required.length) {
      for (const field of required) {
        if (Object.hasOwn(record, field.key) && record[field.key] !== undefined) continue
        const made = field.isGiven ? wrong : field.step(undefined, state)
        if (made !== wrong) {
          if (made === undefined) continue
          if (mode !== "answer" && record === given) record = { ...given }
          record[field.key] = made
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

/** Whether a field is declared as essential (`Entity.essential`). */
const isEssential = (ast: AST.AST): boolean => ast.annotations[EssentialId] === true

const mustBeObject = (ast: AST.TypeLiteral): string =>
  Option.match(AST.getIdentifierAnnotation(ast), {
    onNone: () => "must be an object",
    onSome: (name) => `must be an object (${name})`
  })

/** Whether a node takes every value. */
const takesAnything = (ast: AST.AST): boolean => AST.isUnknownKeyword(ast) || AST.isAnyKeyword(ast)

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

/** The names and places that lead to what a schema's own function refuses. */
const pathOf = (given: ParseIssue): ReadonlyArray<PropertyKey> => {
  // Each kind of issue has some of these.
  const { issues, issue = [issues].flat()[0], path = [] } = Object(given)
  return issue === undefined ? [] : [path, pathOf(issue)].flat()
}

/** Records a rule that a schema's own function refuses, where it says. What else it says may hold the value. */
const refuseAt = (state: State, rule: string, issue: ParseIssue): typeof wrong => {
  state.path = pathOf(issue).map(String).join(".")
  return refuse(state, rule)
}

/**
 * What a function of a schema gave: an Either or, rarely, an Effect, which is run at once: one that has to wait, throws.
 */
const settled = (
  made: Effect.Effect<unknown, ParseIssue, unknown> | Either.Either<unknown, ParseIssue>,
  rule: string,
  state: State
): unknown => {
  // An answer's schema has no services (`Typed`): a missing one throws.
  const whole = Either.isEither(made) ? made : Effect.either(made as Effect.Effect<unknown, ParseIssue>)
  // biome-ignore lint/plugin: decoding is synchronous, like that of Schema itself.
  const result = Either.isEither(whole) ? whole : Effect.runSync(whole)
  return Either.isRight(result) ? result.right : refuseAt(state, rule, result.left)
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
  const isCopied = mode === "answer" && isStructured(ast.from)
  return (value, state) => {
    // What is tolerated is kept as it came, so what comes is not changed before all is well.
    const inner = from(isCopied && state.isTolerant ? copyOf(value) : value, state)
    if (inner === wrong) return state.path === "" && !state.isFatal ? refuse(state, rule) : wrong
    const made = make(inner, value, state)
    return made === wrong ? wrong : to(made, state)
  }
}

/** What stands behind a refined, transformed or suspended node. */
const behind = (ast: AST.AST): AST.AST | undefined =>
  "from" in ast ? ast.from : AST.isSuspend(ast) ? ast.f() : undefined

/** What a node reads first. */
const sourceOf = (ast: AST.AST): AST.AST => {
  const next = behind(ast)
  return next === undefined ? ast : sourceOf(next)
}

/** Whether a test holds for a node, or for one that stands behind it or is a member of it. */
const reads = (
  ast: AST.AST | undefined,
  test: (ast: AST.AST) => unknown,
  seen: ReadonlyArray<AST.AST> = []
): boolean =>
  ast !== undefined &&
  !seen.includes(ast) &&
  (Boolean(test(ast)) ||
    (AST.isUnion(ast) ? ast.types : [behind(ast)]).some((next) => reads(next, test, [...seen, ast])))

/** Whether a node can accept objects or lists, which a trial in a union might change half-way. */
const isStructured = (ast: AST.AST): boolean =>
  !/^((String|Number|Boolean|BigInt|Undefined|Void|Never)Keyword|Literal|Enums|TemplateLiteral)$/.test(
    sourceOf(ast)._tag
  )

const isNull = (ast: AST.AST): boolean => AST.isLiteral(ast) && ast.literal === null
const isSaid = (ast: AST.AST): boolean => !AST.isUndefinedKeyword(ast) && !isNull(ast)

/** Whether a node takes objects and lists alone. */
const isObject = (ast: AST.AST): boolean => /^T(ypeLiteral|upleType)/.test(sourceOf(ast)._tag)

/** Whether a node makes something of null or undefined. */
const makesOfNothing = (node: AST.AST): boolean =>
  AST.isTransformation(node) && reads(node, (source) => takesAnything(source) || !isSaid(source))

const union = (ast: AST.Union, mode: Mode): Step => {
  const structured = ast.types.filter(isStructured)
  // Only objects and lists surely take no text, so others keep their turn.
  const isOrdered =
    structured[0] !== undefined &&
    !isObject(structured[0]) &&
    structured[0] !== ast.types.filter(isSaid).at(-1)
  if (structured.length > 1 || isOrdered || reads(ast, fallbackOf)) return choice(ast, mode)
  const nothing = reads(ast, makesOfNothing) ? choice(ast, mode) : keep
  const takesNull = ast.types.some(isNull)
  const takesUndefined = ast.types.some(AST.isUndefinedKeyword)
  const rest = ast.types.filter(isSaid)
  const scalars = rest.filter((type) => !isStructured(type)).map((type) => compile(type, mode))
  const object = structured[0] === undefined ? undefined : compile(structured[0], mode)
  const rule = mustBe(ast)
  return (value, state) => {
    if (value === null ? takesNull : value === undefined && takesUndefined) return nothing(value, state)
    if (object !== undefined && typeof value === "object" && value !== null) return object(value, state)
    for (let index = 0; index < scalars.length; index++) {
      const result = scalars[index]?.(value, state)
      if (result !== wrong) return result
      state.path = ""
    }
    // An unknown-keyword member takes scalars too.
    const last = object === undefined ? wrong : object(value, state)
    return last === wrong ? refuse(state, rule) : last
  }
}

type Tag = readonly [name: PropertyKey, literals: ReadonlyArray<unknown>]

/** The values that a node lets through, if it is literals alone. Of one that is transformed, those that it reads. */
const literalsOf = (ast: AST.AST): ReadonlyArray<unknown> => {
  const members: ReadonlyArray<AST.AST> = AST.isUnion(ast) ? ast.types : [sourceOf(ast)]
  return members.every(AST.isLiteral) ? members.map(({ literal }) => literal) : []
}

/** The fields of a member of a union that take only certain values. */
const tagsOf = (member: AST.AST): ReadonlyArray<Tag> => {
  const ast = sourceOf(member)
  return AST.isTypeLiteral(ast)
    ? ast.propertySignatures
        .map(({ isOptional, name, type }): Tag => [name, isOptional ? [] : literalsOf(type)])
        .filter(([, { length }]) => length > 0)
    : []
}

const fits = (tags: ReadonlyArray<Tag>, value: unknown): boolean =>
  tags.every(
    ([name, literals]) => Object.hasOwn(Object(value), name) && literals.includes(Object(value)[name])
  )

/** A copy of parsed JSON, down to the deepest nesting of an answer. */
const copyOf = (value: unknown, depth = 0): unknown => {
  if (typeof value !== "object" || value === null || value instanceof Date || depth > maxDepth) return value
  const copy = (item: unknown): unknown => copyOf(item, depth + 1)
  return Array.isArray(value)
    ? value.map(copy)
    : // An own field "__proto__" stays one.
      Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item)]))
}

/**
 * A union of several kinds of objects: of the members whose literals fit, those with a tag first, each is tried, on
 * copies if there are more.
 */
const choice = (ast: AST.Union, mode: Mode): Step => {
  const all = () => {
    const members = ast.types.map((type) => {
      const tags = tagsOf(type)
      // Several literals are no tag to Schema, which tries such a member in its turn.
      return { tags, isTagged: tags.some(([, { length }]) => length === 1), step: compile(type, mode) }
    })
    return [...members.filter(({ isTagged }) => isTagged), ...members.filter(({ isTagged }) => !isTagged)]
  }
  let members: ReturnType<typeof all> | undefined
  const rule = mustBe(ast)
  return (value, state) => {
    members ??= all()
    const fitting = members.filter(({ tags }) => fits(tags, value))
    const tried = fitting.length === 0 ? members : fitting
    const [only] = tried
    if (only !== undefined && tried.length === 1) return only.step(value, state)
    let first: State | undefined
    let fatal = 0
    for (const { step } of tried) {
      const trial = makeState()
      trial.depth = state.depth
      trial.isCareful = state.isCareful
      const result = step(mode === "answer" ? copyOf(value) : value, trial)
      if (result !== wrong) {
        state.unsafe ||= trial.unsafe
        return result
      }
      if (trial.reason !== "Shape") return refuseFatally(state, trial.rule, trial.reason)
      if (trial.isFatal) fatal += 1
      first ??= trial
    }
    // Names in an answer's path may be data.
    state.path = state.isTolerant ? "" : (first?.path ?? "")
    state.isFatal = fatal === tried.length
    return refuse(state, state.path === "" ? rule : (first?.rule ?? rule))
  }
}

/** What a filter with a least size compares: the length of a text, or a whole number. */
const sizeOf = (value: unknown): number =>
  typeof value === "string" ? value.length : Number.isSafeInteger(value) ? Number(value) : Number.NaN

/** What a schema gives where a value cannot be decoded (`decodingFallback`). */
const fallbackOf = (ast: AST.AST) => Option.getOrUndefined(AST.getDecodingFallbackAnnotation(ast))

const compiled: Readonly<Record<Mode, WeakMap<AST.AST, Step>>> = {
  answer: new WeakMap(),
  input: new WeakMap(),
  value: new WeakMap()
}

/** Compiles a node, once: the nodes of a recursive schema come again at every level of a value. */
export const compile = (ast: AST.AST, mode: Mode): Step => {
  const known = compiled[mode].get(ast)
  if (known !== undefined) return known
  const step = isStricter(ast) ? stricter : withFallback(ast, compileNode(ast, mode))
  compiled[mode].set(ast, step)
  return step
}

const stricter: Step = (_, state) => refuse(state, "has parseOptions")

/** Whether a schema wants fewer undeclared or missing fields than answers may have. */
const isStricter = (ast: AST.AST): boolean => {
  const { exact, onExcessProperty = "preserve" } = Object(ast.annotations[AST.ParseOptionsAnnotationId])
  return exact || onExcessProperty !== "preserve"
}

const withFallback = (ast: AST.AST, step: Step): Step => {
  const fallback = fallbackOf(ast)
  if (fallback === undefined) return step
  return (value, state) => {
    const { depth } = state
    const result = step(value, state)
    if (result !== wrong) return result
    const issue: ParseIssue = { _tag: "Type", ast, actual: value, message: state.rule }
    state.depth = depth
    state.path = ""
    state.isFatal = false
    return settled(fallback(issue), state.rule, state)
  }
}

/** A step that is made by the first value: what is suspended may not be defined before. */
const lazily = (make: () => Step): Step => {
  let step: Step | undefined
  return (value, state) => {
    step ??= make()
    return step(value, state)
  }
}

const compileNode = (ast: AST.AST, mode: Mode): Step => {
  switch (ast._tag) {
    case "StringKeyword":
      return onlyIf(ast, (value) => typeof value === "string")
    case "NumberKeyword":
      return onlyIf(ast, (value) => typeof value === "number")
    case "BooleanKeyword":
      return onlyIf(ast, (value) => typeof value === "boolean")
    case "Literal":
      return onlyIf(ast, (value) => value === ast.literal)
    case "UndefinedKeyword":
      return onlyIf(ast, (value) => value === undefined)
    case "UnknownKeyword":
    case "AnyKeyword":
    case "VoidKeyword":
      return mode === "answer" ? revive : keep
    case "TypeLiteral":
      return struct(ast, mode)
    case "TupleType":
      return list(ast, mode)
    case "Union":
      return reads(ast, AST.isSuspend) ? lazily(() => union(ast, mode)) : union(ast, mode)
    case "Refinement": {
      const from = compile(ast.from, mode)
      const rule = mustBe(ast)
      const least = ast.annotations[AtLeastId]
      const isCopied = mode === "answer" && isStructured(ast.from)
      const isCounted = mode === "input" && ast.annotations[CountedId] === true
      return (value, state) => {
        if (isCounted && Number.isSafeInteger(value)) return value
        const inner = from(isCopied && state.isTolerant ? copyOf(value) : value, state)
        if (inner === wrong) return wrong
        if (typeof least === "number") return sizeOf(inner) >= least ? inner : refuse(state, rule)
        const issue = ast.filter(inner, options, ast)
        return Option.isNone(issue) ? inner : refuseAt(state, rule, issue.value)
      }
    }
    case "Suspend":
      return lazily(() => compile(ast.f(), mode))
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
      return (value, state) =>
        settled(parse(typeof value === "number" ? look(value, state) : value, options, ast), rule, state)
    }
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
