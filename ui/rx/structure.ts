/** Values compared by what they contain, not by reference: when two inputs are one query, and what a new answer left unchanged. */

import { halves, joined, own, Raw } from "@quartet/sdk/extend"
import * as Equal from "effect/Equal"
import type * as AST from "effect/SchemaAST"

const ids = /*#__PURE__*/ new WeakMap<object, number>()
let last = 0

/** A number of its own for each object. */
export const idOf = (object: object): number => {
  const id = ids.get(object) ?? ++last
  ids.set(object, id)
  return id
}

const texts = /*#__PURE__*/ new WeakMap<AST.AST, string>()

/**
 * What a schema says, as a hash: the same on a server as in a browser. What a transformation or a default does is no part of it
 * where the schema has no `identifier`.
 */
export const hashOf = (schema: AST.AST): string => {
  const hash = texts.get(schema) ?? joined(halves(String(schema))).toString(36)
  texts.set(schema, hash)
  return hash
}

/** The `_id` of an entity, if it is text or a number. */
export const entityIdOf = (value: unknown): string | number | undefined => {
  const id = own(value, "_id")
  return typeof id === "number" || (typeof id === "string" && id !== "") ? id : undefined
}

/** Whether a value is an object without a class. */
export const isPlain = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The text of an input, and whether it means the same in another process. */
export interface Canonical {
  readonly text: string
  readonly isPortable: boolean
}

/**
 * One text for equal inputs and different texts for different ones: fields in the order of their names, those that
 * are undefined left out as they are on the wire, Dates by their time. What has no structure to compare (files,
 * functions, instances of classes) counts by identity.
 */
export const canonical = (input: unknown): Canonical => {
  let isPortable = true
  const write = (value: unknown, parents: ReadonlyArray<unknown>): string => {
    if (typeof value === "string") return JSON.stringify(value)
    if (typeof value === "bigint") return `${value}n`
    if (value === null || (typeof value !== "object" && typeof value !== "function")) return String(value)
    if (value instanceof Date) return `D${value.getTime()}`
    if (Raw.isRaw(value)) return `R${write(Raw.sentOf(value), parents)}`
    if (!parents.includes(value)) {
      const within = [...parents, value]
      if (Array.isArray(value)) return `[${value.map((item) => write(item, within)).join()}]`
      if (isPlain(value)) {
        const names = Object.keys(value).filter((name) => value[name] !== undefined)
        return `{${names
          .sort()
          .map((name) => `${JSON.stringify(name)}:${write(value[name], within)}`)
          .join()}}`
      }
    }
    isPortable = false
    return `@${idOf(value)}`
  }
  return { text: write(input ?? {}, []), isPortable }
}

/**
 * Whether two instances of a class that is compared by what it holds, such as a `Schema.Class`, hold the same. One that has changed is
 * left as a whole: it is not ours to make.
 */
const isSameInstance = (previous: unknown, next: unknown): boolean => {
  if (!(Equal.isEqual(previous) && Equal.isEqual(next))) return false
  if (Object.getPrototypeOf(previous) !== Object.getPrototypeOf(next)) return false
  const names = Object.keys(next)
  return (
    names.length > 0 &&
    names.length === Object.keys(previous).length &&
    names.every((name) => {
      const before = own(previous, name)
      return Object.hasOwn(previous, name) && Object.is(shareAny(before, own(next, name)), before)
    })
  )
}

const shareAny = (previous: unknown, next: unknown): unknown => {
  if (Object.is(previous, next)) return previous
  if (previous instanceof Date && next instanceof Date)
    return previous.getTime() === next.getTime() ? previous : next
  if (Array.isArray(previous) && Array.isArray(next)) {
    const shared = next.map((item, index) => shareAny(previous[index], item))
    const isSame = shared.every((item, index) => Object.is(item, previous[index]))
    return isSame && previous.length === next.length ? previous : shared
  }
  if (!isPlain(previous) || !isPlain(next)) return isSameInstance(previous, next) ? previous : next
  const names = Object.keys(next)
  const shared = names.map((name) => shareAny(own(previous, name), next[name]))
  const isSame = names.every(
    (name, index) => Object.hasOwn(previous, name) && Object.is(shared[index], previous[name])
  )
  if (isSame && names.length === Object.keys(previous).length) return previous
  return Object.fromEntries(names.map((name, index) => [name, shared[index]]))
}

/** The next value, with every part that equals the previous one's replaced by it; the previous one where all do. */
export const share = <A>(previous: A, next: A): A =>
  // Each part is either the next value's own or one of the previous value that equals it.
  shareAny(previous, next) as A
