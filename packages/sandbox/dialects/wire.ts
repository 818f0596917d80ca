/** A wire that speaks a dialect: each request is read into the platform's own form, each answer written in the dialect's. */

import type { Body, Declared } from "@quartet/sdk/extend"
import { isCredential, isWrite, Message, type Page, sliceOf, Utf8 } from "@quartet/sdk/extend"
import * as Auth from "@quartet/sdk/extend/operations/auth"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { isRecord } from "effect/Predicate"
import * as AST from "effect/SchemaAST"
import * as Answer from "../platform/answer.js"
import { invalid, Refusal } from "../platform/refusal.js"
import type { Match, Route } from "../platform/routing.js"
import {
  type ChatWire,
  type Content,
  chatPath,
  plain,
  type Received,
  type Told,
  type Wire
} from "../platform/wire.js"
import type { State } from "../state/state.js"
import { axisNames, type Dialect, standard } from "./axes.js"
import * as Credentials from "./credentials.js"
import { answerOf } from "./errors.js"
import * as Fields from "./fields.js"
import * as Ids from "./ids.js"
import * as Json from "./json.js"
import * as Lists from "./lists.js"
import * as Routes from "./routes.js"
import { makeStorage } from "./storage.js"
import * as Things from "./things.js"

/** The schema of a call's body: that of its payload, or of the input whose fields the body has. */
const bodyIn = ({ input }: Declared): AST.AST =>
  AST.getPropertySignatures(input.ast).find(({ name }) => name === "payload")?.type ?? input.ast

/** Whether a parameter takes a list. */
const isList = (ast: AST.AST | undefined): boolean =>
  ast !== undefined && (AST.isTupleType(ast) || (AST.isUnion(ast) && ast.types.some(isList)))

const isPaged = ({ success }: Declared): boolean => "page" in success

const rangeIn = (asked: Lists.Asked): Pick<Content, "range"> => ({ range: asked.range })

/** The wire of a dialect over a state: the sandbox's own changes nothing. */
export const wireOf = (dialect: Dialect, state: State): Wire =>
  axisNames.every((axis) => dialect[axis] === standard[axis]) ? plain : make(dialect, state)

