/**
 * Whether answers speak against what a module says. That something else was seen too is not enough: what is said has to fail in
 * an answer in which the other holds.
 */
import { own } from "@quartet/sdk/extend"
import { allSecretsOf, type Secrets, secretsOf } from "./recognition/credentials.js"
import { countIn, unitOf } from "./recognition/dates.js"
import { groupsOf, idIn, idsAt, isOtherField, isStyleIn, thingsOf } from "./recognition/entities.js"
import { isCount, isObject, isScalar, isSuccess, nodes, placed, valueAt } from "./recognition/exchange.js"
import type { Exchange } from "./recognition/index.js"
import { isCode, type Value } from "./recognition/line.js"
import { itemsIn, thingsIn } from "./recognition/lists.js"
import { idsOf } from "./recognition/paging.js"
import { partAt, partsOf } from "./recognition/parts.js"
import { claimsOf } from "./recognition/token.js"
import { carriedBy, projectBy } from "./told.js"
import type { ProjectManner } from "./way.js"

/** What was seen. */
export interface Seen {
  readonly definition: unknown
  readonly exchanges: ReadonlyArray<Exchange>
  readonly secrets: Secrets
}

const isOf = (purpose: Exchange["purpose"]) => (each: Exchange) => each.purpose === purpose && isSuccess(each)

/** The exchanges that a field of places is about. */
const about = (at: string, exchanges: ReadonlyArray<Exchange>): ReadonlyArray<Exchange> => {
  if (at.startsWith("signIn.admin.")) return exchanges.filter(isOf("sign-in of an admin"))
  if (at.startsWith("signIn.legacy.")) return exchanges.filter(isOf("legacy sign-in of an admin"))
  if (at.startsWith("signIn.endUser.")) return exchanges.filter(isOf("sign-in of an end user"))
  if (at === "errors.status") return exchanges
  if (at.startsWith("errors.")) return exchanges.filter((each) => !isSuccess(each))
  if (at === "entities.unwrap") return exchanges.filter(isOf("thing"))
  return /^lists\.(items|total|next)$/.test(at) ? exchanges.filter(isOf("list")) : []
}

/** A function of the code that was recognised, so that it can be held against another. */
const evaluated = (value: Value | undefined): unknown =>
  typeof value === "object" && isCode(value) ? new Function(`return ${value.code}`)() : value

/** Whether what stands at a place is of the kind that its field is about. */
const isKindOf = (at: string, value: unknown): boolean => {
  if (value === undefined || value === null) return false
  if (at === "lists.items")
    return Array.isArray(value) || (isObject(value) && Object.values(value).every(isObject))
  if (at === "lists.total") return Number.isFinite(Number(value))
  return /\.(accessToken|sessionId|refreshToken|expiresIn|message|code|requestId)$/.test(at)
    ? isScalar(value)
    : true
}

const readAt = (at: string, place: unknown, exchange: Exchange): unknown => {
  if (at !== "entities.unwrap") return placed(place, exchange)
  if (place === "json:api") return valueAt(exchange.body, "data.type")
  return typeof place === "string" ? valueAt(exchange.body, place) : exchange.body
}

/** Whether another place fits an answer where what is said does not, and what is said fits none where the other does not. */
const isPlaceWorse = (
  at: string,
  said: unknown,
  other: unknown,
  exchanges: ReadonlyArray<Exchange>
): boolean => {
  const fit = about(at, exchanges).map(
    (each) => [isKindOf(at, readAt(at, said, each)), isKindOf(at, readAt(at, other, each))] as const
  )
  return fit.some(([one, two]) => !one && two) && fit.every(([one, two]) => !one || two)
}

/** Whether two places say the same in all answers that show it, and something in one. */
const sayTheSame = (
  at: string,
  left: unknown,
  right: unknown,
  exchanges: ReadonlyArray<Exchange>
): boolean => {
  const all = about(at, exchanges).map((each) => [placed(left, each), placed(right, each)] as const)
  return (
    all.some(([one]) => one !== undefined) &&
    all.every(([one, other]) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null))
  )
}

const includes = (all: Readonly<Record<string, string>>, some: Readonly<Record<string, string>>): boolean =>
  Object.entries(some).every(([name, text]) =>
    name === "cookie" ? (all.cookie ?? "").split(/;\s*/).includes(text) : all[name] === text
  )

