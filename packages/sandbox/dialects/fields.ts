/**
 * Declared fields in a dialect: their names, their dates and their ids, by the schema of what is read or written. What
 * no schema declares, such as the content's own fields, stays as it is.
 */
import { Dates, Entity } from "@quartet/sdk/extend"
import * as Either from "effect/Either"
import { isRecord } from "effect/Predicate"
import * as AST from "effect/SchemaAST"
import { invalid, type Refusal } from "../platform/refusal.js"
import type { Dialect } from "./axes.js"
import { Digits, type Ids } from "./ids.js"

/** A schema's node without optionality, refinements and suspension. */
const cores = (ast: AST.AST): ReadonlyArray<AST.AST> => {
  if (ast === Entity.Id.ast) return [ast]
  if (AST.isRefinement(ast)) return ast.from === undefined ? [ast] : [ast, ...cores(ast.from)]
  if (AST.isTransformation(ast)) return [ast, ...cores(ast.to)]
  if (AST.isSuspend(ast)) return cores(ast.f())
  return AST.isUnion(ast) ? ast.types.flatMap(cores) : [ast]
}

/** Names of paths and queries that are no ids, although they are written as such. */
const words = new Set(["apiId", "kind", "key", "currency", "city", "projectId"])

const isIdNode = (ast: AST.AST | undefined): boolean =>
  ast !== undefined && cores(ast).some((node) => node === Entity.Id.ast)

const isDateNode = (ast: AST.AST | undefined): boolean =>
  ast !== undefined && cores(ast).some((node) => node._tag === "Declaration" || node === Dates.DateTime.ast)

/** The fields of a schema of objects. */
export const fieldsIn = (ast: AST.AST | undefined): ReadonlyMap<string, AST.AST> =>
  new Map(
    (ast === undefined ? [] : cores(ast))
      .filter(AST.isTypeLiteral)
      .flatMap(({ propertySignatures }) =>
        propertySignatures.map(({ name, type }) => [String(name), type] as const)
      )
  )

/** The schema of what stands under the further names of an object, unless that may be anything. */
const furtherIn = (ast: AST.AST | undefined): AST.AST | undefined => {
  const types = (ast === undefined ? [] : cores(ast))
    .filter(AST.isTypeLiteral)
    .flatMap(({ indexSignatures }) => indexSignatures.map(({ type }) => type))
  return types.find((type) => !AST.isUnknownKeyword(type))
}

const itemIn = (ast: AST.AST | undefined): AST.AST | undefined =>
  (ast === undefined ? [] : cores(ast)).find(AST.isTupleType)?.rest[0]?.type

/** A name in snake_case. */
const snakeOf = (name: string): string =>
  name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A name in camelCase. */
