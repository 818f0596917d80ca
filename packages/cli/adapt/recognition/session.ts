/** How somebody signs in, and where the answers have the parts of the session. */

import { isData } from "../../recording/keys.js"
import { carriersOf } from "./carriers.js"
import { type Exchange, isObject, isSuccess, split, valueAt } from "./exchange.js"
import { type Line, nothing, type Recognised, type Value } from "./line.js"
import { maybeSessions, maybeTokens, type Parts, type Place, partAt, partsOf } from "./parts.js"
import { sentForNew } from "./renewals.js"

const defaults = { accessToken: "accessToken", sessionId: "sessionId", user: "user" }

const isDefault = (name: string, place: Place): boolean =>
  Object.entries(defaults).some(([each, path]) => each === name && path === place)

const isShown = (place: Place): boolean =>
  typeof place === "string" ? place.split(".").every((name) => !isData(name) || name.includes("-")) : true

const wordsOfPart: Readonly<Record<string, string>> = {
  accessToken: "the access token",
  sessionId: "the session id",
  user: "who signed in",
  refreshToken: "the token for a new session",
  expiresIn: "the seconds until the session ends"
}

const linesOf = (at: string, parts: Parts, wanted: ReadonlyArray<keyof Parts>): ReadonlyArray<Line> =>
  wanted.flatMap((name) => {
    const place = parts[name]
    if (place === undefined || isDefault(name, place) || !isShown(place)) return []
    const value: Value = typeof place === "string" ? place : { ...place }
    const where = typeof place === "string" ? "there" : "header" in place ? "in a header" : "in a cookie"
    return [{ at: `${at}.${name}`, value, reason: `the answer held ${wordsOfPart[name]} ${where}` }]
  })

const lacking = (
  at: string,
  parts: Parts,
  wanted: ReadonlyArray<keyof Parts>,
  answer: Exchange
): ReadonlyArray<string> =>
  wanted
    .filter((name) => parts[name] === undefined)
    .map((name) => {
      const candidates =
        name === "sessionId" ? maybeSessions(answer) : name === "accessToken" ? maybeTokens(answer) : []
      return `${at}.${name}: the answer does not show ${wordsOfPart[name]}${candidates.length === 0 ? "" : `; it may be ${candidates.map((path) => `\`${path}\``).join(", ")}`}`
    })

const fitsOf = (at: string, parts: Parts): ReadonlyArray<string> =>
  Object.entries(parts).flatMap(([name, place]) =>
    isDefault(name, place) ? [`${at}: ${wordsOfPart[name]} stands in \`${name}\``] : []
  )

/** What may say in how many seconds a session ends that has no claims: a number beside its token, or its id. */
const endings = (at: string, parts: Parts, answer: Exchange): ReadonlyArray<string> => {
  const place = parts.accessToken ?? parts.sessionId
  if (parts.expiresIn !== undefined || typeof place !== "string") return []
  if (partAt(answer, place)?.split(".").length === 3) return []
  const [holder] = split(place)
  const numbers = Object.entries(Object(valueAt(answer.body, holder))).flatMap(([name, value]) =>
    typeof value === "number" && Number.isInteger(value) && value >= 30 && value <= 366 * 86_400 ? [name] : []
  )
  const paths = numbers.map((name) => `\`${holder === "" ? name : `${holder}.${name}`}\``)
  return [
    paths.length === 0
      ? `${at}.expiresIn: nothing that is known says in how many seconds the session ends`
      : `${at}.expiresIn: it may be ${paths.join(", ")}, if that counts the seconds until the session ends`
  ]
}

