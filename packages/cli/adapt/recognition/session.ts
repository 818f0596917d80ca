/** Where the parts of a session stand in the answers of sign-ins: in the body, a header or a cookie. */

import { isData } from "../../recording/keys.js"
import { carriersOf, guardsIn, isCarried, isOfHttp } from "./carriers.js"
import { type Exchange, isObject, isScalar, isSuccess, nodes, split, valueAt, wordOf } from "./exchange.js"
import { type Line, nothing, type Recognised, type Value } from "./line.js"

/** A place of a part. */
export type Place = string | { readonly header: string } | { readonly cookie: string }

/** Where the parts of one answer are. */
export interface Parts {
  readonly accessToken?: Place
  readonly sessionId?: Place
  readonly user?: Place
  readonly refreshToken?: Place
  readonly expiresIn?: Place
}

const words = {
  accessToken: [
    "accesstoken",
    "token",
    "authtoken",
    "jwt",
    "bearer",
    "bearertoken",
    "idtoken",
    "access",
    "xaccesstoken",
    "xauthtoken"
  ],
  sessionId: [
    "sessionid",
    "sid",
    "session",
    "sessionkey",
    "sessiontoken",
    "xsessionid",
    "xsession",
    "connect.sid",
    "jsessionid",
    "phpsessid"
  ],
  refreshToken: [
    "refreshtoken",
    "refresh",
    "xrefreshtoken",
    "refreshkey",
    "renewal",
    "renewalkey",
    "renewkey",
    "renewaltoken",
    "renewtoken",
    "renew"
  ],
  expiresIn: ["expiresin", "ttl", "maxage", "expiresinseconds"],
  user: ["user", "admin", "account", "profile", "me", "member", "owner"]
} as const

const isJwt = (value: unknown): boolean =>
  typeof value === "string" && /^(Bearer )?[\w-]+\.[\w-]+\.[\w-]+$/i.test(value) && value.length > 40

/** A name's word; of `token.value` that of `token`. */
const wordsAt = (path: string): ReadonlyArray<string> => {
  // What wraps things in JSON:API says nothing.
  const names = path
    .split(".")
    .map(wordOf)
    .filter((name) => !["data", "attributes", "relationships"].includes(name))
  const last = names.at(-1) ?? ""
  const before = names.at(-2)
  return before !== undefined && ["value", "id", "token", "key"].includes(last)
    ? [before, before + last, last]
    : [last]
}

const inBody = (
  body: unknown,
  names: ReadonlyArray<string>,
  is: (value: unknown) => boolean
): string | undefined =>
  nodes(body, 5)
    .filter(({ path, value }) => is(value) && wordsAt(path).some((word) => names.includes(word)))
    .sort((a, b) => rank(a.path, names) - rank(b.path, names))[0]?.path

const rank = (path: string, names: ReadonlyArray<string>): number =>
  Math.min(...wordsAt(path).map((word) => (names.includes(word) ? names.indexOf(word) : 99)))

const named = (all: Readonly<Record<string, string>>, names: ReadonlyArray<string>): string | undefined =>
  Object.keys(all)
    .filter((name) => names.includes(wordOf(name)))
    .sort((a, b) => names.indexOf(wordOf(a)) - names.indexOf(wordOf(b)))[0]

const placeOf = (
  { body, cookies, headers }: Exchange,
  names: ReadonlyArray<string>,
  is: (value: unknown) => boolean
): Place | undefined => {
  const path = inBody(body, names, is)
  if (path !== undefined) return path
  const header = named(headers, names)
  if (header !== undefined) return { header }
  const cookie = named(cookies, names)
  return cookie === undefined ? undefined : { cookie }
}

/** The cookie that holds the session, where none has one of the usual names. */
const sessionCookie = ({ cookies, guards = [] }: Exchange): Place | undefined => {
  const all = Object.keys(cookies).filter(
    (name) => !/csrf|xsrf|refresh|lang|locale/i.test(name) && !guards.includes(name)
  )
  const cookie =
    all.find((name) => /sess|sid|auth|token/i.test(name)) ?? (all.length === 1 ? all[0] : undefined)
  return cookie === undefined ? undefined : { cookie }
}