export const camelOf = (name: string): string =>
  name.replace(/(?<=[a-z0-9])_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Whether a further parameter's value is an id, or several. */
const isIdParameter = (name: string): boolean =>
  name === "_id" || (/(Id|Ids)$/.test(name) && !words.has(name) && name !== "clientId")

/** The fields of one dialect. */
export interface Fields {
  /** The name of a declared field. */
  readonly nameOf: (name: string) => string
  /** A value of a schema, as it is sent. */
  readonly sent: (ast: AST.AST | undefined, value: unknown) => unknown
  /** What was received, as a value of a schema in the platform's own form. */
  readonly received: (
    ast: AST.AST | undefined,
    value: unknown,
    path?: string
  ) => Either.Either<unknown, Refusal>
  /** The value of a parameter of a path or a query. */
  readonly parameter: (ast: AST.AST | undefined, name: string, text: string) => Either.Either<string, Refusal>
  /** An id, as it is sent. */
  readonly id: (id: string) => unknown
}

const isDate = (value: unknown): value is Date => value instanceof Date

export const make = ({ dates, idField, ids: kind, names }: Dialect, ids: Ids): Fields => {
  const isNumbered = kind === "numbers"
  const nameOf = (name: string): string => {
    if (name === "_id") return idField
    return names === "snake" ? snakeOf(name) : name
  }
  const id = (text: string): unknown => {
    if (!isNumbered) return text
    const digits = ids.numberOf(text)
    return digits === text ? text : new Digits(digits)
  }
  const date = (value: Date): unknown => {
    if (dates === "iso") return value
    return dates === "seconds" ? Math.floor(value.getTime() / 1000) : value.getTime()
  }
  /** The address of a file holds its id. */
  const address = (text: string): string => text.replace(/(?<=\/)[0-9a-f]{24}(?=\/)/g, ids.numberOf)

  const sent = (ast: AST.AST | undefined, value: unknown): unknown => {
    if (ast === undefined) return value
    if (isDate(value)) return isDateNode(ast) ? date(value) : value
    if (typeof value === "string") return isIdNode(ast) ? id(value) : value
    if (Array.isArray(value)) {
      const item = itemIn(ast)
      return value.map((element: unknown) => sent(item, element))
    }
    if (!isRecord(value)) return value
    const declared = fieldsIn(ast)
    const further = furtherIn(ast)
    return Object.fromEntries(
      Object.entries(value).map(([name, field]): [string, unknown] => {
        const type = declared.get(name)
        if (type === undefined) return [name, sent(further, field)]
        if (name === "_id" && typeof field === "string") return [idField, id(field)]
        if (name === "url" && typeof field === "string") return [nameOf(name), address(field)]
        return [nameOf(name), sent(type, field)]
      })
    )
  }

  /** A time in seconds or milliseconds as text. */
  const textOfTime = (time: number): string | undefined => {
    const moment = new Date(dates === "seconds" ? time * 1000 : time)
    return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
  }

  const receivedDate = (value: unknown, path: string): Either.Either<unknown, Refusal> => {
    if (dates === "iso" || value === null) return Either.right(value)
    const text = typeof value === "number" ? textOfTime(value) : undefined
    return text === undefined
      ? Either.left(invalid(path, `must be a time in ${dates} since 1970`))
      : Either.right(text)
  }

  const receivedId = (value: unknown, path: string): Either.Either<unknown, Refusal> => {
    if (!isNumbered || value === null) return Either.right(value)
    if (value instanceof Digits) return Either.right(ids.textOf(value.text))
    if (typeof value === "number") return Either.right(ids.textOf(String(value)))
    // The project's id alone is text.
    return typeof value === "string" && ids.numberOf(value) === value
      ? Either.right(value)
      : Either.left(invalid(path, "must be a whole number"))
  }

  const received = (ast: AST.AST | undefined, value: unknown, path = ""): Either.Either<unknown, Refusal> => {
    if (ast !== undefined && isDateNode(ast)) return receivedDate(value, path)
    if (ast !== undefined && isIdNode(ast)) return receivedId(value, path)
    if (value instanceof Digits) return Either.right(Number(value.text))
    const at = (name: string | number): string => (path === "" ? String(name) : `${path}.${name}`)
    if (Array.isArray(value)) {
      const item = itemIn(ast)
      return Either.all(value.map((element: unknown, index) => received(item, element, at(index))))
    }
    if (!isRecord(value)) return Either.right(value)
    const declared = fieldsIn(ast)
    const further = furtherIn(ast)
    const own = new Map([...declared].map(([name, type]) => [nameOf(name), { name, type }] as const))
    const fields: Record<string, unknown> = {}
    for (const [name, field] of Object.entries(value)) {
      const known = own.get(name)
      if (known === undefined && declared.has(name))
        return Either.left(invalid(at(name), `is not a field (did you mean "${nameOf(name)}"?)`))
      const result = received(known?.type ?? further, field, at(name))
      if (Either.isLeft(result)) return result
      fields[known?.name ?? name] = result.right
    }
    return Either.right(fields)
  }

  const parameter = (
    ast: AST.AST | undefined,
    name: string,
    text: string
  ): Either.Either<string, Refusal> => {
    const item = itemIn(ast)
    const isId = !words.has(name) && (ast === undefined ? isIdParameter(name) : isIdNode(item ?? ast))
    if (isNumbered && (isId || name === "inUserIds" || name === "notInUserIds"))
      return Either.right(text.split(",").map(ids.textOf).join(","))
    if (dates === "iso" || !(isDateNode(ast) || name === "from" || name === "to")) return Either.right(text)
    const time = /^-?\d+(\.\d+)?$/.test(text) ? textOfTime(Number(text)) : undefined
    // A further parameter is the caller's own to write.
    if (time !== undefined || !isDateNode(ast)) return Either.right(time ?? text)
    return Either.left(invalid(name, `must be a time in ${dates} since 1970`))
  }

  return { nameOf, sent, received, parameter, id }
}
