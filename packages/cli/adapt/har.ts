/** The exchanges of a HAR that a browser or another tool has recorded: nothing is asked. */

import { type Address, own, percentDecoded, urlOf } from "@quartet/sdk/extend"
import { type Described, described } from "@quartet/sdk/extend/description"
import * as Either from "effect/Either"
import { isRecordable, routesOf } from "../recording/calls.js"
import * as Json from "../recording/json.js"
import { isData } from "../recording/keys.js"
import { type Body, bodyOf, cookiesIn } from "./ask.js"
import { isOfHttp } from "./recognition/carriers.js"
import { isSuccess, nodes } from "./recognition/exchange.js"
import type { Exchange, Purpose } from "./recognition/index.js"
import { partAt, partsOf } from "./recognition/parts.js"

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

/** The cookies of a message that stand in a list of their own, beside its headers. */
const cookiesListed = (message: unknown): ReadonlyArray<readonly [name: string, value: string]> =>
  listOf(message, "cookies").flatMap((cookie) => {
    const name = textOf(cookie, "name")
    return name === "" ? [] : [[name, textOf(cookie, "value")] as const]
  })

/** The headers of a request; its cookies are one of them, also where a tool keeps them apart. */
const sentIn = (request: unknown): Readonly<Record<string, string>> => {
  const headers = headersOf(request)
  const cookies = cookiesListed(request)
  return headers.cookie !== undefined || cookies.length === 0
    ? headers
    : { ...headers, cookie: cookies.map(([name, value]) => `${name}=${value}`).join("; ") }
}

const contentOf = (content: unknown): Body => {
  const text = textOf(content, "text")
  return bodyOf(
    textOf(content, "encoding") === "base64" ? Buffer.from(text, "base64").toString("utf8") : text
  )
}

/** What is known of a platform already. */
export interface Known {
  readonly api: Address | undefined
  readonly legacy: Address | undefined
  /** The project's id, which the host may name. */
  readonly project?: string | undefined
  /** What the module says of routes. */
  readonly routes?: unknown
}

/** The calls that are looked for, by the routes that they have. */
const callsBy = (routes: unknown): ReadonlyArray<Described> =>
  described
    .filter((call) => isRecordable(call) || signIns[call.key] !== undefined)
    .map((call) => {
      const route = own(routes, call.key) ?? own(routes, call.name)
      const [method, path] = [textOf(route, "method"), textOf(route, "path").split("?", 1).join("")]
      const { declared } = call
      return {
        ...call,
        declared: {
          ...declared,
          // The check of a platform's value lets methods alone pass.
          method: method === "" ? declared.method : (method as typeof declared.method),
          path: path === "" ? declared.path : path
        }
      }
    })

const signIns: Readonly<Record<string, Purpose>> = {
  "admin.auth.login": "sign-in of an admin",
  "admin.auth.legacyLogin": "legacy sign-in of an admin",
  "public.auth.login": "sign-in of an end user"
}

/** The methods that a platform may have in place of another one. */
const alike: Readonly<Record<string, ReadonlyArray<string>>> = {
  PATCH: ["PUT", "POST"],
  PUT: ["POST"],
  POST: ["PUT"]
}

/** The calls of a request; those that have another method where one of them alone has the path. */
const callsOf = (method: string, path: string, calls: ReadonlyArray<Described>): ReadonlyArray<Described> => {
  const found = routesOf(method, path, calls)
  if (found.length > 0) return found
  for (const other of alike[method] ?? []) {
    const others = routesOf(other, path, calls)
    const [first] = others
    // A word where an id is expected is the name of another call.
    const isWord = first?.declared.path.endsWith("}") && !isData(lastOf(path))
    if (first !== undefined && !isWord && others.every(({ name }) => name === first.name)) return others
  }
  return []
}