const isText = (value: unknown): boolean => typeof value === "string" && value.length >= 8

/** Where the access token is. */
const tokenOf = (answer: Exchange): Place | undefined => {
  const { body, cookies, headers } = answer
  const isRefresh = (path: string) =>
    wordsAt(path).some((word) => (words.refreshToken as ReadonlyArray<string>).includes(word)) ||
    /refresh/i.test(path)
  const named = placeOf(answer, words.accessToken, isText)
  if (named !== undefined && !(typeof named === "string" && isRefresh(named))) return named
  const jwt = nodes(body, 5).find(({ path, value }) => isJwt(value) && !isRefresh(path))
  if (jwt !== undefined) return jwt.path
  if (headers.authorization !== undefined) return { header: "authorization" }
  const cookie = Object.keys(cookies).find((name) => isJwt(cookies[name]))
  return cookie === undefined ? undefined : { cookie }
}

const userOf = ({ body }: Exchange): string | undefined => {
  const all = nodes(body, 3).filter(({ value }) => isObject(value))
  const hasMail = (value: object): boolean => Object.keys(value).some((name) => /mail$/i.test(name))
  // A resource of JSON:API says by its type what it is, or by its attributes.
  const isPerson = (value: unknown): boolean =>
    isObject(value) &&
    (hasMail(value) ||
      (isObject(value.attributes) &&
        isScalar(value.id) &&
        (hasMail(value.attributes) ||
          (words.user as ReadonlyArray<string>).includes(wordOf(String(value.type)).replace(/s$/, "")))))
  return (
    all.find(
      ({ path, value }) =>
        isPerson(value) && wordsAt(path).some((word) => (words.user as ReadonlyArray<string>).includes(word))
    )?.path ?? all.find(({ value }) => isPerson(value))?.path
  )
}

const defined = (parts: { readonly [Name in keyof Parts]: Place | undefined }): Parts =>
  Object.fromEntries(Object.entries(parts).filter(([, place]) => place !== undefined))

/** Words of names that a session id may have, or what holds it. */
const hints = /session|ticket|^key$|^sid$|^id$|cookie|handle|secret|login|auth|access|bearer|opaque/

/** Texts of a sign-in's answer that may be a session id, though nothing calls them so: the paths that lead to them. */
const candidatesIn = (body: unknown, user: string | undefined, others: ReadonlyArray<Place | undefined>) =>
  nodes(body, 5)
    .filter(
      ({ path, value }) =>
        typeof value === "string" &&
        /^[^\s@]{8,}$/.test(value) &&
        !/^(https?:|\/|\d{4}-\d\d-\d\d)/.test(value) &&
        !others.includes(path) &&
        user !== "" &&
        (user === undefined || !path.startsWith(`${user}.`)) &&
        path.split(".").some((name) => hints.test(wordOf(name)))
    )
    .map(({ path }) => path)

/** The places of an admin's sign-in that may hold the access token, where none is known to. */
export const maybeTokens = (answer: Exchange): ReadonlyArray<string> => {
  const { accessToken, refreshToken, sessionId, user } = partsOf(answer)
  return accessToken === undefined && isSuccess(answer)
    ? candidatesIn(answer.body, typeof user === "string" ? user : undefined, [refreshToken, sessionId])
    : []
}

/** The places of an answer that may hold the session id, where none is known to. */
export const maybeSessions = (answer: Exchange): ReadonlyArray<string> => {
  const { accessToken, expiresIn, refreshToken, sessionId, user } = partsOf(answer)
  return sessionId === undefined && isSuccess(answer)
    ? candidatesIn(answer.body, typeof user === "string" ? user : undefined, [
        accessToken,
        refreshToken,
        expiresIn
      ])
    : []
}