const make = (dialect: Dialect, state: State): Wire => {
  const projectId = state.project._id
  const ids = dialect.ids === "numbers" ? Ids.numbers(projectId) : Ids.texts
  const fields = Fields.make(dialect, ids)
  const credentials = Credentials.make(dialect, state)
  const routes = Routes.make(dialect, projectId)
  const storage = dialect.downloads === "redirect" ? makeStorage() : undefined
  const names = Lists.pageNames(dialect)
  const idempotencyKey = dialect.idempotency

  /** The name by which the platform knows a parameter that a request has. */
  const ownName = (
    declared: ReadonlyMap<string, unknown>,
    item: AST.AST | undefined,
    sent: string
  ): string => {
    if (dialect.parameters === "brackets" && sent.endsWith("[]"))
      return ownName(declared, item, sent.slice(0, -2))
    if (sent.includes(".")) return sent
    if (sent === dialect.idField) return "_id"
    const camel = Fields.camelOf(sent)
    const isKnown =
      declared.has(camel) ||
      Fields.fieldsIn(item).has(camel) ||
      /^(min|max)_/.test(sent) ||
      camel === "createdAt"
    return dialect.names === "snake" && isKnown ? camel : sent
  }

  /** The query with the platform's own names and values, but for those of a page. */
  const readQuery = (
    { declared }: Route,
    query: URLSearchParams
  ): Either.Either<URLSearchParams, Refusal> => {
    const parameters = Fields.fieldsIn(declared.input.ast)
    const item = "page" in declared.success ? declared.success.page.ast : undefined
    const own = new URLSearchParams()
    for (const sent of new Set(query.keys())) {
      const name = ownName(parameters, item, sent)
      const type = parameters.get(name)
      if (dialect.names === "snake" && type !== undefined && sent !== fields.nameOf(name))
        if (sent.replace(/\[\]$/, "") !== fields.nameOf(name))
          return Either.left(invalid(sent, `is not a parameter (did you mean "${fields.nameOf(name)}"?)`))
      const values = query.getAll(sent)
      if (isList(type) && dialect.parameters !== "comma") {
        if (values.some((value) => value.includes(",")))
          return Either.left(invalid(sent, "is a list whose values have a parameter each"))
        if (dialect.parameters === "brackets" && !sent.endsWith("[]"))
          return Either.left(invalid(sent, `is a list: its parameter is ${sent}[]`))
        own.append(name, values.map((value) => fields.parameter(type, name, value)).join(","))
        continue
      }
      // A further parameter with several values is a list, too.
      const joined = dialect.parameters !== "comma" && type === undefined ? [values.join(",")] : values
      for (const value of joined) {
        const text = fields.parameter(type ?? Fields.fieldsIn(item).get(name), name, value)
        own.append(name, name === "sort" && dialect.names === "snake" ? Fields.camelOf(text) : text)
      }
    }
    return Either.right(own)
  }

  /** Takes the parameters of a page out of a query or a body, where they have the dialect's names. */
  const taken = (
    from: (name: string) => unknown,
    remove: (name: string) => void
  ): Either.Either<readonly [from: unknown, limit: unknown], Refusal> => {
    const values = [from(names.from), from(names.limit)] as const
    remove(names.from)
    remove(names.limit)
    for (const name of ["page", "limit"])
      if (from(name) !== undefined)
        return Either.left(
          invalid(name, `is not a parameter of a page: there are ${names.from} and ${names.limit}`)
        )
    return Either.right(values)
  }

  const readJson = ({ declared, handler }: Route, text: string): Either.Either<unknown, Refusal> =>
    Either.gen(function* () {
      const sent = yield* Json.read(text)
      const isSignIn = isSignInOf(handler.operation)
      const isOptional = isSignIn || !isWrite(declared)
      return yield* Things.unwrapped(dialect, sent, isOptional)
    })

  const isSignInOf = (operation: Route["handler"]["operation"]): boolean => {
    const signIns: ReadonlyArray<unknown> = [Auth.adminLogin, Auth.legacyLogin, Auth.login]
    return signIns.includes(operation)
  }

  const readForm = ({ declared }: Route, parts: Extract<Body, { _tag: "Form" }>["parts"]): Body => {
    const declaredFields = Fields.fieldsIn(declared.input.ast)
    return {
      _tag: "Form",
      parts: parts.map((part) => {
        const name = dialect.names === "snake" ? Fields.camelOf(part.name) : part.name
        const type = declaredFields.get(name)
        if (type === undefined) return part
        return "text" in part ? { name, text: fields.parameter(type, name, part.text) } : { ...part, name }
      })
    }
  }

  const read = (
    { params, route }: Match,
    request: Received,
    query: URLSearchParams,
    isProjectNamed: boolean
  ): Either.Either<Content, Refusal> =>
    Either.gen(function* () {
      const { declared, handler } = route
      const inputs = Fields.fieldsIn(declared.input.ast)
      const own = yield* readQuery(route, withoutPage(query))
      if (isProjectNamed && request.projectId !== undefined) own.set("projectId", request.projectId)
      const ownParams = Object.fromEntries(
        Object.entries(params).map(([name, text]) => [name, fields.parameter(inputs.get(name), name, text)])
      )
      const rest = { params: ownParams, query: own }
      const { body } = request
      const isList = isPaged(declared)
      const inQuery = yield* taken(
        (name) => query.get(name) ?? undefined,
        (name) => query.delete(name)
      )
      if (body === undefined) {
        if (!isList || !takesPage(declared)) return { ...rest, body }
        const asked = yield* Lists.asked(dialect, ...inQuery)
        if (declared.method === "GET") {
          own.set("page", String(asked.page))
          own.set("limit", String(asked.limit))
          return { ...rest, body, ...rangeIn(asked) }
        }
        const page = { page: asked.page, limit: asked.limit }
        return { ...rest, body: { _tag: "Json", text: JSON.stringify(page) }, ...rangeIn(asked) }
      }
      if (body._tag === "Form") return { ...rest, body: readForm(route, body.parts) }
      const sent = yield* readJson(route, body.text)
      if (isSignInOf(handler.operation)) {
        const login = yield* credentials.login(sent)
        return { ...rest, body: { _tag: "Json", text: JSON.stringify(login) } }
      }
      if (!isList || !isRecord(sent)) {
        const value = yield* fields.received(bodyIn(declared), sent)
        return { ...rest, body: { _tag: "Json", text: JSON.stringify(value) } }
      }
      const search: Record<string, unknown> = { ...sent }
      const inBody = yield* taken(
        (name) => search[name],
        (name) => delete search[name]
      )
      const asked = yield* Lists.asked(dialect, inQuery[0] ?? inBody[0], inQuery[1] ?? inBody[1])
      const value = yield* fields.received(bodyIn(declared), search)
      const page = { page: asked.page, limit: asked.limit }
      return {
        ...rest,
        body: { _tag: "Json", text: JSON.stringify({ ...Object(value), ...page }) },
        ...rangeIn(asked)
      }
    })

  /** A query without the parameters of a page. */
  const withoutPage = (query: URLSearchParams): URLSearchParams => {
    const rest = new URLSearchParams(query)
    for (const name of [names.from, names.limit, "page", "limit"]) rest.delete(name)
    return rest
  }

  const json = (
    status: number,
    value: unknown,
    headers: Readonly<Record<string, string>> = {}
  ): Answer.Answer => ({
    status,
    headers: {
      ...headers,
      "content-type":
        dialect.things === "json-api" || dialect.lists === "json-api"
          ? "application/vnd.api+json"
          : "application/json"
    },
    body: Utf8.encode(Json.write(value) ?? "null")
  })

  const answer = ({ now, range, request, route, value }: Told): Answer.Answer => {
    const { declared, handler } = route
    const { success } = declared
    const status = handler.options.status ?? 200
    const type = sliceOf(handler.operation.name)
    if ("bytes" in success) {
      const file = Answer.ofValue(route, value)
      return storage?.redirect(file) ?? file
    }
    if (value === undefined) return { status: 204, headers: {}, body: new Uint8Array() }
    if ("page" in success) {
      // A handler of a list answers a page.
      const { items, paging } = value as Page<unknown>
      const sent = items.map((item) => {
        const fielded = fields.sent(success.page.ast, item)
        return dialect.things === "json-api" ? Things.resource(dialect, type, fielded) : fielded
      })
      const target = targetOf(request)
      const { body, headers } = Lists.enveloped(dialect, type, { items: sent, paging }, range, target)
      return json(status, body, headers)
    }
    const sent = fields.sent(success.ast, value)
    const signedIn = signedInOf(handler.operation, sent, now)
    if (signedIn !== undefined) {
      const isOwn = dialect.signIn !== "two"
      const body = isOwn ? signedIn.body : Things.wrapped(dialect, type, signedIn.body)
      return json(status, body, signedIn.headers)
    }
    return json(status, Things.wrapped(dialect, type, sent))
  }

  /** The answer to a sign-in in the dialect's own shape; undefined for other calls. */
  const signedInOf = (
    operation: Route["handler"]["operation"],
    value: unknown,
    now: Date
  ): Credentials.SignedIn | undefined => {
    const called: unknown = operation
    const own = (name: string): unknown => (isRecord(value) ? value[fields.nameOf(name)] : undefined)
    const text = (name: string): string => String(own(name))
    if (called === Auth.adminLogin)
      return renamed(credentials.admin({ accessToken: text("accessToken"), user: own("user") }, now))
    if (called === Auth.legacyLogin) return renamed(credentials.legacy({ sessionId: text("sessionId") }))
    return called === Auth.login || called === Auth.signup
      ? renamed(credentials.user({ sessionId: text("sessionId"), user: own("user") }, now))
      : undefined
  }

  /** A sign-in in two steps has declared fields. */
  const renamed = ({ body, headers }: Credentials.SignedIn): Credentials.SignedIn =>
    dialect.signIn === "two" && isRecord(body)
      ? {
          headers,
          body: Object.fromEntries(Object.entries(body).map(([name, value]) => [fields.nameOf(name), value]))
        }
      : { body, headers }

  /** The address of a list, as it was asked, without what is secret. */
  const targetOf = ({ path }: Told["request"]): Lists.Target => {
    const [whole = "/", text = ""] = path.split(/\?(.*)/s)
    const query = new URLSearchParams(text)
    for (const name of Credentials.secretParametersOf(dialect)) query.delete(name)
    return { path: whole, query }
  }

  const fieldName = (field: string): string =>
    field
      .split(".")
      .map((name) => (name === "page" ? names.from : name === "limit" ? names.limit : fields.nameOf(name)))
      .join(".")

  const chat = chatOf(dialect, fields, credentials)

  return {
    receive: (request, now) =>
      Effect.flatMap(
        Effect.flatMap(routes.receive(request), (routed) =>
          Effect.map(credentials.receive(routed, now), (received) =>
            "status" in received ? received : { ...routed, ...received }
          )
        ),
        Effect.succeed
      ),
    methods: routes.methods,
    read: (match, request, query, isProjectNamed) => read(match, request, query, isProjectNamed),
    answer,
    refusal: (refusal, requestId, path) => {
      const { code, field, headers, message, status } = refusal
      const named = field === undefined ? {} : { field: fieldName(field) }
      const own = new Refusal({
        code,
        message,
        status,
        ...named,
        ...(headers === undefined ? {} : { headers })
      })
      return answerOf(dialect, own, requestId, path)
    },
    numbered: (sent, requestId) =>
      dialect.requestId === "body"
        ? sent
        : { ...sent, headers: { ...sent.headers, [dialect.requestId]: requestId } },
    idempotencyKey,
    isCredential: Credentials.isCredentialOf(dialect, isCredential),
    secretParameters: Credentials.secretParametersOf(dialect),
    exposed: [
      ...(dialect.paging === "link" ? ["link", "x-total-count"] : []),
      ...(dialect.requestId === "x-correlation-id" ? ["x-correlation-id"] : [])
    ],
    furtherMethods: routes.further,
    hasCookies: dialect.signIn === "cookie",
    storage,
    chat
  }
}

