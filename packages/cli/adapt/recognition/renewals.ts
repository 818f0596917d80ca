/** What later requests say of the sessions that were opened: what they carried, and what asked for a new session. */
import { guardsIn, isCarried, isOfHttp } from "./carriers.js"
import { type Exchange, isObject, isSuccess, nodes, wordOf } from "./exchange.js"
import { isText, partAt, partsOf, words } from "./parts.js"

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
export const sentForNew = ({ input }: Exchange): readonly [name: string, token: string] | undefined => {
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