/** The place in an answer where a value stands. */
const whereIs = ({ body, cookies, headers }: Exchange, value: string | undefined): Place | undefined => {
  if (value === undefined) return undefined
  const path = nodes(body, 5).find((node) => isScalar(node.value) && String(node.value) === value)?.path
  if (path !== undefined) return path
  const header = Object.keys(headers).find((name) => headers[name]?.replace(/^Bearer /i, "") === value)
  if (header !== undefined) return { header }
  const cookie = Object.keys(cookies).find((name) => cookies[name] === value)
  return cookie === undefined ? undefined : { cookie }
}

/** Whether an answer is that to a request for an access token. */
const isForToken = ({ purpose }: Exchange): boolean =>
  purpose === "sign-in of an admin" || purpose === "refresh"

/** The parts of a session in the answer of a sign-in. */
export const partsOf = (answer: Exchange): Parts => {
  const user = userOf(answer)
  const refreshToken =
    whereIs(answer, answer.holds?.refreshToken) ?? placeOf(answer, words.refreshToken, isText)
  const named = whereIs(answer, answer.holds?.accessToken) ?? tokenOf(answer)
  // An admin's sign-in is for a token first, whatever it is called.
  const [maybeToken, ...otherTokens] =
    named === undefined && isForToken(answer)
      ? candidatesIn(answer.body, user, [refreshToken, placeOf(answer, words.sessionId, isScalar)])
      : []
  const accessToken = named ?? (otherTokens.length === 0 ? maybeToken : undefined)
  // A sign-in that is for a session alone holds it in the only text that may be one.
  const [only, ...others] =
    accessToken === undefined && !isForToken(answer) ? candidatesIn(answer.body, user, [refreshToken]) : []
  const sessionId =
    whereIs(answer, answer.holds?.sessionId) ??
    placeOf(answer, words.sessionId, isScalar) ??
    (accessToken === undefined ? sessionCookie(answer) : undefined) ??
    (others.length === 0 ? only : undefined)
  return defined({
    accessToken,
    // `session.token` is a token of that name, and no session id beside it.
    sessionId: JSON.stringify(sessionId) === JSON.stringify(accessToken) ? undefined : sessionId,
    user,
    refreshToken,
    expiresIn: placeOf(answer, words.expiresIn, (value) => typeof value === "number" && value > 0)
  })
}

/** What stands at a place. */
export const partAt = (
  { body, cookies, headers }: Exchange,
  place: Place | undefined
): string | undefined => {
  if (place === undefined) return undefined
  const value =
    typeof place === "string"
      ? valueAt(body, place)
      : "header" in place
        ? headers[place.header]?.replace(/^Bearer /i, "")
        : cookies[place.cookie]
  return isScalar(value) ? String(value) : undefined
}

/** All texts of an answer that may be credentials. */
const textsIn = ({ body, cookies, guards = [], headers }: Exchange): ReadonlyArray<string> =>
  [
    ...new Set([
      ...nodes(body, 5).map(({ value }) => value),
      ...Object.entries(headers).flatMap(([name, text]) => (isOfHttp(name) ? [] : [text])),
      ...Object.entries(cookies).flatMap(([name, text]) => (guards.includes(name) ? [] : [text]))
    ])
  ].filter((text): text is string => typeof text === "string" && text.length >= 8)

/** The text of a sign-in that later requests carried beside the token: its session id. */
const carriedLater = (
  answer: Exchange,
  exchanges: ReadonlyArray<Exchange>
): NonNullable<Exchange["holds"]> => {
  const { guards = [] } = answer
  const { accessToken, sessionId } = partsOf(answer)
  if (sessionId !== undefined) return {}
  const token = partAt(answer, accessToken)
  const carried = textsIn(answer).filter(
    (text) =>
      text !== token &&
      exchanges.some(
        (each) => isSuccess(each) && !/sign-in|refresh/.test(each.purpose) && isCarried(each, text, guards)
      )
  )
  const [only, ...others] = carried
  return only === undefined || others.length > 0 ? {} : { sessionId: only }
}

