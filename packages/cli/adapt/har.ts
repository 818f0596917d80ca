/** The exchanges of a HAR that a browser or another tool has recorded: nothing is asked. */

import { type Address, own, urlOf } from "@quartet/sdk/extend"
import * as Either from "effect/Either"
import { routesOf } from "../recording/calls.js"
import * as Json from "../recording/json.js"
import { bodyOf, cookiesIn } from "./ask.js"
import type { Exchange, Purpose } from "./recognition/index.js"

const textOf = (value: unknown, name: string): string => {
  const text = own(value, name)
  return typeof text === "string" ? text : ""
}

const listOf = (value: unknown, name: string): ReadonlyArray<unknown> => {
  const list = own(value, name)
  return Array.isArray(list) ? list : []
}

const headersOf = (message: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    listOf(message, "headers").map((header) => [
      textOf(header, "name").toLowerCase(),
      textOf(header, "value")
    ])
  )

const contentOf = (content: unknown): unknown => {
  const text = textOf(content, "text")
  return bodyOf(
    textOf(content, "encoding") === "base64" ? Buffer.from(text, "base64").toString("utf8") : text
  )
}

/** What a request was made for, by its route. */
const meaning = (
  method: string,
  path: string,
  input: unknown
): { readonly purpose: Purpose; readonly call: string; readonly template: string } | undefined => {
  if (method === "POST" && /(^|\/)auth\/admin\/login$/.test(path))
    return { purpose: "sign-in of an admin", call: "auth.login", template: "auth/admin/login" }
  if (method === "POST" && /(^|\/)auth\/login$/.test(path))
    return { purpose: "sign-in of an end user", call: "auth.login", template: "auth/login" }
  if (
    /refresh|renew/i.test(path) &&
    typeof input === "object" &&
    input !== null &&
    JSON.stringify(Object.keys(input)).match(/refresh|token/i)
  )
    return { purpose: "refresh", call: "auth.refresh", template: path }
  const [route] = routesOf(method, path)
  if (route === undefined) return undefined
  const { declared, name } = route
  const { path: template } = declared
  if (method !== "GET") return { purpose: "write", call: name, template }
  if ("page" in declared.success) return { purpose: "list", call: name, template }
  return { purpose: /\{id\}$/.test(template) ? "thing" : "other", call: name, template }
}

interface Entry {
  readonly url: URL
  readonly entry: unknown
}

const below = ({ origin, prefix }: Address, url: URL): string | undefined =>
  url.origin === origin && url.pathname.startsWith(`${prefix}/`)
    ? url.pathname.slice(prefix.length)
    : undefined

const exchangeOf = (
  { entry, url }: Entry,
  path: string,
  legacy: Address | undefined
): ReadonlyArray<Exchange> => {
  const request = own(entry, "request")
  const response = own(entry, "response")
  const method = textOf(request, "method")
  const posted = textOf(own(request, "postData"), "text")
  const input = posted === "" ? undefined : Json.parse(posted)?.value
  const found = meaning(method, path, input)
  const status = own(response, "status")
  if (found === undefined || typeof status !== "number" || status === 0) return []
  const sent = headersOf(request)
  // Without an API key it is the legacy service's sign-in, which has the same route.
  const isLegacy =
    found.purpose === "sign-in of an end user" &&
    (legacy !== undefined &&
    below(legacy, url) !== undefined &&
    legacy.origin !== undefined &&
    sent["x-api-key"] === undefined
      ? true
      : !Object.keys(sent).some((name) => /api-?key|^authorization$/.test(name)))
  const headers = headersOf(response)
  const setCookies = listOf(response, "headers").filter(
    (header) => textOf(header, "name").toLowerCase() === "set-cookie"
  )
  const last = decodeURIComponent(path.split("/").at(-1) ?? "")
  const isError = status >= 400
  const { "set-cookie": _, ...others } = headers
  return [
    {
      purpose: isLegacy
        ? "legacy sign-in of an admin"
        : isError && method === "GET"
          ? "other"
          : found.purpose,
      call: isLegacy ? "auth.legacyLogin" : found.call,
      method,
      path,
      query: Object.fromEntries(url.searchParams),
      sent,
      ...(input === undefined ? {} : { input }),
      status,
      headers: others,
      cookies: cookiesIn(setCookies.flatMap((header) => textOf(header, "value").split("\n"))),
      body: contentOf(own(response, "content")),
      ...(found.purpose === "thing" ? { id: last } : {})
    }
  ]
}

/** What a HAR holds of a platform, or why it cannot be read. */
export const exchangesIn = (
  text: string,
  addresses: { readonly api: Address | undefined; readonly legacy: Address | undefined }
): Either.Either<ReadonlyArray<Exchange>, string> => {
  const all = own(own(Json.parse(text)?.value, "log"), "entries")
  if (!Array.isArray(all)) return Either.left("is no HAR: { log: { entries } }")
  const entries = all.flatMap((entry): ReadonlyArray<Entry> => {
    const url = urlOf(textOf(own(entry, "request"), "url"))
    return url === undefined ? [] : [{ url, entry }]
  })
  const given = [addresses.api, addresses.legacy].filter((address) => address !== undefined)
  const isOurs = ({ entry, url }: Entry): boolean =>
    meaning(textOf(own(entry, "request"), "method"), url.pathname, undefined) !== undefined
  const origins = [...new Set(entries.filter(isOurs).map(({ url }) => url.origin))]
  if (given.length === 0 && origins.length > 1)
    return Either.left(
      `has requests to several addresses that may be the platform: ${origins.sort().join(", ")}`
    )
  const bases = given.length > 0 ? given : origins.map((origin): Address => ({ origin, prefix: "" }))
  return Either.right(
    entries.flatMap((entry) => {
      const path = bases.map((base) => below(base, entry.url)).find((found) => found !== undefined)
      return path === undefined ? [] : exchangeOf(entry, path, addresses.legacy)
    })
  )
}
