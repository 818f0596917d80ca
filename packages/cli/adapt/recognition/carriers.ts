/** What carried a credential in a request. */

import { percentDecoded } from "@quartet/sdk/extend"
import type { Exchange } from "./exchange.js"

/** A header, with a scheme before the value where there is one; a cookie; or a parameter of the query. */
export type Carrier = Readonly<Record<string, string>>

/** The cookies that a request sent. */
export const cookiesOf = ({ sent }: Exchange): ReadonlyArray<readonly [name: string, value: string]> =>
  (sent.cookie ?? "").split(/;\s*/).flatMap((pair) => {
    const at = pair.indexOf("=")
    return at > 0 ? [[pair.slice(0, at), pair.slice(at + 1)] as const] : []
  })

/** What carried a credential in a request: several where it was sent more than once. */
export const carriersOf = (exchange: Exchange, secret: string): ReadonlyArray<Carrier> => {
  const headers = Object.entries(exchange.sent).flatMap(([header, text]): ReadonlyArray<Carrier> => {
    if (header === "cookie") return []
    if (text === secret) return [{ header }]
    return text.endsWith(` ${secret}`) ? [{ header, scheme: text.slice(0, -secret.length - 1) }] : []
  })
  const cookies = cookiesOf(exchange).filter(([, text]) => text === secret || percentDecoded(text) === secret)
  const query = Object.entries(exchange.query).filter(([, text]) => text === secret)
  return [...headers, ...cookies.map(([cookie]) => ({ cookie })), ...query.map(([name]) => ({ query: name }))]
}

/** Headers that HTTP has for itself, in requests and answers: none of them is a platform's own, or holds a credential. */
export const isOfHttp = (header: string): boolean =>
  /^(accept|access-control-|cache-|content-|cross-origin-|if-|sec-|x-forwarded-|x-frame-)|^(age|allow|alt-svc|connection|date|dnt|etag|expires|host|keep-alive|last-modified|link|location|origin|pragma|priority|range|referer|referrer-policy|retry-after|server|strict-transport-security|te|transfer-encoding|upgrade-insecure-requests|user-agent|vary|via|x-content-type-options|x-powered-by|x-requested-with)$/.test(
    header
  )

/** Whether a cookie or a header is called like what guards writes. */
const isCalledGuard = (name: string): boolean => /csrf|xsrf/i.test(name)

/** The names of cookies that guard writes: those that are called so, and those that a header repeats which is called like no credential. */
export const guardsIn = (exchanges: ReadonlyArray<Exchange>): ReadonlyArray<string> => [
  ...new Set(
    exchanges.flatMap((each) => [
      ...Object.keys(each.cookies).filter(isCalledGuard),
      ...cookiesOf(each).flatMap(([name, value]) =>
        isCalledGuard(name) ||
        (value.length > 5 &&
          Object.entries(each.sent).some(
            ([header, text]) =>
              !/^cookie$|sess|sid|auth|(^|-)key/.test(header) &&
              (isCalledGuard(header) || !header.includes("token")) &&
              !isOfHttp(header) &&
              (text === value || text === percentDecoded(value))
          ))
          ? [name]
          : []
      )
    ])
  )
]

/** Whether a request carried a text as a credential: not in what HTTP has for itself, nor in what guards writes. */
export const isCarried = (exchange: Exchange, text: string, guards: ReadonlyArray<string>): boolean =>
  carriersOf(exchange, text).some(({ cookie, header }) =>
    cookie === undefined
      ? header === undefined || !(isOfHttp(header) || isCalledGuard(header))
      : !guards.includes(cookie)
  )
