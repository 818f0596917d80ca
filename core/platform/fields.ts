/**
 * The fields of things between the platform's form and ours, by what a call declares of them: names, ids and dates. What a
 * project itself defines, such as the fields of its content, is nobody's to rename.
 */
import * as Option from "effect/Option"
import { isRecord } from "effect/Predicate"
import * as AST from "effect/SchemaAST"
import { isDateTime } from "../kernel/codec/dates.js"
import { kindOf } from "../kernel/codec/state.js"
import { CountedId, TimeId } from "../kernel/operation/answer.js"
import { isPlain } from "../kernel/operation/input.js"
import type { DateForm } from "./definition.js"
import { refuse } from "./faults.js"

/** How fields are written on the wire. */
export interface Rules {
  /** The platform's name of a field that the SDK knows. */
  readonly nameOf: (name: string) => string
  /** Whether ids are numbers on the wire. */
  readonly hasNumericIds: boolean
  /** The form of declared dates; undefined where they are ISO texts. */
  readonly dates: DateForm | undefined
  /** The same for single fields by the platform's names. */
  readonly datesByName: Readonly<Record<string, DateForm>>
}

/** A whole number in a body that is written digit by digit: JavaScript's numbers hold no more than 2⁵³ exactly. */
export class Digits {
  constructor(readonly text: string) {}
}

/** JSON text of plain data with `Digits`; undefined of what JSON would change, such as a Promise, a Date or nothing. */
export const jsonOf = (value: unknown): string | undefined => {
  if (value instanceof Digits) return value.text
  if (Array.isArray(value)) {
    const items = value.map(jsonOf)
    return items.includes(undefined) ? undefined : `[${items.join(",")}]`
  }
  if (typeof value !== "object" || value === null)
    return typeof value === "number" && !Number.isFinite(value) ? undefined : JSON.stringify(value)
  if (!isPlain(value)) return undefined
  const fields = Object.entries(value).flatMap(([name, item]) =>
    item === undefined ? [] : [[name, jsonOf(item)] as const]
  )
  return fields.some(([, text]) => text === undefined)
    ? undefined
    : `{${fields.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`
}

/** Translates a value into a new one. */
export type Translate = (value: unknown) => unknown

/** What a node of a schema says of the values that stand there. */
interface Shape {
  readonly isId: boolean
  readonly isDate: boolean
  readonly item: (() => Shape) | undefined
  readonly fields: ReadonlyMap<string, () => Shape>
}

/** Any value, of which nothing is declared. */
const nothing: Shape = { isId: false, isDate: false, item: undefined, fields: new Map() }

const known = /*#__PURE__*/ new WeakMap<AST.AST, Shape>()

const merged = (shapes: ReadonlyArray<Shape>): Shape => ({
  isId: shapes.some(({ isId }) => isId),
  isDate: shapes.some(({ isDate }) => isDate),
  item: shapes.find(({ item }) => item !== undefined)?.item,
  fields: new Map(shapes.flatMap(({ fields }) => [...fields]))
})

const lazily = (ast: AST.AST) => (): Shape => shapeOf(ast)

/** The shape of a schema's values. */
export const shapeOf = (ast: AST.AST): Shape => {
  const before = known.get(ast)
  if (before !== undefined) return before
  const shape = made(ast)
  known.set(ast, shape)
  return shape
}

const made = (ast: AST.AST): Shape => {
  if (ast.annotations[CountedId] === true) return { ...nothing, isId: true }
  // Of an input's date its schema has the side of the program alone.
  if (isDateTime(ast) || isDate(ast) || ast.annotations[TimeId] === true) return { ...nothing, isDate: true }
  switch (ast._tag) {
    case "TypeLiteral":
      return {
        ...nothing,
        fields: new Map(ast.propertySignatures.map(({ name, type }) => [String(name), lazily(type)]))
      }
    case "TupleType": {
      const [rest] = ast.rest
      return rest === undefined ? nothing : { ...nothing, item: lazily(rest.type) }
    }
    case "Union":
      return merged(ast.types.map(shapeOf))
    case "Suspend":
      return shapeOf(ast.f())
    case "Refinement":
    case "Transformation":
      return shapeOf(ast.from)
    default:
      return nothing
  }
}

/** Whether a node takes a Date of the program. */
const isDate = (ast: AST.AST): boolean =>
  AST.isRefinement(ast)
    ? isDate(ast.from)
    : AST.isDeclaration(ast) && Option.contains(AST.getIdentifierAnnotation(ast), "DateFromSelf")

/** Two fields of one thing that the platform is said to call by one name, so that one of them would be lost. */
export const twinsIn = (
  ast: AST.AST,
  { nameOf }: Rules,
  seen: Set<Shape> = new Set()
): readonly [string, string] | undefined => {
  const inShape = (shape: Shape): readonly [string, string] | undefined => {
    if (seen.has(shape)) return undefined
    seen.add(shape)
    const ours = new Map<string, string>()
    for (const [name, field] of shape.fields) {
      const before = ours.get(nameOf(name))
      if (before !== undefined) return [before, name]
      ours.set(nameOf(name), name)
      const below = inShape(field())
      if (below !== undefined) return below
    }
    return shape.item === undefined ? undefined : inShape(shape.item())
  }
  return inShape(shapeOf(ast))
}

/** The platform's names of the fields that a schema declares at its top. */
export const namesIn = (ast: AST.AST, rules: Rules): ReadonlySet<string> =>
  new Set([...shapeOf(ast).fields.keys()].map(rules.nameOf))

const scale = { seconds: 1_000, milliseconds: 1 }

const isTime = (date: Date | undefined): date is Date => date !== undefined && !Number.isNaN(date.getTime())

