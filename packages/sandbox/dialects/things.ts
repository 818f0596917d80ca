/** Single things in a dialect's envelope. */
import * as Either from "effect/Either"
import { isRecord } from "effect/Predicate"
import { invalid, type Refusal } from "../platform/refusal.js"
import type { Dialect } from "./axes.js"
import { Digits } from "./ids.js"

/** The id of a resource, which is text in JSON:API. */
const textOf = (id: unknown): string | undefined =>
  id instanceof Digits ? id.text : typeof id === "string" ? id : undefined

/** The type of what a field with an id points to: `userId` and `user_id` to `users`. */
const pointed = /^(.+?)(?:Id|_id)$/

const isId = (value: unknown): boolean => value === null || textOf(value) !== undefined

/** Fields of this form that point to no thing: a sender's own names, a model's name in paths, and a credential. */
const own = new Set(["clientId", "client_id", "apiId", "api_id", "sessionId", "session_id"])

/** A resource of JSON:API: ids of other things are its relationships. */
export const resource = (dialect: Dialect, type: string, value: unknown): unknown => {
  if (!isRecord(value)) return { type, attributes: value }
  const attributes: Record<string, unknown> = {}
  const relationships: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(value)) {
    const target = own.has(name) ? undefined : pointed.exec(name)?.[1]
    if (name === dialect.idField && textOf(field) !== undefined) continue
    if (target !== undefined && isId(field))
      relationships[target] = { data: field === null ? null : { type: `${target}s`, id: textOf(field) } }
    else attributes[name] = field
  }
  const id = textOf(value[dialect.idField])
  return {
    type,
    ...(id === undefined ? {} : { id }),
    attributes,
    ...(Object.keys(relationships).length === 0 ? {} : { relationships })
  }
}

/** One thing in its envelope. */
export const wrapped = (dialect: Dialect, type: string, value: unknown): unknown => {
  switch (dialect.things) {
    case "data":
      return { data: value }
    case "json-api":
      return { data: resource(dialect, type, value) }
    default:
      return value
  }
}

/** An id as a body holds it: JSON:API has numbers as text. */
const idOf = (dialect: Dialect, id: unknown): unknown =>
  dialect.ids === "numbers" && typeof id === "string" && /^\d+$/.test(id) ? new Digits(id) : id

/** The ids of a resource's relationships, by the names of the fields that hold them: `user` is `userId` or `user_id`. */
const pointers = (
  dialect: Dialect,
  relationships: unknown,
  names: ReadonlyMap<string, string>
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(isRecord(relationships) ? relationships : {}).flatMap(([target, relation]) => {
      const name = [`${target}Id`, `${target}_id`].find((candidate) => names.has(candidate))
      if (name === undefined || !isRecord(relation)) return []
      const { data } = relation
      return [[name, isRecord(data) ? idOf(dialect, data.id) : null] as const]
    })
  )

/**
 * A body without its envelope: only that of JSON:API has one. `names` are those of the body's fields; `isWrapped`: whether it must have an
 * envelope.
 */
export const unwrapped = (
  dialect: Dialect,
  body: unknown,
  names: ReadonlyMap<string, string>,
  isWrapped: boolean
): Either.Either<unknown, Refusal> => {
  if (dialect.things !== "json-api") return Either.right(body)
  const data = isRecord(body) ? body.data : undefined
  if (!isRecord(data) || !("attributes" in data))
    return isWrapped ? Either.left(invalid("data", "must be an object with attributes")) : Either.right(body)
  const { attributes, id, relationships } = data
  if (!isRecord(attributes)) return Either.right(attributes)
  const own = id === undefined || !names.has(dialect.idField) ? {} : { [dialect.idField]: idOf(dialect, id) }
  return Either.right({ ...own, ...pointers(dialect, relationships, names), ...attributes })
}
