/** What has moved between what a module says of a platform and what is recognised of it now. */

import { own } from "@quartet/sdk/extend"
import { thingsOf } from "./recognition/entities.js"
import { isObject, isSuccess, placed as read, valueAt } from "./recognition/exchange.js"
import type { Exchange, Line, Recognised } from "./recognition/index.js"
import { isCode, namesTo, type Value } from "./recognition/line.js"
import { partAt, partsOf } from "./recognition/session.js"
import { claimsOf } from "./recognition/token.js"

/** A field of the definition that no longer fits. */
export interface Moved {
  /** Where it stands, such as `lists.items`. */
  readonly at: string
  readonly says: string
}

const shown = (value: unknown): string => (typeof value === "function" ? "a function" : JSON.stringify(value))

/** The exchanges that a field of places is about. */
const about = (at: string, exchanges: ReadonlyArray<Exchange>): ReadonlyArray<Exchange> => {
  if (at.startsWith("signIn.admin."))
    return exchanges.filter(({ purpose }) => purpose === "sign-in of an admin").filter(isSuccess)
  if (at.startsWith("signIn.legacy."))
    return exchanges.filter(({ purpose }) => purpose === "legacy sign-in of an admin").filter(isSuccess)
  if (at.startsWith("signIn.endUser."))
    return exchanges.filter(({ purpose }) => purpose === "sign-in of an end user").filter(isSuccess)
  if (at === "errors.status") return exchanges
  if (at.startsWith("errors.")) return exchanges.filter((each) => !isSuccess(each))
  if (/^lists\.(items|total|next)$/.test(at))
    return exchanges.filter(({ purpose }) => purpose === "list").filter(isSuccess)
  return []
}

/** Whether two places say the same in all answers that show it, and something in one. */
const sayTheSame = (
  at: string,
  left: unknown,
  right: unknown,
  exchanges: ReadonlyArray<Exchange>
): boolean => {
  const all = about(at, exchanges).map((each) => [read(left, each), read(right, each)] as const)
  return (
    all.some(([one]) => one !== undefined) &&
    all.every(([one, other]) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null))
  )
}

/** A function of the code that was recognised, so that it can be held against another. */
const evaluated = (value: Value | undefined): unknown =>
  typeof value === "object" && isCode(value) ? new Function(`return ${value.code}`)() : value

const plain = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, inner]) => [name, plain(inner)])
      )
    : value

const isSame = (left: unknown, right: unknown): boolean =>
  JSON.stringify(plain(left)) === JSON.stringify(plain(right))

/** A carrier or a place as requests and answers show it: names of headers are in lower case, and of services nothing is seen. */
const seen = (value: unknown): unknown => {
  if (!isObject(value)) return value
  const { on: _, ...rest } = value
  return typeof rest.header === "string" ? { ...rest, header: rest.header.toLowerCase() } : rest
}

/** What a definition says at a path; `token: "opaque"` is its kind. */
const saidAt = (definition: unknown, at: string): unknown =>
  at.startsWith("token.") && isObject(definition) && typeof definition.token === "string"
    ? at === "token.kind"
      ? definition.token
      : undefined
    : at.startsWith("routes.")
      ? routeAt(definition, namesTo(at)[1] ?? "")
      : valueAt(definition, at)

/** What is said of a call's route: for all clients, or for the one that has it. */
const routeAt = (definition: unknown, call: string): unknown => {
  const routes = own(definition, "routes")
  const name = Object.keys(Object(routes)).find((name) => name === call || name.endsWith(`.${call}`))
  return name === undefined ? undefined : own(routes, name)
}

/** The fields of a definition that exchanges can show. */
const recognisable = [
  ...["admin", "legacy", "endUser"].flatMap((who) =>
    ["accessToken", "sessionId", "user"].map((name) => `signIn.${who}.${name}`)
  ),
  "token.kind",
  "token.subject",
  "token.permissions",
  "credentials.accessToken",
  "credentials.session",
  "credentials.apiKey",
  "credentials.privateKey",
  "credentials.project",
  "lists.items",
  "lists.item",
  "lists.total",
  "lists.next",
  "lists.page",
  "entities.unwrap",
  "entities.id",
  "entities.numericIds",
  "entities.names",
  "errors.message",
  "dates"
] as const