/** A date of the wire as ISO text, which answers are read from; what is none stays. */
const readDate = (value: unknown, form: DateForm): unknown => {
  if (typeof form === "object") {
    const date = form.read(value)
    return isTime(date) ? date.toISOString() : value
  }
  const count = typeof value === "string" && /^-?\d{1,16}(\.\d+)?$/.test(value) ? Number(value) : value
  if (typeof count !== "number") return value
  const date = new Date(Math.round(count * scale[form]))
  return isTime(date) ? date.toISOString() : value
}

/** A date, with or without a time. */
const isoText = /^[+-]?\d{4,6}-\d\d-\d\d(T|$)/

/** An ISO text in the form of the wire; what is none stays. */
export const writeDate = (value: unknown, form: DateForm): unknown => {
  if (typeof value !== "string" || !isoText.test(value)) return value
  const date = new Date(value)
  if (!isTime(date)) return value
  if (typeof form !== "object") return date.getTime() / scale[form]
  const written: unknown = form.write(date)
  const isWritten = typeof written === "number" ? Number.isFinite(written) : typeof written === "string"
  return isWritten ? written : refuse("dates.write", kindOf(written))
}

/** What translates the values of shapes, one way. */
interface Direction {
  readonly rules: Rules
  /** The name under which a field stands before, by our name. */
  readonly from: (name: string) => string
  /** The name under which it stands after. */
  readonly to: (name: string) => string
  readonly id: Translate
  readonly date: (value: unknown, form: DateForm) => unknown
  /** Our names of a shape's fields by those under which they stand before. */
  readonly names: WeakMap<Shape, ReadonlyMap<string, string>>
}

const translated = (value: unknown, shape: Shape, way: Direction): unknown => {
  const { rules } = way
  if (Array.isArray(value)) {
    const { item } = shape
    const inner = item === undefined ? nothing : item()
    return value.map((entry) => translated(entry, inner, way))
  }
  if (isRecord(value)) return inRecord(value, shape, way)
  if (shape.isId && rules.hasNumericIds) return way.id(value)
  return shape.isDate && rules.dates !== undefined ? way.date(value, rules.dates) : value
}

const namesOf = (shape: Shape, way: Direction): ReadonlyMap<string, string> => {
  const names =
    way.names.get(shape) ?? new Map([...shape.fields.keys()].map((name) => [way.from(name), name]))
  way.names.set(shape, names)
  return names
}

const inRecord = (value: Record<string, unknown>, shape: Shape, way: Direction): Record<string, unknown> => {
  const names = namesOf(shape, way)
  const entries = new Map<string, unknown>()
  for (const [name, item] of Object.entries(value)) {
    // A platform may write some of its fields as we do.
    const isOurs = shape.fields.has(name) && !Object.hasOwn(value, way.from(name))
    const field = names.get(name) ?? (isOurs ? name : undefined)
    const inner = field === undefined ? undefined : shape.fields.get(field)?.()
    const wireName = field === undefined ? name : way.rules.nameOf(field)
    // What nobody declares anything of is the project's own.
    const form =
      shape !== nothing && Object.hasOwn(way.rules.datesByName, wireName)
        ? way.rules.datesByName[wireName]
        : undefined
    const target = field === undefined ? name : way.to(field)
    // What nobody declares does not take the place of a field that was renamed.
    if (field === undefined && entries.has(target)) continue
    const put = translated(item, inner ?? nothing, way)
    entries.set(target, form === undefined ? put : way.date(put, form))
  }
  return Object.fromEntries(entries)
}

const same = (name: string): string => name

/** Answers of a schema from the platform's form to ours. */
export const reader = (ast: AST.AST, rules: Rules): Translate => {
  const shape = shapeOf(ast)
  const way: Direction = {
    rules,
    from: rules.nameOf,
    to: same,
    id: (value) => (typeof value === "number" ? String(value) : value),
    date: readDate,
    names: new WeakMap()
  }
  return (value) => translated(value, shape, way)
}

const wholeNumber = /^-?(0|[1-9]\d*)$/

const once = <A>(make: () => A): (() => A) => {
  let made: A | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** A shape that knows besides what another one knows of the same values. */
const completed = (shape: Shape, other: Shape): Shape => {
  if (shape === other || other === nothing) return shape
  const fields = new Map(other.fields)
  for (const [name, field] of shape.fields) {
    const same = other.fields.get(name)
    fields.set(name, same === undefined ? field : once(() => completed(field(), same())))
  }
  const [item, otherItem] = [shape.item, other.item]
  return {
    isId: shape.isId || other.isId,
    isDate: shape.isDate || other.isDate,
    item:
      item === undefined || otherItem === undefined
        ? (item ?? otherItem)
        : once(() => completed(item(), otherItem())),
    fields
  }
}

/**
 * Inputs of a schema from our form to the platform's. `answered` is what the same call answers: who changes what was read sends all of
 * it, fields too that the input does not declare.
 */
export const writer = (ast: AST.AST, rules: Rules, answered?: AST.AST): Translate => {
  const input = shapeOf(ast)
  const payload = input.fields.get("payload")
  const thing = answered === undefined ? nothing : shapeOf(answered)
  const shape =
    payload === undefined
      ? completed(input, thing)
      : { ...input, fields: new Map([...input.fields, ["payload", once(() => completed(payload(), thing))]]) }
  const way: Direction = {
    rules,
    from: same,
    to: rules.nameOf,
    id: (value) => (typeof value === "string" && wholeNumber.test(value) ? new Digits(value) : value),
    date: writeDate,
    names: new WeakMap()
  }
  return (value) => translated(value, shape, way)
}