/** What a request was made for, by its route. */
const meaning = (
  method: string,
  path: string,
  calls: ReadonlyArray<Described>
): { readonly purpose: Purpose; readonly call: string; readonly isAdmins?: boolean } => {
  const found = callsOf(method, path, calls)
  // The two services have the same route for sign-ins.
  const route = found.find(({ key }) => key === "public.auth.login") ?? found[0]
  if (route === undefined) return { purpose: "unknown", call: "" }
  const { declared, key, name } = route
  const signIn = signIns[key]
  if (signIn !== undefined)
    return { purpose: signIn, call: name, isAdmins: found.some((each) => each.key === "admin.auth.login") }
  if (declared.method !== "GET") return { purpose: "write", call: name }
  if ("page" in declared.success) return { purpose: "list", call: name }
  return { purpose: /\{id\}$/.test(declared.path) ? "thing" : "other", call: name }
}

interface Entry {
  readonly url: URL
  readonly entry: unknown
}

const lastOf = (path: string): string => {
  const last = path.split("/").at(-1) ?? ""
  return percentDecoded(last)
}

/** An origin without the project in its host. */
const without = (project: string | undefined, origin: string): string => {
  const url = urlOf(origin)
  if (project === undefined || url === undefined) return origin
  const host = url.hostname
    .split(".")
    .filter((label) => label !== project)
    .join(".")
  return `${url.protocol}//${host}:${url.port}`
}

const below = ({ origin, prefix }: Address, url: URL, project: string | undefined): string | undefined =>
  without(project, url.origin) === without(project, origin) && url.pathname.startsWith(`${prefix}/`)
    ? url.pathname.slice(prefix.length)
    : undefined

const exchangeOf = (
  { entry, url }: Entry,
  path: string,
  { legacy, project }: Known,
  calls: ReadonlyArray<Described>
): ReadonlyArray<Exchange> => {
  const request = own(entry, "request")
  const response = own(entry, "response")
  const method = textOf(request, "method")
  const posted = textOf(own(request, "postData"), "text")
  const sentBody = bodyOf(posted).body
  // What is no JSON is a form.
  const input = typeof sentBody === "string" && sentBody === posted ? undefined : sentBody
  const found = meaning(method, path, calls)
  const status = own(response, "status")
  if (typeof status !== "number" || status === 0 || method === "OPTIONS") return []
  const answered = contentOf(own(response, "content"))
  const { body } = answered
  // What is no JSON is a page, a script or a picture.
  if (found.purpose === "unknown" && typeof body === "string") return []
  const sent = sentIn(request)
  // Without an API key it is the legacy service's sign-in, which has the same route.
  const isLegacy =
    found.purpose === "legacy sign-in of an admin" ||
    (found.purpose === "sign-in of an end user" &&
      ((legacy !== undefined &&
        below(legacy, url, project) !== undefined &&
        sent["x-api-key"] === undefined) ||
        !Object.keys(sent).some((name) => /api-?key|^authorization$/.test(name))))
  // A module may say one route for the sign-ins of all clients.
  const isAdmins = isLegacy && found.isAdmins === true
  const { "set-cookie": _, ...headers } = headersOf(response)
  const setCookies = listOf(response, "headers").filter(
    (header) => textOf(header, "name").toLowerCase() === "set-cookie"
  )
  const cookies =
    setCookies.length > 0
      ? cookiesIn(setCookies.flatMap((header) => textOf(header, "value").split("\n")))
      : Object.fromEntries(cookiesListed(response))
  const isRefusedRead = status >= 400 && method === "GET" && found.purpose !== "unknown"
  return [
    {
      purpose: isAdmins
        ? "sign-in of an admin"
        : isLegacy
          ? "legacy sign-in of an admin"
          : isRefusedRead
            ? "other"
            : found.purpose,
      call: isLegacy && !isAdmins ? "auth.legacyLogin" : found.call,
      method,
      path,
      query: Object.fromEntries(url.searchParams),
      repeated: [...new Set(url.searchParams.keys())].filter(
        (name) => url.searchParams.getAll(name).length > 1
      ),
      sent: { ...sent, host: url.hostname },
      ...(input === undefined ? {} : { input }),
      status,
      headers,
      cookies,
      ...answered,
      ...(found.purpose === "thing" ? { id: lastOf(path) } : {})
    }
  ]
}

