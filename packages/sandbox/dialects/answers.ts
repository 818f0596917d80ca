/** Answers in a dialect: fields, envelopes, and what a sign-in answers. */
import { type Page, sliceOf, Utf8 } from "@quartet/sdk/extend"
import * as Auth from "@quartet/sdk/extend/operations/auth"
import { isRecord } from "effect/Predicate"
import * as Answer from "../platform/answer.js"
import type { Told } from "../platform/wire.js"
import type { Dialect } from "./axes.js"
import { type Credentials, type SignedIn, secretParametersOf } from "./credentials.js"
import type { Fields } from "./fields.js"
import * as Json from "./json.js"
import * as Lists from "./lists.js"
import type { Redirecting } from "./storage.js"
import * as Things from "./things.js"

/** What answers are written with. */
interface Parts {
  readonly fields: Fields
  readonly credentials: Credentials
  readonly storage: Redirecting | undefined
}

export const make = (
  dialect: Dialect,
  { credentials, fields, storage }: Parts
): ((told: Told) => Answer.Answer) => {
  const isJsonApi = dialect.things === "json-api" || dialect.lists === "json-api"
  const type = isJsonApi ? "application/vnd.api+json" : "application/json"
  const secrets = secretParametersOf(dialect)

  const json = (
    status: number,
    value: unknown,
    headers: Readonly<Record<string, string>> = {}
  ): Answer.Answer => ({
    status,
    headers: { ...headers, "content-type": type },
    body: Utf8.encode(Json.write(value) ?? "null")
  })

  /** What a sign-in answers; undefined for other calls. */
  const signedIn = ({ now, route }: Told, value: unknown): SignedIn | undefined => {
    const operation: unknown = route.handler.operation
    const fieldOf = (name: string): unknown => (isRecord(value) ? value[fields.nameOf(name)] : undefined)
    const opened = {
      accessToken: String(fieldOf("accessToken")),
      sessionId: String(fieldOf("sessionId")),
      user: fieldOf("user")
    }
    if (operation === Auth.adminLogin) return credentials.admin(opened, now)
    if (operation === Auth.legacyLogin) return credentials.legacy(opened)
    return operation === Auth.login || operation === Auth.signup ? credentials.user(opened, now) : undefined
  }

  /** The address of a list, as it was asked for, without what is secret. */
  const targetOf = (request: Told["request"]): Lists.Target => {
    const [path = "/", text = ""] = request.path.split(/\?(.*)/s)
    const query = new URLSearchParams(text)
    for (const name of secrets) query.delete(name)
    return { path, query }
  }

  return (told) => {
    const { range, request, route, value } = told
    const { declared, handler } = route
    const { success } = declared
    const status = handler.options.status ?? 200
    const name = sliceOf(handler.operation.name)
    if ("bytes" in success) {
      const file = Answer.ofValue(route, value)
      return storage?.redirect(file) ?? file
    }
    if (value === undefined) return { status: 204, headers: {}, body: new Uint8Array() }
    if ("page" in success) {
      // A handler of a list answers a page.
      const { items, paging } = value as Page<unknown>
      const rows = items.map((item) => {
        const row = fields.sent(success.page.ast, item)
        return dialect.things === "json-api" ? Things.resource(dialect, name, row) : row
      })
      const page = { items: rows, paging }
      const { body, headers } = Lists.enveloped(dialect, name, page, range, targetOf(request))
      return json(status, body, headers)
    }
    const thing = fields.sent(success.ast, value)
    const entered = signedIn(told, thing)
    if (entered === undefined) return json(status, Things.wrapped(dialect, name, thing))
    if (dialect.signIn !== "two") return json(status, entered.body, entered.headers)
    // The two sign-ins answer declared fields.
    const body = Object.entries(Object(entered.body)).map(([field, held]) => [fields.nameOf(field), held])
    return json(status, Things.wrapped(dialect, name, Object.fromEntries(body)), entered.headers)
  }
}
