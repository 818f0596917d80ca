/** Recognises a platform by what it was asked and what it answered: the lines of its definition, by pure functions alone. */
import { isData } from "../../recording/keys.js"
import { credentials, type Secrets } from "./credentials.js"
import { dates } from "./dates.js"
import { entities, groupsOf, idIn, styles } from "./entities.js"
import { errors } from "./errors.js"
import type { Exchange } from "./exchange.js"
import { join, type Line, type Recognised } from "./line.js"
import { lists, parameters } from "./lists.js"
import { paging } from "./paging.js"
import { partAt, partsOf } from "./parts.js"
import { settled } from "./refusals.js"
import { withHeld, withRenewals } from "./renewals.js"
import { routes } from "./routes.js"
import { session } from "./session.js"
import { token } from "./token.js"

export type { Secrets } from "./credentials.js"
export type { Exchange, Purpose } from "./exchange.js"
export type { Line, Recognised } from "./line.js"
export { settled } from "./refusals.js"

/** What no read shows. */
const never: ReadonlyArray<string> = [
  "entities.fields: fields that the platform calls by other words than the SDK, which only somebody who knows both can tell",
  "routes: calls whose method or path differs and which were not made, which `routes` corrects one by one",
  "lists.searches: whether searches by POST take their page from the query or the body, since none was made",
  "chat and downloads, of which no call was made"
]

/** Without what other lines say already: a part of a session is looked for in what is unwrapped, by its name in the platform's style. */
const withoutRepeated = (found: Recognised): Recognised => {
  const saidAt = (at: string): unknown => found.lines.find((line) => line.at === at)?.value
  const unwrap = saidAt("entities.unwrap")
  const holder = unwrap === "json:api" ? "data.attributes" : typeof unwrap === "string" ? unwrap : ""
  const style = styles.find(({ name }) => name === saidAt("entities.names"))
  const isRepeated = ({ at, value }: Line): boolean => {
    const [, part = ""] = /^signIn\.(?:admin|legacy|endUser)\.(accessToken|sessionId|user)$/.exec(at) ?? []
    if (part === "") return false
    const name = style?.write(part) ?? part
    return value === (holder === "" ? name : `${holder}.${name}`)
  }
  const repeated = found.lines.filter(isRepeated)
  return {
    ...found,
    lines: found.lines.filter((line) => !isRepeated(line)),
    fits: [
      ...repeated.map(({ at }) => `${at} stands where things and names are as the lines on entities say`),
      ...found.fits
    ]
  }
}

/** All ids that were answered, and credentials: what no line may hold. */
const valuesIn = (exchanges: ReadonlyArray<Exchange>, secrets: Secrets): ReadonlySet<string> => {
  const signedIn = exchanges.filter(({ purpose }) => purpose.includes("sign-in") || purpose === "refresh")
  const given = signedIn.flatMap(({ input }) => Object.values(Object(input)).map(String))
  const parts = signedIn.flatMap((answer) =>
    Object.values(partsOf(answer)).map((place) => partAt(answer, place))
  )
  const ids = groupsOf(exchanges).flatMap((things) => things.map((thing) => thing[idIn(things) ?? ""]))
  return new Set(
    [...Object.values(secrets), ...given, ...parts, ...ids]
      .flatMap((value) => (value === undefined ? [] : [String(value)]))
      .filter((value) => value.length > 3)
  )
}

/** Whether a path leads by names alone, as far as their spelling says: a key may be an id, or a person. */
const isOfNames = (path: string): boolean =>
  path.split(".").every((name) => /^(\d?|\*|json:api)$/.test(name) || !isData(name))

/** Without what holds a value of the platform's, or looks as if it did: what is written are names. */
const masked = (found: Recognised, values: ReadonlySet<string>): Recognised => {
  const isClean = (text: string): boolean =>
    ![...values].some((value) => text.includes(value)) &&
    !/[\da-f]{12,}|\d{5,}|[^\s@]@[^\s@]+\.[a-z]/i.test(text) &&
    [...text.matchAll(/`([\w.*-]+)`/g)].every(([, path = ""]) => isOfNames(path))
  const isCleanLine = ({ at, reason, value }: Line): boolean =>
    isClean(JSON.stringify(value)) &&
    isClean(reason) &&
    (typeof value !== "string" || at.startsWith("lists.page") || isOfNames(value)) &&
    (at !== "dates" || typeof value === "string" || Object.keys(Object(value)).every(isOfNames))
  const others = found.lines.filter((line) => !isCleanLine(line))
  return {
    lines: found.lines.filter(isCleanLine),
    fits: found.fits.filter(isClean),
    unseen: [
      ...found.unseen.filter(isClean),
      ...others.map(
        ({ at }) =>
          `${at}: what was recognised of it holds what may be a value of the platform's, and is not written`
      )
    ]
  }
}

/** Says how a platform differs, by exchanges. */
export const recognise = (answers: ReadonlyArray<Exchange>, secrets: Secrets = {}): Recognised => {
  const all = withHeld(withRenewals(settled(answers)))
  const exchanges = all.filter(({ purpose }) => purpose !== "unknown")
  const others = all.filter(({ purpose }) => purpose === "unknown")
  const found = join([
    session(exchanges),
    token(exchanges),
    credentials(exchanges, secrets),
    lists(exchanges),
    paging(exchanges),
    parameters(exchanges),
    entities(exchanges),
    errors(exchanges),
    dates(exchanges),
    routes(exchanges, others)
  ])
  return masked(
    { ...withoutRepeated(found), unseen: [...found.unseen, ...never] },
    valuesIn(exchanges, secrets)
  )
}
