/** Requests in a dialect: their parameters and bodies, read into the platform's own names and values. */
import { type Body, type Declared, isWrite } from "@quartet/sdk/extend"
import * as Auth from "@quartet/sdk/extend/operations/auth"
import * as Either from "effect/Either"
import { isRecord } from "effect/Predicate"
import * as AST from "effect/SchemaAST"
import { invalid, type Refusal } from "../platform/refusal.js"
import type { Match, Route } from "../platform/routing.js"
import type { Content, Received } from "../platform/wire.js"
import type { Dialect } from "./axes.js"
import type { Credentials } from "./credentials.js"
import * as Fields from "./fields.js"
import * as Json from "./json.js"
import * as Lists from "./lists.js"
import * as Things from "./things.js"

/** Reads what a request says. `isProjectNamed`: whether it must name the project outside of its path. */
export type Read = (
  match: Match,
  request: Received,
  query: URLSearchParams,
  isProjectNamed: boolean
) => Either.Either<Content, Refusal>

/** The schema of a call's body: that of its payload, or of the input whose fields the body has. */
const bodyIn = ({ input }: Declared): AST.AST =>
  AST.getPropertySignatures(input.ast).find(({ name }) => name === "payload")?.type ?? input.ast

/** Whether a parameter takes a list. */
const isList = (ast: AST.AST | undefined): boolean =>
  ast !== undefined && (AST.isTupleType(ast) || (AST.isUnion(ast) && ast.types.some(isList)))

/** Whether a list is paged by its caller. */
const isPaged = ({ input, method, success }: Declared): boolean =>
  "page" in success && (method !== "GET" || Fields.fieldsIn(input.ast).has("page"))

const signIns: ReadonlyArray<unknown> = [Auth.adminLogin, Auth.legacyLogin, Auth.login]

const jsonOf = (value: unknown): Body => ({ _tag: "Json", text: JSON.stringify(value) })

/** Takes the parameters of a page away from others: those of today's names are refused if the dialect has others. */
const taken = (
  { from, limit }: Lists.PageNames,
  get: (name: string) => unknown,
  remove: (name: string) => void
): Either.Either<readonly [from: unknown, limit: unknown], Refusal> => {
  const values = [get(from), get(limit)] as const
  remove(from)
  remove(limit)
  for (const name of ["page", "limit"])
    if (get(name) !== undefined)
      return Either.left(invalid(name, `is not a parameter of a page: there are ${from} and ${limit}`))
  return Either.right(values)
}