/** What a HAR holds of a platform, or why it cannot be read. Requests of no call that is known are among it. */
export const exchangesIn = (text: string, known: Known): Either.Either<ReadonlyArray<Exchange>, string> => {
  const all = own(own(Json.parse(text)?.value, "log"), "entries")
  if (!Array.isArray(all)) return Either.left("is no HAR: { log: { entries } }")
  const calls = callsBy(known.routes)
  const entries = all.flatMap((entry): ReadonlyArray<Entry> => {
    const url = urlOf(textOf(own(entry, "request"), "url"))
    return url === undefined ? [] : [{ url, entry }]
  })
  const given = [known.api, known.legacy].filter((address) => address !== undefined)
  const ours = entries.filter(
    ({ entry, url }) =>
      meaning(textOf(own(entry, "request"), "method"), url.pathname, calls).purpose !== "unknown"
  )
  const origins = new Map(ours.map(({ url }) => [without(known.project, url.origin), url.origin]))
  if (given.length === 0 && origins.size > 1)
    return Either.left(
      `has requests to several addresses that may be the platform: ${[...origins.values()].sort().join(", ")}`
    )
  const bases =
    given.length > 0 ? given : [...origins.values()].map((origin): Address => ({ origin, prefix: "" }))
  return Either.right(
    entries.flatMap((entry) => {
      const path = bases
        .map((base) => below(base, entry.url, known.project))
        .find((found) => found !== undefined)
      return path === undefined ? [] : exchangeOf(entry, path, known, calls)
    })
  )
}

/** Whether a request has what browsers leave out of a sanitized export. */
const holdsCookies = ({ cookies, sent }: Exchange): boolean =>
  sent.cookie !== undefined || sent.authorization !== undefined || Object.keys(cookies).length > 0

/** Whether reads carry in headers of their own, or in their query, what a sign-in answered; without a sign-in, whatever they have there. */
const hasOwnCredentials = (reads: ReadonlyArray<Exchange>, exchanges: ReadonlyArray<Exchange>): boolean => {
  const signIns = exchanges.filter((each) => each.purpose.includes("sign-in") && isSuccess(each))
  const tokens = signIns.flatMap((each) => partAt(each, partsOf(each).accessToken) ?? [])
  // Beside a token a session in a header of its own is not enough.
  const answered =
    tokens.length > 0
      ? tokens
      : signIns.flatMap(({ body, headers }) => [
          ...nodes(body, 5).flatMap(({ value }) =>
            typeof value === "string" && value.length >= 8 ? [value] : []
          ),
          ...Object.values(headers)
        ])
  return reads.some(({ query, sent }) => {
    const carried = [
      ...Object.entries(sent).flatMap(([name, text]) => (isOfHttp(name) ? [] : [text])),
      ...Object.values(query)
    ]
    return signIns.length === 0
      ? carried.length > 0
      : carried.some((text) => answered.some((part) => part !== "" && text.includes(part)))
  })
}

/** What a recording lacks, in words: contents of answers, or credentials, which browsers leave out of a sanitized export. */
export const lackingIn = (exchanges: ReadonlyArray<Exchange>): ReadonlyArray<string> => {
  const reads = exchanges.filter(
    ({ method, purpose, status }) => method === "GET" && purpose !== "unknown" && isSuccess({ status })
  )
  const empty = reads.filter(({ body }) => body === undefined)
  return [
    ...(empty.length === 0
      ? []
      : [
          `${empty.length === reads.length ? "no answer" : `${empty.length} of ${reads.length} answers of reads`} ${empty.length === reads.length ? "of a read has" : "have no"} content: save the HAR with content`
        ]),
    ...(reads.length === 0 || reads.some(holdsCookies) || hasOwnCredentials(reads, exchanges)
      ? []
      : [
          "no request holds a header or a cookie with credentials, as in a HAR that a browser has sanitized: export it with sensitive data"
        ])
  ]
}