/** What stands for a field that is left out. */
const standard: Readonly<Record<string, unknown>> = {
  "entities.id": "_id",
  "entities.numericIds": false,
  "token.kind": "jwt",
  "lists.page": { by: "page" },
  ...Object.fromEntries(
    ["admin", "legacy", "endUser"].flatMap((who) =>
      ["accessToken", "sessionId", "user"].map((name) => [`signIn.${who}.${name}`, name])
    )
  ),
  "credentials.project": { query: "projectId" }
}

/** What the SDK would need no line for, by the words of what fits. */
const fitting: Readonly<Record<string, string>> = {
  "credentials.accessToken": "the access token is sent",
  "credentials.session": "the session id is sent",
  "credentials.apiKey": "the API key is sent",
  "credentials.privateKey": "the private key is sent",
  "credentials.project": "the project is named"
}

/** Who signed in, and what their token says: what fields on tokens are about. */
const claimsIn = (definition: unknown, exchanges: ReadonlyArray<Exchange>): ReadonlyArray<unknown> =>
  about("signIn.admin.", exchanges).flatMap((answer) => {
    const { accessToken, user } = partsOf(answer)
    const token = partAt(answer, accessToken)
    const place = saidAt(definition, "signIn.admin.user") ?? user
    return [token === undefined ? undefined : claimsOf(token), read(place, answer)]
  })

const claimed = (claim: unknown, claims: unknown): unknown => {
  if (claims === undefined) return undefined
  if (typeof claim === "string") return valueAt(claims, claim)
  try {
    return typeof claim === "function" ? claim(claims) : undefined
  } catch {
    return undefined
  }
}

/** Whether what is said still leads to what is looked for, though it is no line by itself. */
const holds = (
  at: string,
  said: unknown,
  definition: unknown,
  now: Recognised,
  exchanges: ReadonlyArray<Exchange>
): boolean => {
  // That there is none holds where none was seen.
  if (said === false) return true
  const fit = fitting[at]
  // Who is not known, or was not let in, shows nothing of it.
  if (fit !== undefined) return !now.fits.some((text) => text.startsWith(fit))
  if (/^token\.(subject|permissions)$/.test(at))
    return claimsIn(definition, exchanges).some((claims) => claimed(said, claims) !== undefined)
  const things = thingsOf(exchanges)
  if (at === "entities.numericIds")
    return things.some((thing) =>
      isObject(thing)
        ? Object.entries(thing).some(([name, id]) => /id$/i.test(name) && /^\d+$/.test(String(id)))
        : false
    )
  // A function may do whatever a line would, and more.
  return typeof said === "function" && about(at, exchanges).length === 0
    ? true
    : about(at, exchanges).some((each) => read(said, each) !== undefined)
}

/** Whether it could be told at all: of what it could not, nothing has moved. */
const isUntold = (at: string, { unseen }: Recognised): boolean =>
  unseen.some((text) => {
    const [field = ""] = text.split(/[: ]/)
    return at === field || at.startsWith(`${field}.`) || field.startsWith(`${at}.`)
  })

/** What a module's definition says otherwise than what is recognised now. */
export const moved = (
  definition: unknown,
  now: Recognised,
  exchanges: ReadonlyArray<Exchange>
): ReadonlyArray<Moved> => {
  const lines = new Map<string, Line>(now.lines.map((line) => [line.at, line]))
  const found: Array<Moved> = []
  for (const { at, value, reason } of now.lines) {
    const said = saidAt(definition, at)
    if (isSame(seen(said), value)) continue
    // A route may say more than its method.
    if (at.startsWith("routes.") && isObject(value) && isSame({ ...Object(said), ...value }, said)) continue
    if (said === undefined)
      found.push({ at, says: `nothing is said of it, but it is ${shown(codeless(value))}: ${reason}` })
    else if (
      !sayTheSame(at, said, evaluated(value), exchanges) &&
      !(typeof said === "function" && about(at, exchanges).length === 0)
    )
      found.push({ at, says: `it is said to be ${shown(said)}, but is ${shown(codeless(value))}: ${reason}` })
  }
  for (const at of recognisable) {
    const said = saidAt(definition, at)
    if (said === undefined || lines.has(at) || isUntold(at, now) || isSame(said, standard[at])) continue
    if ([...lines.keys()].some((other) => other.startsWith(`${at}.`))) continue
    if (holds(at, said, definition, now, exchanges)) continue
    found.push({ at, says: `it is said to be ${shown(said)}, which nothing shows any more` })
  }
  return found
}

const codeless = (value: Value): unknown => (typeof value === "object" && isCode(value) ? value.code : value)
