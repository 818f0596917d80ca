/** A call's path, query and body from our form to the platform's. */
import * as Either from "effect/Either"
import type { Encoded } from "../kernel/codec/encoder.js"
import type { DialectCall, DialectOperation, Surroundings, Translator } from "../kernel/dispatch/dialect.js"
import { placeOf } from "../kernel/dispatch/page-source.js"
import type { Refusal } from "../kernel/operation/input.js"
import * as Path from "../kernel/operation/path.js"
import { urlOf, withoutEnd } from "../kernel/operation/url.js"
import { own } from "../permissions/own.js"
import type { CallInfo, Definition, Route } from "./definition.js"
import { jsonOf, type Rules, shapeOf, type Translate, twinsIn, writeDate, writer } from "./fields.js"
import type { CallName } from "./names.js"
import { putAt } from "./places.js"

type Pair = readonly [name: string, text: string]

/** The calls that obtain a session. */
const signIns = ["auth.login", "auth.legacyLogin", "auth.signup", "auth.refresh"]

/** Whether a call opens a session. */
export const isSignIn = (name: string): boolean => signIns.includes(name)

/** Whether a call sends who signs in, and nothing else. */
const isLogin = (name: string): boolean => name !== "auth.signup" && isSignIn(name)

/** What is said of how a call is sent: of one client's before that of all. */
export const routeOf = ({ routes = {} }: Definition, audience: string, name: string): Route | undefined =>
  // The check lets routes alone pass.
  (own(routes, `${audience}.${name}`) ?? own(routes, name)) as Route | undefined

/** What a function of the platform is told of a call. */
export const infoOf = ({ declared, name }: DialectOperation): CallInfo => ({
  // The names are written from the same operations.
  call: name as CallName,
  isList: "page" in declared.success
})

const pairsOf = (query: string): ReadonlyArray<Pair> =>
  query === ""
    ? []
    : query.split("&").map((pair) => {
        const at = pair.indexOf("=")
        return [decodeURIComponent(pair.slice(0, at)), decodeURIComponent(pair.slice(at + 1))]
      })

const queryOf = (pairs: ReadonlyArray<Pair>): string =>
  pairs
    .map(([name, text], at) => `${at === 0 ? "?" : "&"}${Path.percent(name)}=${Path.percent(text)}`)
    .join("")

/** How a page is asked for: what stands in place of `page` and `limit`, and what is left of the query for a link. */
interface Asked {
  readonly pairs: ReadonlyArray<Pair>
  /** The query of a link, which says all by itself. */
  readonly link?: string
}

/** The number of items before a page, where it can be told. */
export const offsetOf = (
  page: number,
  limit: number | undefined,
  cursor: string | undefined
): number | undefined => {
  if (cursor !== undefined) return Number(cursor)
  if (page === 1) return 0
  return limit === undefined ? undefined : (page - 1) * limit
}

/** The number and the size of the page that a call asks for. */
export interface AskedPage {
  readonly page: number
  readonly limit: number | undefined
}

const numberIn = (value: unknown): number | undefined => {
  const count = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof count === "number" ? count : undefined
}

/** The page that an input asks for. */
export const pageIn = ({ declared }: DialectOperation, input: unknown): AskedPage | undefined => {
  const place = "page" in declared.success ? placeOf(declared) : undefined
  if (place === undefined) return undefined
  const holder = place === "payload" ? own(input, "payload") : input
  return { page: numberIn(own(holder, "page")) ?? 1, limit: numberIn(own(holder, "limit")) }
}

const unreachable =
  "is reached through the pages before it alone: take pages, which asks for one after another"