/** Whether a list is paged by its caller. */
const takesPage = (declared: Declared): boolean =>
  declared.method !== "GET" || Fields.fieldsIn(declared.input.ast).has("page")

/** Numbers as text: the chat's JSON is written by JavaScript, which would round the large ones. */
const uncounted = (value: unknown): unknown => {
  if (value instanceof Ids.Digits) return value.text
  if (Array.isArray(value)) return value.map(uncounted)
  if (!isRecord(value) || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, uncounted(field)]))
}

const chatOf = (dialect: Dialect, fields: Fields.Fields, credentials: Credentials.Credentials): ChatWire => {
  const message = (value: unknown): unknown => uncounted(fields.sent(Message.ast, value))
  /** The conversation's id as a number again. */
  const counted = (value: unknown): unknown => {
    const name = fields.nameOf("conversationId")
    const id = isRecord(value) ? value[name] : undefined
    const isNumber = dialect.ids === "numbers" && typeof id === "string" && /^\d+$/.test(id)
    return isNumber ? { ...Object(value), [name]: new Ids.Digits(id) } : value
  }
  const isNested = dialect.chat === "nested"
  const held = (value: unknown): unknown => (isNested ? { data: value } : value)
  return {
    ...(isNested
      ? {
          path: "/realtime",
          namespace: "/messages",
          say: "message:send",
          chat: "message:new",
          history: "message:list"
        }
      : { path: chatPath, namespace: "/", say: "chat", chat: "chat", history: "history" }),
    handshake: ({ headers, query }, now) => credentials.handshake(headers, query, now),
    heard: (payload) => {
      const nested = isRecord(payload) && isRecord(payload.data) ? payload.data.message : undefined
      if (isNested && nested === undefined) return Effect.fail(invalid("data.message", "is required"))
      return fields.received(Message.ast, counted(isNested ? nested : payload))
    },
    told: (what, payload) => {
      if (!isRecord(payload)) return payload
      if (what === "chat") return held(isNested ? { message: message(payload) } : message(payload))
      if (what === "history" && Array.isArray(payload.messages))
        return held({ messages: payload.messages.map(message) })
      return payload.message === undefined ? payload : held({ message: message(payload.message) })
    }
  }
}
