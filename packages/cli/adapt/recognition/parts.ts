import { type Exchange, isObject, isScalar, isSuccess, nodes, valueAt, wordOf } from "./exchange.js"

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

export const words = {
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

export const isText = (value: unknown): boolean => typeof value === "string" && value.length >= 8

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