/** The field of a body that sends the token for a new session, and that token. */
const sentForNew = ({ input }: Exchange): readonly [name: string, token: string] | undefined => {
  const fields = Object.entries(isObject(input) ? input : {}).filter((field): field is [string, string] =>
    isText(field[1])
  )
  return (
    fields.find(([name]) => (words.refreshToken as ReadonlyArray<string>).includes(wordOf(name))) ??
    fields.find(([name]) => /refresh|renew/i.test(name)) ??
    fields.find(([name]) => /token/i.test(name)) ??
    (fields.length === 1 ? fields[0] : undefined)
  )
}

/** Whether a request of no known call asks for a new session: it sends what a sign-in has answered, or says so, and a token comes back. */
const isRenewal = (each: Exchange, signIns: ReadonlyArray<Exchange>): boolean => {
  if (each.purpose !== "unknown" || !["POST", "PUT", "PATCH"].includes(each.method) || !isSuccess(each))
    return false
  if (partsOf({ ...each, purpose: "refresh" }).accessToken === undefined) return false
  const sent = isObject(each.input) ? Object.values(each.input) : []
  return (
    /refresh|renew/i.test(each.path) ||
    Object.keys(Object(each.input)).some((name) => /refresh|renew/i.test(name)) ||
    signIns.some((answer) => textsIn(answer).some((text) => sent.includes(text)))
  )
}

/** Exchanges of which those that ask for a new session are known as such. An end user's are left out: the SDK renews those of admins. */
export const withRenewals = (exchanges: ReadonlyArray<Exchange>): ReadonlyArray<Exchange> => {
  const signIns = exchanges.filter((each) => each.purpose.includes("sign-in") && isSuccess(each))
  const ofUsers = signIns.filter(({ purpose }) => purpose === "sign-in of an end user").flatMap(textsIn)
  return exchanges.map((each) =>
    isRenewal(each, signIns) && !ofUsers.includes(sentForNew(each)?.[1] ?? "")
      ? { ...each, purpose: "refresh", call: "auth.refresh" }
      : each
  )
}

/** The text of an admin's sign-in that asked for a new session. */
const renewedBy = (answer: Exchange, exchanges: ReadonlyArray<Exchange>): NonNullable<Exchange["holds"]> => {
  if (answer.purpose !== "sign-in of an admin") return {}
  const texts = textsIn(answer)
  const sent = exchanges
    .filter(({ purpose }) => purpose === "refresh")
    .map((each) => sentForNew(each)?.[1] ?? "")
    .find((token) => texts.includes(token))
  return sent === undefined ? {} : { refreshToken: sent }
}

/** Exchanges whose sign-ins have the parts of their session that are known: those that somebody says, else what requests carried. */
export const withHeld = (
  exchanges: ReadonlyArray<Exchange>,
  said: (exchange: Exchange) => NonNullable<Exchange["holds"]> = () => ({})
): ReadonlyArray<Exchange> => {
  const guards = guardsIn(exchanges)
  return exchanges.map((given) => {
    if (!given.purpose.includes("sign-in") || !isSuccess(given)) return given
    const each = guards.length === 0 ? given : { ...given, guards }
    const holds = {
      ...carriedLater(each, exchanges),
      ...renewedBy(each, exchanges),
      ...each.holds,
      ...said(each)
    }
    return Object.keys(holds).length === 0 ? each : { ...each, holds }
  })
}

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
        `signIn.refresh: \`${asked.path.replace(/^\//, "")}\` answered a new session, but no field of the request's body held the token for it`
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

/** Whether requests of somebody were accepted, and none of them carried a session id that a sign-in answered. */
const isUnsent = (sessionId: string | undefined, exchanges: ReadonlyArray<Exchange>): boolean => {
  const accepted = exchanges.filter(
    (each) => isSuccess(each) && each.isAnonymous !== true && !/sign-in|refresh/.test(each.purpose)
  )
  const isSigned = ({ sent }: Exchange): boolean =>
    Object.keys(sent).some((name) => /^(authorization|cookie)$|token|session/.test(name))
  return (
    sessionId !== undefined &&
    accepted.some(isSigned) &&
    !accepted.some((each) => carriersOf(each, sessionId).length > 0)
  )
}

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
    const own = hasSession && !isUnsent(partAt(admin, parts.sessionId), exchanges)
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