/** Whether something holds a credential besides what is said to carry it. */
const isElsewhere = (
  { query, sent }: Exchange,
  carried: { readonly headers: object; readonly query: object },
  secret: string
): boolean =>
  [...Object.entries(sent).map(([name, text]) => [name, text, carried.headers] as const)]
    .concat(Object.entries(query).map(([name, text]) => [name, text, carried.query] as const))
    .some(([name, text, own]) => text.includes(secret) && !Object.hasOwn(own, name))

/** Reads of whoever has signed in or shown a key, that were let in. */
const accepted = (exchanges: ReadonlyArray<Exchange>): ReadonlyArray<Exchange> =>
  exchanges.filter(
    (each) =>
      isSuccess(each) &&
      each.isAnonymous !== true &&
      !each.purpose.includes("sign-in") &&
      each.purpose !== "refresh"
  )

const secretAt: Readonly<Record<string, keyof Secrets>> = {
  "credentials.accessToken": "accessToken",
  "credentials.session": "sessionId",
  "credentials.apiKey": "apiKey",
  "credentials.privateKey": "privateKey"
}

/** Whether requests that carried a credential as it is said were let in. */
const isCarrierAccepted = (said: unknown, secret: string, exchanges: ReadonlyArray<Exchange>): boolean => {
  const carried = carriedBy(said)?.(secret)
  return accepted(exchanges).some(
    (each) =>
      carried !== undefined &&
      includes(each.sent, carried.headers) &&
      includes(each.query, carried.query) &&
      !isElsewhere(each, carried, secret)
  )
}

