/** What carried a credential in a request. */

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
  const cookies = cookiesOf(exchange).filter(([, text]) => text === secret || decoded(text) === secret)
  const query = Object.entries(exchange.query).filter(([, text]) => text === secret)
  return [...headers, ...cookies.map(([cookie]) => ({ cookie })), ...query.map(([name]) => ({ query: name }))]
}

export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