const refresh = (exchanges: ReadonlyArray<Exchange>, parts: Parts): Recognised => {
  const asked = exchanges.find((exchange) => exchange.purpose === "refresh" && isSuccess(exchange))
  if (asked === undefined)
    return parts.refreshToken === undefined
      ? nothing
      : {
          ...nothing,
          unseen: [
            "signIn.refresh: the sign-in answers a token for a new session, but where it is sent was not seen"
          ]
        }
  const [field] = sentForNew(asked) ?? []
  if (field === undefined)
    return {
      ...nothing,
      unseen: [
        `signIn.refresh: \`${asked.path.replace(/^\//, "")}\` answered a new session, but no field of the request's body held the token for it: say signIn.refresh.carrier if a header does, or signIn.admin.refreshToken: { cookie } if a cookie does`
      ]
    }
  if (asked.path.split("/").some((segment) => segment !== "" && isData(segment)))
    return {
      ...nothing,
      unseen: [
        "signIn.refresh: a new session was asked for at a path that may hold a value, and is not written"
      ]
    }
  const now = partsOf(asked)
  // Where parts of the answer stand is said of all of them, or of none.
  const isOther = Object.entries(now).some(
    ([name, place]) => JSON.stringify(place) !== JSON.stringify(parts[name as keyof Parts])
  )
  return {
    ...nothing,
    lines: [
      {
        at: "signIn.refresh",
        value: {
          path: asked.path.replace(/^\//, ""),
          ...(asked.method === "POST" ? {} : { method: asked.method }),
          ...(field === "refreshToken" ? {} : { field }),
          ...(isOther ? { answer: { ...now } } : {})
        },
        reason: "a new session was asked for there"
      }
    ]
  }
}

/** Why a sign-in shows nothing. */
const notSignedIn = (at: string, who: "admin" | "end user", exchanges: ReadonlyArray<Exchange>): string => {
  const refused = exchanges.find(
    (each) => each.purpose === `sign-in of an ${who}` && [400, 401, 403, 422].includes(each.status)
  )
  return refused === undefined
    ? `${at}: no ${who} signed in`
    : `${at}: the sign-in was refused with HTTP ${refused.wireStatus ?? refused.status}: the e-mail or the password is wrong, or signIn.fields has to name its fields`
}

/** Whether requests of somebody were accepted, and none of them carried one of the session ids. */
const isUnsent = (sessions: ReadonlyArray<string>, exchanges: ReadonlyArray<Exchange>): boolean => {
  const accepted = exchanges.filter(
    (each) => isSuccess(each) && each.isAnonymous !== true && !/sign-in|refresh/.test(each.purpose)
  )
  const isSigned = ({ sent }: Exchange): boolean =>
    Object.keys(sent).some((name) => /^(authorization|cookie)$|token|session/.test(name))
  return (
    sessions.length > 0 &&
    accepted.some(isSigned) &&
    !accepted.some((each) => sessions.some((sessionId) => carriersOf(each, sessionId).length > 0))
  )
}

/** The session ids that sign-ins of admins, and renewals, answered. */
const sessionsOf = (exchanges: ReadonlyArray<Exchange>): ReadonlyArray<string> =>
  exchanges
    .filter((each) => /^(sign-in of an admin|refresh)$/.test(each.purpose) && isSuccess(each))
    .flatMap((each) => partAt(each, partsOf(each).sessionId) ?? [])

/** How somebody signs in. */
export const session = (exchanges: ReadonlyArray<Exchange>): Recognised => {
  const of = (purpose: Exchange["purpose"]) =>
    exchanges.find((each) => each.purpose === purpose && isSuccess(each))
  const admin = of("sign-in of an admin")
  const legacy = of("legacy sign-in of an admin")
  const endUser = of("sign-in of an end user")
  const lines: Array<Line> = []
  const fits: Array<string> = []
  const unseen: Array<string> = []
  if (admin === undefined) unseen.push(notSignedIn("signIn.admin", "admin", exchanges))
  else {
    const parts = partsOf(admin)
    // Where the legacy service has a sign-in of its own, its session is the one that counts.
    const hasSession = legacy === undefined && parts.sessionId !== undefined
    const own = hasSession && !isUnsent(sessionsOf(exchanges), exchanges)
    const isOnly =
      legacy === undefined &&
      exchanges.some(
        ({ purpose, status }) =>
          purpose === "legacy sign-in of an admin" && (status === 404 || status === 405)
      )
    const wanted = ["accessToken", ...(own ? (["sessionId"] as const) : []), "user"] as const
    lines.push(...linesOf("signIn.admin", parts, [...wanted, "refreshToken", "expiresIn"]))
    fits.push(...fitsOf("signIn.admin", parts))
    unseen.push(...lacking("signIn.admin", parts, hasSession ? ["user"] : ["accessToken", "user"], admin))
    if (!hasSession && legacy === undefined && maybeSessions(admin).length > 0)
      unseen.push(...lacking("signIn.admin", parts, ["sessionId"], admin))
    unseen.push(...endings("signIn.admin", parts, admin))
    const fields = signInFields(admin)
    if (fields !== undefined)
      lines.push({ at: "signIn.fields", value: fields, reason: "the sign-in took these names" })
    if (isOnly || own)
      lines.push({
        at: "signIn.legacy",
        value: false,
        reason: own ? "the answer holds the session id too" : "the legacy service has no sign-in of its own"
      })
    else if (legacy === undefined) unseen.push("signIn.legacy: no sign-in of the legacy service was seen")
    const renewed = refresh(exchanges, parts)
    lines.push(...renewed.lines)
    unseen.push(...renewed.unseen)
  }
  if (legacy !== undefined) {
    const parts = partsOf(legacy)
    // A token that is the only part of it is its session.
    const all: Parts =
      parts.sessionId === undefined && parts.accessToken !== undefined
        ? { sessionId: parts.accessToken }
        : parts
    lines.push(...linesOf("signIn.legacy", all, ["sessionId"]))
    fits.push(
      ...fitsOf("signIn.legacy", { ...(all.sessionId === undefined ? {} : { sessionId: all.sessionId }) })
    )
    unseen.push(...lacking("signIn.legacy", all, ["sessionId"], legacy))
  }
  if (endUser === undefined) unseen.push(notSignedIn("signIn.endUser", "end user", exchanges))
  else {
    const parts = partsOf(endUser)
    const all: Parts =
      parts.sessionId === undefined && parts.accessToken !== undefined
        ? { ...parts, sessionId: parts.accessToken }
        : parts
    lines.push(...linesOf("signIn.endUser", all, ["sessionId", "user", "refreshToken", "expiresIn"]))
    fits.push(...fitsOf("signIn.endUser", all).filter((text) => !text.includes("`accessToken`")))
    unseen.push(...lacking("signIn.endUser", all, ["sessionId", "user"], endUser))
    unseen.push(...endings("signIn.endUser", all, endUser))
  }
  return { lines, fits, unseen }
}

/** The names of the fields that a sign-in sent, where they are others. */
const signInFields = ({ input }: Exchange): Readonly<Record<string, string>> | undefined => {
  if (!isObject(input)) return undefined
  const names = Object.keys(input)
  const password = names.find((name) => /pass|secret|pwd/i.test(name))
  const email = names.find((name) => /mail|user|login|name|identifier/i.test(name))
  const fields = {
    ...(email === undefined || email === "email" ? {} : { email }),
    ...(password === undefined || password === "password" ? {} : { password })
  }
  return Object.keys(fields).length === 0 ? undefined : fields
}
