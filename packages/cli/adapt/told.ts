/** What is said of a platform already, by options and by its module: with it the platform is asked, and its answers are read. */

import { own } from "@quartet/sdk/extend"
import type { Texts } from "./ask.js"
import { placed } from "./recognition/exchange.js"
import { type Exchange, settled } from "./recognition/index.js"
import { withHeld } from "./recognition/renewals.js"
import { type Carried, inHeader, type Manner, nothing, type ProjectManner } from "./way.js"

const textsIn = (value: unknown): Texts =>
  Object.fromEntries(
    Object.entries(Object(value)).flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : []))
  )

const textAt = (value: unknown, name: string): string | undefined => {
  const text = own(value, name)
  return typeof text === "string" ? text : undefined
}

type Carry = (value: string) => Carried

const inNamedHeader = (name: string | undefined): Carry | undefined =>
  name === undefined ? undefined : inHeader(name)

/** How a carrier of the definition sends a credential to the new service. */
export const carriedBy = (carrier: unknown): Carry | undefined => {
  if (carrier === false || own(carrier, "on") === "legacy") return () => nothing
  const [header, query, cookie] = ["header", "query", "cookie"].map((name) => textAt(carrier, name))
  const write = own(carrier, "write")
  if (header !== undefined && typeof write === "function")
    return (value) => inHeader(header)(String(write(value)))
  if (header !== undefined) return inHeader(header, textAt(carrier, "scheme"))
  if (query !== undefined) return (value) => ({ headers: {}, query: { [query]: value } })
  return cookie === undefined
    ? undefined
    : (value) => ({ headers: { cookie: `${cookie}=${value}` }, query: {} })
}

export const projectBy = (place: unknown): ProjectManner | undefined => {
  if (place === false) return {}
  const [header, query, path, host] = ["header", "query", "path", "host"].map((name) => textAt(place, name))
  if (header !== undefined) return { headers: (id) => ({ [header.toLowerCase()]: id }) }
  if (query !== undefined) return { query: (id) => ({ [query]: id }) }
  if (host !== undefined) return { host: (id) => host.replaceAll("{projectId}", id) }
  return path === undefined
    ? undefined
    : { prefix: (id) => `${path.replace("{projectId}", encodeURIComponent(id)).replace(/^\/|\/$/g, "")}/` }
}

const pathsIn = (routes: unknown): Texts =>
  Object.fromEntries(
    Object.entries(Object(routes)).flatMap(([call, route]) => {
      const path = textAt(route, "path")
      return path === undefined ? [] : [[call, path.replace(/^\//, "")]]
    })
  )

const defined = (manner: { readonly [Name in keyof Manner]: Manner[Name] | undefined }): Manner =>
  Object.fromEntries(Object.entries(manner).filter(([, value]) => value !== undefined))

/** What is said of a platform. */
export interface Told {
  readonly manner: Manner
  readonly paths: Texts
  readonly headers: Texts
  /** Looks at all that was answered by what is said of errors and sign-ins. */
  readonly look: (exchanges: ReadonlyArray<Exchange>) => ReadonlyArray<Exchange>
}

/** How a page is asked for, where a parameter does it. */
const pageBy = (page: unknown): Manner["page"] => {
  const [by, first] = [own(page, "by"), own(page, "first")]
  if (by !== "page" && by !== "offset" && by !== "cursor") return undefined
  return {
    by,
    parameter: textAt(page, "parameter") ?? by,
    first: typeof first === "number" ? first : by === "page" ? 1 : 0
  }
}

const statusBy =
  (place: unknown) =>
  (exchange: Exchange): number | undefined => {
    const status = place === undefined ? undefined : placed(place, exchange)
    return typeof status === "number" && status >= 400 && status <= 599 ? status : undefined
  }

const signIns: ReadonlyArray<readonly [purpose: string, who: string]> = [
  ["sign-in of an admin", "admin"],
  ["legacy sign-in of an admin", "legacy"],
  ["sign-in of an end user", "endUser"]
]

/** The parts of a session that an answer holds by what the definition says. */
const partsBy =
  (definition: unknown) =>
  (exchange: Exchange): NonNullable<Exchange["holds"]> => {
    const who = signIns.find(([purpose]) => purpose === exchange.purpose)?.[1]
    if (who === undefined) return {}
    const places = own(own(definition, "signIn"), who)
    return Object.fromEntries(
      (["accessToken", "sessionId"] as const).flatMap((part) => {
        const place = own(places, part)
        const value = place === undefined || place === false ? undefined : placed(place, exchange)
        return (typeof value === "string" && value !== "") || typeof value === "number"
          ? [[part, String(value).replace(/^Bearer /i, "")]]
          : []
      })
    )
  }

/** What the clients' options say, and before them the module of the platform. */
export const toldBy = (options: object, definition: object | undefined): Told => {
  const names = own(options, "headerNames")
  const credentials = own(definition, "credentials")
  const signIn = own(definition, "signIn")
  const page = own(own(definition, "lists"), "page")
  const statusOf = statusBy(own(own(definition, "errors"), "status"))
  const parts = partsBy(definition)
  const fields = textsIn(own(signIn, "fields"))
  const legacy = own(signIn, "legacy")
  return {
    manner: defined({
      token: carriedBy(own(credentials, "accessToken")),
      session: carriedBy(own(credentials, "session")) ?? inNamedHeader(textAt(names, "sessionId")),
      userSession: carriedBy(own(credentials, "endUserSession")),
      apiKey: carriedBy(own(credentials, "apiKey")) ?? inNamedHeader(textAt(names, "apiKey")),
      privateKey: carriedBy(own(credentials, "privateKey")) ?? inNamedHeader(textAt(names, "privateKey")),
      project: projectBy(own(credentials, "project")),
      fields: Object.keys(fields).length === 0 ? undefined : fields,
      hasLegacySignIn: legacy === undefined ? undefined : legacy !== false,
      page: pageBy(page),
      pageParameters: [textAt(page, "limit"), textAt(page, "parameter")].filter((name) => name !== undefined)
    }),
    paths: { ...pathsIn(own(options, "routes")), ...pathsIn(own(definition, "routes")) },
    headers: { ...textsIn(own(options, "headers")), ...textsIn(own(credentials, "headers")) },
    look: (exchanges) => withHeld(settled(exchanges, statusOf), parts)
  }
}
