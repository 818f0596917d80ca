/**
 * Maps among the objects of a recording: those whose names vary, or are alike, as keys do and fields do not, though none is
 * spelt like data. Neither a file nor a module holds their names. A name that an operation declares is a field.
 */
import type * as AST from "effect/SchemaAST"
import { fieldsOf, itemOf } from "./declared.js"
import { wordsOf } from "./keys.js"
import { asDictionary, join, type Objects, type Shape, total } from "./shape.js"

/** The kinds of a shape. */
const kindsOf = (shape: Shape): ReadonlyArray<string> => Object.keys(shape).filter((kind) => kind !== "null")

const nothing: Objects = { count: 0, fields: {} }

/** Whether values are objects with the same fields, or maps. */
const areAlike = (shapes: ReadonlyArray<Shape>): boolean => {
  const said = shapes.map(({ object: { fields, names } = nothing }) =>
    [...Object.keys(fields), ...(names === undefined ? [] : ["*"])].join(" ")
  )
  return said[0] !== "" && new Set(said).size === 1
}

/** Whether the name of a field says that it holds a map: `byUser`, `counts_by_city`, `userMap`. */
const isOfMap = (name: string): boolean => {
  const words = wordsOf(name).map((word) => word.toLowerCase())
  return words.slice(0, -1).includes("by") || (words.length > 1 && words.at(-1) === "map")
}

/**
 * Whether the names are keys: all values are of one kind, and the field's name says so, or the names stand beside keys, or
 * vary between objects, or all begin with a capital, as no field of JSON does, or hold objects that are alike.
 */
const isMap = (
  { count, fields, isFields, names }: Objects,
  declared: ReadonlyMap<string, unknown>,
  name: string
): boolean => {
  const keys = Object.keys(fields)
  const shapes = Object.values(fields)
  if (isFields || keys.length === 0 || keys.some((key) => declared.has(key))) return false
  if (kindsOf(shapes.reduce(join, names ?? {})).length !== 1) return false
  const seen = shapes.map(total)
  const isVarying =
    keys.length > 2 &&
    seen.every((times) => times < count) &&
    seen.reduce((sum, times) => sum + times, 0) * 2 < keys.length * count
  return (
    names !== undefined ||
    isOfMap(name) ||
    isVarying ||
    keys.every((key) => /^[A-Z]/.test(key)) ||
    (keys.length > 1 && areAlike(shapes))
  )
}

/** The same shape with all names of maps taken for data; `declared` is what the operation declares of the place, `name` is the field's. */
export const withoutNames = (shape: Shape, declared?: AST.AST, name = ""): Shape => {
  const { list, object } = shape
  return {
    ...shape,
    ...(list && { list: { ...list, items: withoutNames(list.items, itemOf(declared), name) } }),
    ...(object && { object: objectWithoutNames(object, fieldsOf(declared), name) })
  }
}

const objectWithoutNames = (
  object: Objects,
  declared: ReadonlyMap<string, AST.AST>,
  name: string
): Objects => {
  const fields = Object.fromEntries(
    Object.entries(object.fields).map(([key, field]) => [key, withoutNames(field, declared.get(key), key)])
  )
  const inner = { ...object, fields }
  const shape = isMap(inner, declared, name) ? asDictionary(inner) : inner
  return { ...shape, ...(shape.names && { names: withoutNames(shape.names) }) }
}

/** The names of fields that a shape keeps and that the operation does not declare. */
export const undeclaredIn = (shape: Shape, declared?: AST.AST): ReadonlyArray<string> => {
  const { list, object } = shape
  const known = fieldsOf(declared)
  return [
    ...(list === undefined ? [] : undeclaredIn(list.items, itemOf(declared))),
    ...(object?.names === undefined ? [] : undeclaredIn(object.names)),
    ...Object.entries(object?.fields ?? {}).flatMap(([name, field]) => [
      ...(known.has(name) ? [] : [name]),
      ...undeclaredIn(field, known.get(name))
    ])
  ]
}
