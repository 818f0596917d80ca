/** A call's body from our form to the platform's. */
import * as Either from "effect/Either"
import { isRecord } from "effect/Predicate"
import { readCount } from "../kernel/codec/page.js"
import { type DialectCall, type DialectOperation, unseen } from "../kernel/dispatch/dialect.js"
import { placeOf } from "../kernel/dispatch/page-source.js"
import type { Refusal } from "../kernel/operation/input.js"
import { own } from "../permissions/own.js"
import { infoOf, isLogin, listsOf, refreshName, type SentNames } from "./calls.js"
import { refreshCarrierOf } from "./carriers.js"
import type { Definition } from "./definition.js"
import { jsonOf, type Rules, shapeOf, writer } from "./fields.js"
import { ask, isSearch, partOf } from "./paging.js"
import { putAt } from "./places.js"

/** Writes the JSON of a body, from its value. */
export type WriteBody = (value: unknown, call: DialectCall) => Either.Either<string, Refusal>

/** The body that asks for a new session: the token stands in it where nothing else carries it, or where a field is said that this program can fill. */
const renewalOf = (definition: Definition, value: unknown): Readonly<Record<string, unknown>> => {
  const { field } = definition.signIn?.refresh ?? {}
  const token: unknown = own(value, "refreshToken")
  const isSent = token !== unseen && (field !== undefined || refreshCarrierOf(definition) === undefined)
  return isSent ? { [field ?? "refreshToken"]: token } : {}
}

/** Compiles what writes the bodies of an operation. */
export const make = (
  definition: Definition,
  rules: Rules,
  operation: DialectOperation,
  names: SentNames
): WriteBody => {
  const { entities: { types, wrap } = {} } = definition
  const lists = listsOf(definition, operation)
  const { declared, isWrite, name } = operation
  const { input, success } = declared
  const write = writer(
    input.ast,
    { ...rules, nameOf: names.declared },
    isWrite && "ast" in success ? success.ast : undefined
  )
  const hasPayload = shapeOf(declared.input.ast).fields.has("payload")
  const part = isSearch(operation) ? partOf(lists, operation) : undefined
  const cursorName = lists.page?.by === "cursor" ? (lists.page.parameter ?? "cursor") : undefined

  /** The body of a search, with what asks for its page where the body is to have it. */
  const paged = (body: unknown, cursor: string | undefined): Either.Either<unknown, Refusal> => {
    if (part === undefined || typeof body !== "object" || body === null) return Either.right(body)
    const { limit, page, ...rest }: Record<string, unknown> = { ...body }
    if (part === "query") return Either.right(rest)
    return Either.mapBoth(ask(lists, { page, limit }, cursor), {
      onLeft: ({ field, rule }) => ({
        field: placeOf(declared) === "payload" ? `payload.${field}` : field,
        rule
      }),
      onRight: (pairs) => ({
        ...rest,
        // A cursor is text, even one of digits.
        ...Object.fromEntries(
          pairs.map(([field, text]) => [field, field === cursorName ? text : (readCount(text) ?? text)])
        )
      })
    })
  }

  const group = name.slice(0, name.indexOf("."))

  const wrapped = (body: unknown, input: unknown): unknown => {
    if (wrap === undefined || !isWrite || isLogin(name)) return body
    if (typeof wrap === "function") return wrap(body, infoOf(operation))
    if (wrap !== "json:api") return putAt(wrap, body)
    const idName = rules.nameOf("_id")
    const id: unknown = own(body, idName) ?? own(input, "id")
    // The id stands beside them alone.
    const attributes = isRecord(body)
      ? Object.fromEntries(Object.entries(body).filter(([name]) => name !== idName))
      : body
    return { data: { type: own(types, group) ?? group, ...(id === undefined ? {} : { id }), attributes } }
  }

  if (name === refreshName) return (value) => Either.right(JSON.stringify(renewalOf(definition, value)))

  return (value, { cursor, input }) =>
    Either.flatMap(paged(value, cursor), (body) => {
      // The payload stands in the schema under its name, the fields of a body without one beside the others.
      const written = hasPayload ? own(write({ payload: body }), names.any("payload")) : write(body)
      const text = jsonOf(wrapped(written, input))
      return text === undefined
        ? Either.left({ field: "platform.entities.wrap", rule: "must answer plain data that JSON can hold" })
        : Either.right(text)
    })
}
