/** What was asked and answered, as everything that recognises a platform looks at it; and the ways through a body. */

import { own } from "@quartet/sdk/extend"

/** What an exchange shows. */
export type Purpose =
  | "sign-in of an admin"
  | "legacy sign-in of an admin"
  | "sign-in of an end user"
  | "refresh"
  | "list"
  | "thing"
  | "write"
  /** A read that nothing is known of, such as one that was made to be refused. */
  | "other"
  /** A request of no call that the SDK knows. */
  | "unknown"

/** A request and its answer. Values stand in memory alone: what is written of it are names. */
export interface Exchange {
  readonly purpose: Purpose
  /** Name of the call, such as `requests.list`; empty where it is of none that is known. */
  readonly call: string
  readonly method: string
  /** Path below the address, from `/`, without its query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Names of its parameters that stand in the query more than once. */
  readonly repeated?: ReadonlyArray<string>
  /** Headers of the request by their names in lower case. */
  readonly sent: Readonly<Record<string, string>>
  /** The body of the request: parsed JSON; undefined without one. */
  readonly input?: unknown
  /** The HTTP status; where a refusal came with one of success, the status that it stands for. */
  readonly status: number
  /** The HTTP status that came, where the answer stands for another one. */
  readonly wireStatus?: number
  /** Whether the status that it stands for is guessed by its words. */
  readonly isStatusGuessed?: boolean
  /** Headers of the answer by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Cookies that the answer sets. */
  readonly cookies: Readonly<Record<string, string>>
  /** The body of the answer: parsed JSON, or text; undefined without one. Whole numbers beyond ±2⁵³ are their digits. */
  readonly body: unknown
  /** Names of fields of the body that hold such numbers. */
  readonly beyond?: ReadonlyArray<string>
  /** Of a thing: the id that it was asked by. */
  readonly id?: string
  /** Of a sign-in: the parts of its session that are known, such as by the requests that carried them later. */
  readonly holds?: {
    readonly accessToken?: string
    readonly sessionId?: string
    readonly refreshToken?: string
  }
  /** Of a sign-in: names of cookies that requests repeat in a header. They guard writes, and are no session. */
  readonly guards?: ReadonlyArray<string>
  /** Whether it was asked without credentials. */
  readonly isAnonymous?: boolean
}

/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const isSuccess = ({ status }: Pick<Exchange, "status">): boolean => status >= 200 && status <= 299

/** A text or a number, which may be an id. */
export const isScalar = (value: unknown): value is string | number =>
  (typeof value === "string" && value !== "") || typeof value === "number"

/** One form for a name in all styles: `next_page`, `nextPage`, `Next-Page`. */
export const wordOf = (name: string): string => name.replaceAll(/[-_\s]/g, "").toLowerCase()

/** One word for a thing and for many. */
export const kindOf = (name: string): string => wordOf(name).replace(/ies$/, "y").replace(/s$/, "")

/** Whether a value is an id that is known as text. */
export const isId = (value: unknown, id: string): boolean => isScalar(value) && String(value) === id

/** Whether a value is a number on the wire: one beyond ±2⁵³ is its digits, in a field that holds such numbers. */
export const isCount = (value: unknown, name: string, exchanges: ReadonlyArray<Exchange>): boolean =>
  typeof value === "number" ||
  (isDigits(value) && exchanges.some(({ beyond }) => beyond?.includes(name) === true))

/** Whether a value is written as a whole number beyond ±2⁵³ is. */
const isDigits = (value: unknown): value is string => typeof value === "string" && /^-?\d{16,}$/.test(value)

/** The value at a path of names; the body itself at `""`. */
export const valueAt = (body: unknown, path: string): unknown =>
  path === "" ? body : path.split(".").reduce((value, name) => own(value, name), body)

/** What a place of the definition says in an answer: as the SDK reads it. */
export const placed = (
  place: unknown,
  { body, cookies, headers, status: meant, wireStatus: status = meant }: Exchange
): unknown => {
  if (typeof place === "string") return valueAt(body, place)
  if (typeof place === "function")
    try {
      return place({ status, body, header: (name: string) => headers[name.toLowerCase()] })
    } catch {
      return undefined
    }
  if (!isObject(place)) return undefined
  return typeof place.header === "string"
    ? headers[place.header.toLowerCase()]
    : cookies[String(place.cookie)]
}

/** A value in a body, and the names that lead to it. */
export interface Node {
  readonly path: string
  /** The last of the names. */
  readonly name: string
  readonly value: unknown
  readonly depth: number
}

/**
 * All values of a body that names lead to, those that stand higher first. It goes through objects, and with `first` into the
 * first item of a list too. A name with a dot in it leads nowhere.
 */
export const nodes = (body: unknown, most = 4, first = false): ReadonlyArray<Node> => {
  const all: Array<Node> = [{ path: "", name: "", value: body, depth: 0 }]
  for (let at = 0; at < all.length; at++) {
    const { depth, path, value } = all[at] as Node
    if (depth >= most) continue
    const entries = isObject(value)
      ? Object.entries(value)
      : first && Array.isArray(value) && value.length > 0
        ? [["0", value[0]] as const]
        : []
    for (const [name, inner] of entries)
      if (!name.includes(".") && all.length < 2000)
        all.push({ path: path === "" ? name : `${path}.${name}`, name, value: inner, depth: depth + 1 })
  }
  return all
}

/** The path of what holds the value of a path, and that value's name. */
export const split = (path: string): readonly [holder: string, name: string] => {
  const at = path.lastIndexOf(".")
  return at < 0 ? ["", path] : [path.slice(0, at), path.slice(at + 1)]
}

/** Why no write shows anything; undefined where one was accepted. */
export const whyNoWrite = (exchanges: ReadonlyArray<Exchange>): string | undefined => {
  const writes = exchanges.filter(({ purpose }) => purpose === "write")
  if (writes.some(isSuccess)) return undefined
  return writes.length === 0 ? "since none was made" : "since each that was made was refused"
}

/** The one value that all have; undefined where they differ, or there are none. */
export const common = <A>(values: ReadonlyArray<A>): A | undefined =>
  values.length > 0 && values.every((value) => value === values[0]) ? values[0] : undefined
