/** What has moved between what a module says of a platform and what is recognised of it now. */

import { type Audience, own } from "@quartet/sdk/extend"
import { type Seen, shows, speaksAgainst, untriedPage } from "./evidence.js"
import { saidIn } from "./kept.js"
import * as Module from "./module.js"
import type { Secrets } from "./recognition/credentials.js"
import { isObject, isSuccess, valueAt } from "./recognition/exchange.js"
import type { Exchange, Line, Recognised } from "./recognition/index.js"
import { namesTo, type Value } from "./recognition/line.js"

/** What calls of clients with the module have shown. */
export interface Tried {
  /** Whose calls were answered. */
  readonly worked: ReadonlyArray<Audience>
  /** Whether a second page came where the module says that it is. */
  readonly hasPaged: boolean
}

/** A field of the definition that no longer fits. */
export interface Moved {
  /** Where it stands, such as `lists.items`. */
  readonly at: string
  readonly says: string
  /** Whether nothing is said of it yet. */
  readonly isNew: boolean
}

const shown = (value: unknown): string => {
  if (typeof value === "function") return "a function"
  return isObject(value)
    ? `{ ${Object.entries(value)
        .map(([name, inner]) => `${name}: ${shown(inner)}`)
        .join(", ")} }`
    : JSON.stringify(value)
}

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
const withoutHost = (value: unknown): unknown => {
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
    ["accessToken", "sessionId", "user", "refreshToken", "expiresIn"].map((name) => `signIn.${who}.${name}`)
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
const fitting: Readonly<Record<string, readonly [fits: string, value: Value]>> = {
  "credentials.accessToken": ["the access token is sent", { header: "authorization", scheme: "Bearer" }],
  "credentials.session": ["the session id is sent", { header: "x-session-id" }],
  "credentials.apiKey": ["the API key is sent", { header: "x-api-key" }],
  "credentials.privateKey": ["the private key is sent", { header: "x-private-key" }],
  "credentials.project": ["the project is named", { query: "projectId" }]
}

/** What was recognised of a field without a line of its own. */
const fitOf = (at: string, { fits }: Recognised): Value | undefined => {
  const [words, value] = fitting[at] ?? []
  return words !== undefined && fits.some((text) => text.startsWith(words)) ? value : undefined
}

/** Whether it could be told at all: of what it could not, nothing has moved. */
const isUntold = (at: string, { unseen }: Recognised): boolean =>
  unseen.some((text) => {
    const [field = ""] = text.split(/[: ]/)
    return at === field || at.startsWith(`${field}.`) || field.startsWith(`${at}.`)
  })

/**
 * Fields that show by themselves that nothing comes of them: a page that is asked for in vain, and what stands in no answer that should
 * hold it. The last page of a list has no next one, and an error of a gateway no message of the platform's.
 */
const showsLoss = (at: string): boolean => /^(lists\.(page|items|total)|signIn\..*)$/.test(at)

/** What a module's definition says otherwise than what is recognised now, and what it leaves out of that. */
export const moved = (
  definition: unknown,
  now: Recognised,
  exchanges: ReadonlyArray<Exchange>,
  secrets: Secrets = {}
): ReadonlyArray<Moved> => {
  const seen = { definition, exchanges, secrets }
  const lines = new Map<string, Line>(now.lines.map((line) => [line.at, line]))
  const found: Array<Moved> = []
  for (const { at, value, reason } of now.lines) {
    const said = saidAt(definition, at)
    if (isSame(withoutHost(said), value) || (said === undefined && isSaidAround(definition, at))) continue
    // Paging by links follows the header of that name by itself.
    if (at === "lists.next" && said === undefined && valueAt(definition, "lists.page.by") === "link") continue
    const is = Module.codeOf(value)
    if (said === undefined || isNewOfRoute(at, said, value))
      found.push({ at, isNew: true, says: `nothing is said of it, but it is ${is}: ${reason}` })
    else if (at.startsWith("routes.") ? !hasAll(said, value) : speaksAgainst(at, said, value, seen))
      found.push({ at, isNew: false, says: `it is said to be ${shown(said)}, but is ${is}: ${reason}` })
  }
  for (const at of recognisable) {
    const said = saidAt(definition, at)
    if (said === undefined || lines.has(at) || isSame(said, standard[at])) continue
    if (!showsLoss(at) && isUntold(at, now)) continue
    if ([...lines.keys()].some((other) => other.startsWith(`${at}.`))) continue
    if (!speaksAgainst(at, said, fitOf(at, now), seen)) continue
    found.push({ at, isNew: false, says: `it is said to be ${shown(said)}, which nothing shows any more` })
  }
  return found
}

/** Fields of a definition that no answer shows, and no call of a client with it: `worked` are those whose calls were answered. */
export const unchecked = (
  definition: object,
  now: Recognised,
  { exchanges, secrets }: Pick<Seen, "exchanges" | "secrets">,
  { hasPaged, worked }: Tried
): ReadonlyArray<string> => {
  const isTried = (at: string): boolean =>
    at === "lists.page"
      ? hasPaged
      : (triedBy.find(([place]) => place.test(at))?.[1] ?? []).some((audience) => worked.includes(audience))
  return saidIn(definition).flatMap(({ at, value }) => {
    const line = now.lines.find((each) => each.at === at)
    const isShown =
      isSame(withoutHost(value), line?.value) ||
      (shows(at, value, { definition, exchanges, secrets }) ??
        ((recognisable as ReadonlyArray<string>).includes(at) && at !== "lists.page" && !isUntold(at, now)))
    return isShown || isTried(at) ? [] : [at]
  })
}

/** Whose calls show that what is said of a field works. */
const triedBy: ReadonlyArray<readonly [at: RegExp, by: ReadonlyArray<Audience>]> = [
  [
    /^signIn\.(admin|legacy)(\.(?!refreshToken$|expiresIn$)|$)|^signIn\.fields$|^credentials\.(accessToken|session|project)$/,
    ["admin"]
  ],
  [/^signIn\.endUser\.|^credentials\.endUserSession$/, ["endUser"]],
  [/^credentials\.apiKey$/, ["endUser", "public"]],
  [/^credentials\.privateKey$/, ["private"]],
  [/^credentials\.headers$/, ["admin", "endUser", "public", "private"]]
]

/** Those whose sign-in was refused, as it is said. */
export const refusedSignIns = (
  exchanges: ReadonlyArray<Exchange>
): ReadonlyArray<Moved & { readonly audience: Audience }> =>
  (["admin", "endUser"] as const).flatMap((audience) => {
    const who = audience === "admin" ? "an admin" : "an end user"
    const all = exchanges.filter(({ purpose }) => purpose === `sign-in of ${who}`)
    const [refused] = all
    return refused === undefined || all.some(isSuccess)
      ? []
      : [
          {
            audience,
            at: `signIn.${audience}`,
            isNew: false,
            says: `the platform refuses the sign-in of ${who} (HTTP ${refused.wireStatus ?? refused.status})`
          }
        ]
  })

/** What a definition says that nothing was asked about, though something else was seen in its place. */
export const unconfirmed = (
  definition: unknown,
  now: Recognised,
  exchanges: ReadonlyArray<Exchange>
): ReadonlyArray<string> => {
  const found = now.lines.find(({ at }) => at === "lists.page")?.value
  const untried = untriedPage(saidAt(definition, "lists.page"), found, exchanges)
  return untried === undefined ? [] : [untried]
}

/** Whether something is said of what holds a field, such as that there is no sign-in of the legacy service. */
const isSaidAround = (definition: unknown, at: string): boolean =>
  saidIn(definition).some(({ at: place }) => at.startsWith(`${place}.`))

/** Whether a value says all that another does. */
const hasAll = (said: unknown, value: Value): boolean =>
  isObject(value) && isSame({ ...Object(said), ...value }, said)

/** Whether a route is said without what was recognised of it. */
const isNewOfRoute = (at: string, said: unknown, value: Value): boolean =>
  at.startsWith("routes.") &&
  isObject(value) &&
  Object.keys(value).every((name) => own(said, name) === undefined)