/** Asks for a page in the platform's way; the names of what was there before are `page` and `limit`. */
const ask = (
  { page: way = { by: "page" } }: NonNullable<Definition["lists"]>,
  asked: { readonly page: string | undefined; readonly limit: string | undefined },
  cursor: string | undefined
): Either.Either<Asked, Refusal> => {
  const { limit: limitName = "limit" } = way
  const limit: ReadonlyArray<Pair> =
    asked.limit === undefined || limitName === false ? [] : [[limitName, asked.limit]]
  const number = numberIn(asked.page) ?? 1
  const refuse = (rule: string) => Either.left({ field: "page", rule })
  switch (way.by) {
    case "page": {
      if (asked.page === undefined) return Either.right({ pairs: limit })
      const { first = 1, parameter = "page" } = way
      if (number < 1)
        return refuse("must be at least 1: the platform's own number of its first page is said in its value")
      return Either.right({ pairs: [[parameter, String(number - 1 + first)], ...limit] })
    }
    case "offset": {
      const offset = offsetOf(number, numberIn(asked.limit), cursor)
      if (offset === undefined)
        return refuse("needs a limit beside it: the platform counts the items before a page")
      const { parameter = "offset" } = way
      return Either.right({
        pairs: [...(offset === 0 ? [] : [[parameter, String(offset)] as const]), ...limit]
      })
    }
    case "cursor": {
      if (cursor === undefined) return number === 1 ? Either.right({ pairs: limit }) : refuse(unreachable)
      return Either.right({ pairs: [[way.parameter ?? "cursor", cursor], ...limit] })
    }
    case "link": {
      if (cursor === undefined) return number === 1 ? Either.right({ pairs: limit }) : refuse(unreachable)
      const at = cursor.indexOf("?")
      return Either.right({ pairs: [], link: at < 0 ? "" : cursor.slice(at + 1).replace(/#.*$/s, "") })
    }
  }
}

/** Writes what a platform has in place of our path, query and body. */
export type Write = Translator["write"]

/** Whether the kernel names the project in the query of a call. */
export const namesProject = ({ audience, declared }: DialectOperation): boolean =>
  audience === "admin" &&
  declared.credentials !== "none" &&
  declared.host !== "legacy" &&
  !Path.parse(declared.path).names.includes("projectId")

/** Compiles what writes the requests of an operation. */
export const make = (
  definition: Definition,
  rules: Rules,
  operation: DialectOperation,
  around: Surroundings
): Write => {
  const { credentials: { project } = {}, entities: { wrap } = {}, lists = {}, signIn } = definition
  const { declared, isWrite, name } = operation
  const route = routeOf(definition, operation.audience, name)
  const single: Readonly<Record<string, unknown>> = {
    ...(isLogin(name) ? signIn?.fields : {}),
    ...Object(route?.parameters)
  }
  const shape = shapeOf(declared.input.ast)
  /** The platform's name of a field that the call declares; what further parameters are called is the caller's to say. */
  const wireNameOf = (field: string): string => {
    const said = own(single, field)
    if (typeof said === "string") return said
    // What a sign-in sends is no thing of the platform's.
    return isLogin(name) ? field : rules.nameOf(field)
  }
  const nameOf = (field: string): string =>
    shape.fields.has(field) || own(single, field) !== undefined ? wireNameOf(field) : field
  const hasPayload = shape.fields.has("payload")
  const write: Translate = writer(declared.input.ast, { ...rules, nameOf: wireNameOf })
  const place = "page" in declared.success ? placeOf(declared) : undefined
  // The fields of a body ask for a page of what is sent by POST.
  const isPagedInBody =
    place === "payload" ||
    (place === "input" && declared.method.startsWith("P") && declared.query?.includes("page") !== true)
  const hasOwnPages = place !== undefined && lists.page !== undefined
  const cursorName = lists.page?.by === "cursor" ? (lists.page.parameter ?? "cursor") : undefined
  const isNamed = namesProject(operation)
  const [, fixed = ""] = /\?(.*)$/s.exec(route?.path ?? "") ?? []
  const prefix = withoutEnd(urlOf(around.baseUrl)?.pathname ?? "", "/")
  const projectId = around.projectId ?? ""

  /** The path behind the project, where that is a part of it. */
  const pathOf = (path: string): string =>
    isNamed && project !== undefined && project !== false && "path" in project
      ? `${prefix}/${project.path.replaceAll(/^\/+|\/+$/g, "").replaceAll("{projectId}", Path.percent(projectId))}${path.slice(prefix.length)}`
      : path

  /** A list parameter as the platform writes it. */
  const listed = (parameter: string, text: string): ReadonlyArray<Pair> => {
    const { parameters = "comma" } = lists
    const items = text.split(",")
    if (parameters === "comma") return [[parameter, text]]
    if (parameters === "repeat") return items.map((item) => [parameter, item])
    if (parameters === "brackets") return items.map((item) => [`${parameter}[]`, item])
    return [[parameter, items.join(parameters.joinedBy)]]
  }

  const isList = (field: string, input: unknown): boolean =>
    Array.isArray(own(input, field)) || Array.isArray(own(own(input, "query"), field))

  /** A value of the query: a date may be a number. */
  const textOf = (field: string, parameter: string, text: string): string => {
    const unit =
      (Object.hasOwn(rules.datesByName, parameter) ? rules.datesByName[parameter] : undefined) ??
      (shape.fields.get(field)?.().isDate === true ? rules.dates : undefined)
    return unit === undefined ? text : String(writeDate(text, unit))
  }

  /** Parameters that the client itself writes: the project, and credentials. */
  const reserved: ReadonlyArray<unknown> = [
    ...(isNamed ? [project === undefined ? "projectId" : own(project, "query")] : []),
    ...Object.values(definition.credentials ?? {}).map((carrier) => own(carrier, "query"))
  ].filter((parameter) => parameter !== undefined)

  const query = (text: string, { cursor, input }: DialectCall): Either.Either<string, Refusal> => {
    const pairs: Array<Pair> = []
    const asked: { page: string | undefined; limit: string | undefined } = {
      page: undefined,
      limit: undefined
    }
    for (const [field, value] of pairsOf(text)) {
      if (isNamed && field === "projectId" && value === projectId) {
        const parameter = project === undefined ? "projectId" : own(project, "query")
        if (typeof parameter === "string") pairs.push([parameter, value])
      } else if (hasOwnPages && !isPagedInBody && (field === "page" || field === "limit"))
        asked[field] = value
      else {
        const parameter = nameOf(field)
        if (!shape.fields.has(field) && reserved.includes(parameter))
          return Either.left({
            field: `query.${field}`,
            rule: "is written by the client: the platform reads it as the project or a credential"
          })
        const said = textOf(field, parameter, value)
        pairs.push(...(isList(field, input) ? listed(parameter, said) : [[parameter, said] as const]))
      }
    }
    // A link says the page of a search too, whose body stays the same.
    const isAsked = hasOwnPages && (!isPagedInBody || lists.page?.by === "link")
    const paged: Either.Either<Asked, Refusal> =
      isAsked && (!isPagedInBody || cursor !== undefined)
        ? ask(lists, asked, cursor)
        : Either.right({ pairs: [] })
    return Either.map(paged, ({ link, pairs: more }) => {
      if (link !== undefined) {
        // The link says the list and its page; the project is the client's to say.
        const projects = pairs.filter(
          ([parameter]) => parameter === (project === undefined ? "projectId" : own(project, "query"))
        )
        // Whose list it is, and who asks for it, is the client's to say.
        const said = pairsOf(link).filter(([parameter]) => !reserved.includes(parameter))
        return queryOf([...said, ...projects])
      }
      const written = queryOf([...pairs, ...more])
      return fixed === "" ? written : `${written}${written === "" ? "?" : "&"}${fixed}`
    })
  }

  /** The fields of a body that ask for a page. */
  const paged = (body: unknown, cursor: string | undefined): Either.Either<unknown, Refusal> => {
    if (!hasOwnPages || !isPagedInBody || typeof body !== "object" || body === null) return Either.right(body)
    const { limit, page, ...rest }: Record<string, unknown> = Object(body)
    const texts = {
      page: page === undefined ? undefined : String(page),
      limit: limit === undefined ? undefined : String(limit)
    }
    return Either.mapBoth(ask(lists, texts, cursor), {
      onLeft: ({ field, rule }) => ({ field: place === "payload" ? `payload.${field}` : field, rule }),
      onRight: ({ pairs }) => ({
        ...rest,
        // A cursor is text, even one of digits.
        ...Object.fromEntries(
          pairs.map(([field, text]) => [field, field === cursorName ? text : (numberIn(text) ?? text)])
        )
      })
    })
  }

  const wrapped = (body: unknown, input: unknown): unknown => {
    if (wrap === undefined || !isWrite || isLogin(name)) return body
    if (typeof wrap === "function") return wrap(body, infoOf(operation))
    if (wrap !== "json:api") return putAt(wrap, body)
    const id: unknown = own(body, rules.nameOf("_id")) ?? own(input, "id")
    return {
      data: { type: name.slice(0, name.indexOf(".")), ...(id === undefined ? {} : { id }), attributes: body }
    }
  }

  const body = (
    sent: Encoded["body"],
    { cursor, input }: DialectCall
  ): Either.Either<Encoded["body"], Refusal> => {
    if (sent === undefined || sent._tag !== "Json") return Either.right(sent)
    return Either.flatMap(paged(JSON.parse(sent.text), cursor), (value) => {
      // The payload stands in the schema under its name, the fields of a body without one beside the others.
      const written = hasPayload ? own(write({ payload: value }), nameOf("payload")) : write(value)
      const text = jsonOf(wrapped(written, input))
      return text === undefined
        ? Either.left({ field: "platform.entities.wrap", rule: "must answer plain data that JSON can hold" })
        : Either.right({ _tag: "Json" as const, text })
    })
  }

  /** The header that a program gives for writes. */
  const csrf = (): Either.Either<Readonly<Record<string, string>>, Refusal> => {
    const said = definition.credentials?.csrf
    if (said?.value === undefined || declared.method === "GET" || declared.method === "HEAD")
      return Either.right({})
    const value: unknown = typeof said.value === "function" ? said.value() : said.value
    if (value === undefined) return Either.right({})
    return typeof value === "string" && /^[ -~]*$/.test(value)
      ? Either.right({ [said.header.toLowerCase()]: value })
      : Either.left({ field: "platform.credentials.csrf.value", rule: "must give ASCII text" })
  }

  const { success } = declared
  const answered = "page" in success ? success.page.ast : "ast" in success ? success.ast : undefined
  const twins =
    twinsIn(declared.input.ast, { ...rules, nameOf }) ??
    (answered === undefined ? undefined : twinsIn(answered, rules))

  return (encoded, call) => {
    if (twins !== undefined)
      return Either.left({
        field: "platform.entities",
        rule: `gives ${twins.join(" and ")} of this call one name, so that one of them would be lost`
      })
    const at = encoded.path.indexOf("?")
    const path = at < 0 ? encoded.path : encoded.path.slice(0, at)
    return Either.all({
      path: Either.map(query(at < 0 ? "" : encoded.path.slice(at + 1), call), (text) => pathOf(path) + text),
      body: body(encoded.body, call),
      headers: csrf()
    })
  }
}