export const make = (dialect: Dialect, fields: Fields.Fields, credentials: Credentials): Read => {
  const isSnake = dialect.names === "snake"
  const hasBrackets = dialect.parameters === "brackets"
  const pageNames = Lists.pageNames(dialect)

  /** The name by which the platform knows a parameter that a request has. */
  const ownName = (
    declared: ReadonlyMap<string, AST.AST>,
    item: ReadonlyMap<string, AST.AST>,
    sent: string
  ): string => {
    if (sent === dialect.idField) return "_id"
    const camel = Fields.camelOf(sent)
    const isKnown = declared.has(camel) || item.has(camel) || /^(min|max)_/.test(sent)
    return isSnake && isKnown ? camel : sent
  }

  /** The query in the platform's own names and values. */
  const readQuery = (
    { input, success }: Declared,
    query: URLSearchParams
  ): Either.Either<URLSearchParams, Refusal> =>
    Either.gen(function* () {
      const parameters = Fields.fieldsIn(input.ast)
      const item = Fields.fieldsIn("page" in success ? success.page.ast : undefined)
      const own = new URLSearchParams()
      for (const sent of new Set(query.keys())) {
        const bare = hasBrackets ? sent.replace(/\[\]$/, "") : sent
        const name = ownName(parameters, item, bare)
        const declared = parameters.get(name)
        const type = declared ?? item.get(name)
        const values = query.getAll(sent)
        if (declared !== undefined && bare !== fields.nameOf(name))
          return yield* Either.left(
            invalid(sent, `is not a parameter (did you mean "${fields.nameOf(name)}"?)`)
          )
        if (isList(declared) && dialect.parameters !== "comma") {
          if (values.some((value) => value.includes(",")))
            return yield* Either.left(invalid(sent, "is a list: each value has a parameter of its own"))
          if (hasBrackets && bare === sent)
            return yield* Either.left(invalid(sent, `is a list: its parameter is ${sent}[]`))
        }
        const texts = yield* Either.all(values.map((value) => fields.parameter(type, name, value)))
        // A further parameter with several values is a list, too; several filters of one field stay several.
        const isFilter = /^[fspo]\./.test(name)
        const isJoined =
          dialect.parameters !== "comma" && !isFilter && (declared === undefined || isList(declared))
        for (const text of isJoined ? [texts.join(",")] : texts)
          own.append(name, isSnake && name === "sort" ? Fields.camelOf(text) : text)
      }
      return own
    })

  const readForm = (
    { input }: Declared,
    { parts }: Extract<Body, { readonly _tag: "Form" }>
  ): Either.Either<Body, Refusal> =>
    Either.gen(function* () {
      const declared = Fields.fieldsIn(input.ast)
      const own = yield* Either.all(
        parts.map((part) => {
          const name = isSnake ? Fields.camelOf(part.name) : part.name
          const type = declared.get(name)
          if (type === undefined || !("text" in part)) return Either.right({ ...part, name })
          return Either.map(fields.parameter(type, name, part.text), (text) => ({ name, text }))
        })
      )
      return { _tag: "Form", parts: own }
    })

  const readJson = ({ declared, handler }: Route, text: string): Either.Either<unknown, Refusal> =>
    Either.gen(function* () {
      const sent = yield* Json.read(text)
      const isSignIn = signIns.includes(handler.operation)
      const type = bodyIn(declared)
      const names = new Map([...Fields.fieldsIn(type).keys()].map((name) => [fields.nameOf(name), name]))
      // A search and a sign-in are no resources.
      const isWrapped = isWrite(declared) && !isSignIn
      const body = yield* Things.unwrapped(dialect, sent, names, isWrapped)
      return isSignIn ? yield* credentials.login(body) : body
    })

  return ({ params, route }, request, query, isProjectNamed) =>
    Either.gen(function* () {
      const { declared } = route
      const { body } = request
      const inputs = Fields.fieldsIn(declared.input.ast)
      const others = new URLSearchParams(query)
      const inQuery = yield* taken(
        pageNames,
        (name) => others.get(name) ?? undefined,
        (name) => others.delete(name)
      )
      const own = yield* readQuery(declared, others)
      if (isProjectNamed && request.projectId !== undefined) own.set("projectId", request.projectId)
      const texts = yield* Either.all(
        Object.entries(params).map(([name, text]) =>
          Either.map(fields.parameter(inputs.get(name), name, text), (value) => [name, value] as const)
        )
      )
      const rest = { params: Object.fromEntries(texts), query: own }
      if (body?._tag === "Form") return { ...rest, body: yield* readForm(declared, body) }
      const sent = body === undefined ? undefined : yield* readJson(route, body.text)
      const search: Record<string, unknown> | undefined =
        isPaged(declared) && (sent === undefined || isRecord(sent)) ? { ...sent } : undefined
      if (search === undefined) {
        if (sent === undefined) return { ...rest, body }
        return { ...rest, body: jsonOf(yield* fields.received(bodyIn(declared), sent)) }
      }
      const [from, limit] = yield* taken(
        pageNames,
        (name) => search[name],
        (name) => delete search[name]
      )
      const asked = yield* Lists.asked(dialect, inQuery[0] ?? from, inQuery[1] ?? limit)
      const page = { page: asked.page, limit: asked.limit }
      const { range } = asked
      if (declared.method !== "GET") {
        const value = yield* fields.received(bodyIn(declared), search)
        return { ...rest, body: jsonOf({ ...Object(value), ...page }), range }
      }
      for (const [name, value] of Object.entries(page)) own.set(name, String(value))
      return { ...rest, body, range }
    })
}