const namesProject = (manner: ProjectManner, id: string, { path, query, sent }: Exchange): boolean =>
  includes(sent, manner.headers?.(id) ?? {}) &&
  includes(query, manner.query?.(id) ?? {}) &&
  path.replace(/^\//, "").startsWith(manner.prefix?.(id) ?? "") &&
  (manner.host === undefined || sent.host === manner.host(id))

const isProjectAccepted = (said: unknown, id: string, exchanges: ReadonlyArray<Exchange>): boolean => {
  const manner = projectBy(said)
  return accepted(exchanges).some(
    (each) => each.purpose === "list" && manner !== undefined && namesProject(manner, id, each)
  )
}

/** How a page is asked for, as it is said. */
interface SaidPage {
  readonly parameter: string
  readonly limit: string
  /** Whether a value of the parameter leads beyond the first page. */
  readonly leadsOn: (text: string) => boolean
}

const saidPage = (said: unknown): SaidPage => {
  const by = own(said, "by")
  const [parameter = by, limit = "limit"] = ["parameter", "limit"].map((name) => own(said, name))
  const { first = by === "page" ? 1 : 0 } = { first: own(said, "first") }
  return {
    parameter: String(parameter),
    limit: String(limit),
    leadsOn: (text) => by === "cursor" || Number(text) > Number(first)
  }
}

/** The requests for lists that asked for another page than the first, as it is said. */
const askedFurther = (said: unknown, exchanges: ReadonlyArray<Exchange>): ReadonlyArray<Exchange> => {
  const { leadsOn, parameter } = saidPage(said)
  return exchanges.filter(
    ({ purpose, query }) =>
      purpose === "list" && Object.hasOwn(query, parameter) && leadsOn(query[parameter] ?? "")
  )
}

const isRefusedSo = ({ status }: Exchange): boolean => [400, 404, 422].includes(status)

/** Whether two requests of one list differ in nothing but a parameter. */
const isSameBut = (name: string, a: Exchange, b: Exchange): boolean =>
  a.path === b.path &&
  a.query[name] !== b.query[name] &&
  Object.keys({ ...a.query, ...b.query }).every((each) => each === name || a.query[each] === b.query[each])

/** Whether the parameters of a page, as they are said, were refused, or taken without any effect. */
const isPageWithout = (said: unknown, exchanges: ReadonlyArray<Exchange>): boolean => {
  const { limit, parameter } = saidPage(said)
  const lists = exchanges.filter(isOf("list"))
  const [longest] = [...lists].sort((a, b) => thingsIn(b.body).length - thingsIn(a.body).length)
  const id = idIn(thingsIn(longest?.body))
  const further = askedFurther(said, exchanges)
  const besides = (each: Exchange) => lists.filter((other) => isSameBut(parameter, each, other))
  const isIdle =
    further.some((each) => besides(each).length > 0) &&
    further.every((each) =>
      isSuccess(each)
        ? besides(each).every((other) => idsOf(other.body, id) === idsOf(each.body, id))
        : isRefusedSo(each)
    )
  const limited = lists.filter(({ query }) => Object.hasOwn(query, limit))
  const isLimitIdle =
    limited.length > 0 &&
    limited.every(({ body, query }) => (itemsIn(body)?.items.length ?? 0) > Number(query[limit]))
  return isIdle || isLimitIdle
}

/** What was said of pages and never tried, though other pages were led to otherwise; undefined where there is nothing of the kind. */
export const untriedPage = (
  said: unknown,
  found: Value | undefined,
  exchanges: ReadonlyArray<Exchange>
): string | undefined => {
  if (said === undefined || found === undefined) return undefined
  const by = own(said, "by")
  const isSame = by === own(found, "by") && saidPage(said).parameter === saidPage(found).parameter
  if (isSame || !["page", "offset", "cursor"].includes(String(by))) return undefined
  return askedFurther(said, exchanges).some(isSuccess)
    ? undefined
    : `lists.page: no page was asked for by \`${saidPage(said).parameter}\`, as it is said; others were led to by ${String(own(found, "by"))}`
}

/** Who signed in, and what their token says: what fields on tokens are about. */
const claimsIn = ({ definition, exchanges }: Seen): ReadonlyArray<unknown> =>
  about("signIn.admin.", exchanges).flatMap((answer) => {
    const { accessToken, user } = partsOf(answer)
    const token = partAt(answer, accessToken)
    const place = valueAt(definition, "signIn.admin.user") ?? user
    return [token === undefined ? undefined : claimsOf(token), placed(place, answer)]
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

/** Whether a form of dates that is said of all, or of some fields by their names, is none of those that were seen. */
const areDatesOther = (said: unknown, { exchanges }: Seen): boolean => {
  const isOther = (unit: unknown, name?: string): boolean => {
    const counts = countIn(exchanges, name)
    return typeof unit === "string" && counts.length > 0 && counts.every((value) => unitOf(value) !== unit)
  }
  if (typeof said === "string") return isOther(said)
  return (
    isObject(said) &&
    typeof said.read !== "function" &&
    Object.entries(said).some(([name, unit]) => isOther(unit, name))
  )
}

const names = (value: unknown, name: unknown): boolean =>
  isObject(value) && typeof name === "string" && Object.hasOwn(value, name)

const writesIn = (exchanges: ReadonlyArray<Exchange>): ReadonlyArray<Exchange> =>
  exchanges.filter(({ input, purpose }) => purpose === "write" && isObject(input))

/** Whether things have no field of a name, or it is another field of the SDK's, or reads by ids show that another holds these. */
const isIdWorse = (said: unknown, found: unknown, exchanges: ReadonlyArray<Exchange>): boolean => {
  const asked = exchanges.filter(isOf("thing"))
  const holds = (name: unknown): boolean =>
    typeof name === "string" && asked.some((each) => idsAt(each).includes(name))
  if (holds(said)) return false
  if (holds(found) || (typeof found === "string" && isOtherField(String(said)))) return true
  return !groupsOf(exchanges)
    .flat()
    .concat(asked.flatMap(({ body }) => (isObject(body) ? [body] : [])))
    .some((thing) => names(thing, said) || Object.values(thing).some((inner) => names(inner, said)))
}

/**
 * Whether ids that are said to be numbers are texts wherever they stand. In JSON:API the id of a resource always is one, so that those
 * of other things show it there.
 */
const areIdsTexts = ({ definition, exchanges }: Seen): boolean => {
  const own = valueAt(definition, "entities.id")
  const isApi = valueAt(definition, "entities.unwrap") === "json:api"
  const ids = thingsOf(exchanges)
    .flatMap((thing) => nodes(thing, 4, true))
    .filter(
      ({ name, value }) =>
        isScalar(value) &&
        (name === own || /id$/i.test(name)) &&
        !(isApi && name === "id" && /^\d+$/.test(String(value)))
    )
  const ofThings = ids.filter(({ name }) => name === own)
  const deciding = isApi || ofThings.length === 0 ? ids : ofThings
  return deciding.length > 0 && deciding.every(({ name, value }) => !isCount(value, name, exchanges))
}

/**
 * Whether answers show what is said of a field, as far as they can: true where it fits one. Undefined where they do not say it by
 * themselves.
 */
export const shows = (at: string, said: unknown, { exchanges, ...seen }: Seen): boolean | undefined => {
  const secrets = secretsOf(exchanges, seen.secrets)
  const name = secretAt[at]
  if (name !== undefined) {
    return allSecretsOf(exchanges, seen.secrets)[name].some(
      (secret) => said === false || isCarrierAccepted(said, secret, exchanges)
    )
  }
  if (at === "credentials.project")
    return secrets.project !== undefined && isProjectAccepted(said, secrets.project, exchanges)
  const all = about(at, exchanges)
  if (!isPlaced(at)) return undefined
  return all.some((each) => said === false || isKindOf(at, readAt(at, said, each)))
}

/** Whether a field says where something stands in answers. */
const isPlaced = (at: string): boolean =>
  /^(signIn\.(admin|legacy|endUser)\.|errors\.|lists\.(items|total|next)$|entities\.unwrap$)/.test(at)

/** Whether what is said of a field fails in what was seen. `found` is what was recognised of it, if anything was. */
export const speaksAgainst = (at: string, said: unknown, found: Value | undefined, seen: Seen): boolean => {
  const { exchanges } = seen
  const secrets = secretsOf(exchanges, seen.secrets)
  const all = allSecretsOf(exchanges, seen.secrets)
  const other = evaluated(found)
  const name = secretAt[at]
  if (name !== undefined) {
    return (
      secrets[name] !== undefined &&
      found !== undefined &&
      !all[name].some((secret) => isCarrierAccepted(said, secret, exchanges))
    )
  }
  switch (at) {
    case "credentials.project":
      return (
        found !== undefined &&
        secrets.project !== undefined &&
        !isProjectAccepted(said, secrets.project, exchanges)
      )
    case "credentials.csrf":
      return (
        found !== undefined &&
        writesIn(exchanges).filter(isSuccess).length > 0 &&
        !writesIn(exchanges).some(
          (each) => isSuccess(each) && names(each.sent, String(own(said, "header")).toLowerCase())
        )
      )
    case "lists.page":
      return isPageWithout(said, exchanges)
    case "lists.item":
      return !exchanges
        .filter(isOf("list"))
        .some(({ body }) => (itemsIn(body)?.items ?? []).some((item) => names(item, said)))
    case "entities.id":
      return isIdWorse(said, found, exchanges)
    case "entities.numericIds":
      return said === true ? found !== true && areIdsTexts(seen) : found === true
    case "entities.names":
      return typeof said === "string" && isStyleIn(said, thingsOf(exchanges)) === false
    case "entities.wrap": {
      const writes = writesIn(exchanges).filter(isSuccess)
      return typeof said === "string" && writes.length > 0 && !writes.some(({ input }) => names(input, said))
    }
    case "dates":
      return areDatesOther(said, seen)
    case "token.kind":
      return said !== "opaque" && found === "opaque"
    case "token.subject":
    case "token.permissions":
      return (
        claimsIn(seen).length > 0 && !claimsIn(seen).some((claims) => claimed(said, claims) !== undefined)
      )
    case "signIn.fields": {
      const taken = exchanges.filter((each) => each.purpose.includes("sign-in") && isSuccess(each))
      return !taken.some(({ input }) => Object.values(Object(said)).every((name) => names(input, name)))
    }
    case "signIn.legacy":
      return said !== false && !exchanges.some(isOf("legacy sign-in of an admin"))
    case "signIn.refresh":
      return (
        exchanges.some(
          ({ path, status }) => path.endsWith(`/${String(own(said, "path"))}`) && status >= 400
        ) && found !== undefined
      )
    case "errors.status":
      return (
        found !== undefined &&
        !sayTheSame(at, said, other, exchanges) &&
        !(typeof said === "function" && about(at, exchanges).length === 0)
      )
  }
  // That there is none holds where none was seen; a function of things may do whatever a line would, and more.
  if (said === false || (at === "entities.unwrap" && typeof said === "function")) return false
  const relevant = about(at, exchanges)
  return found === undefined
    ? relevant.length > 0 && !relevant.some((each) => isKindOf(at, readAt(at, said, each)))
    : isPlaceWorse(at, said, other, exchanges)
}
