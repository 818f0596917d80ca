/** Exchanges as a HAR, the archive that the network panels of browsers and many tools read. */
import type { Ending, Exchange } from "./exchange.js"

const fields = (all: Iterable<readonly [name: string, value: string]>) =>
  [...all].map(([name, value]) => ({ name, value }))

/** What a HAR asks of each message, and a tap does not know; -1 is an unknown size. */
const unknown = { httpVersion: "", cookies: [], headersSize: -1, bodySize: -1 }

/** An exchange that is over. */
type Ended = Exchange & { readonly ending: Ending }

const entryOf = ({ at, body, duration = 0, ending, headers, method, operation, origin, path }: Ended) => {
  const answered = ending._tag === "Answered" ? ending : undefined
  const type = "type" in ending ? ending.type : undefined
  const mimeType = headers["content-type"] ?? "multipart/form-data"
  return {
    startedDateTime: new Date(at).toISOString(),
    time: duration,
    request: {
      ...unknown,
      method,
      url: origin + path,
      headers: fields(Object.entries(headers)),
      queryString: fields(new URLSearchParams(path.split("?", 2)[1])),
      ...(body === "" ? {} : { postData: { mimeType, text: body } })
    },
    response: {
      ...unknown,
      status: "status" in ending ? ending.status : 0,
      // The words of a status are not kept: two versions of HTTP send none.
      statusText: "",
      headers: type === undefined ? [] : fields([["content-type", type]]),
      content: {
        size: answered?.bytes ?? ("status" in ending ? -1 : 0),
        mimeType: type ?? "x-unknown",
        ...(answered && { text: answered.body })
      },
      redirectURL: "",
      comment: ending._tag
    },
    cache: {},
    timings: { send: 0, wait: duration, receive: 0 },
    comment: operation
  }
}

/**
 * The text of a HAR 1.2, which browsers' tools and `quartet record` read: of all that was reported, those exchanges
 * that are over, in the order in which they began. A secret stays masked, and of an answer it holds what was
 * reported, up to 4,000 characters.
 *
 * @example
 * ```ts
 * import * as FetchTransport from "@quartet/sdk/adapters/fetch"
 * import * as Tap from "@quartet/sdk/adapters/tap"
 *
 * const exchanges: Array<Tap.Exchange> = []
 * const transport = Tap.make(FetchTransport.make(), (exchange) => void exchanges.push(exchange))
 * const file = Tap.har(exchanges)
 * ```
 * @category constructors
 */
export const har = (exchanges: Iterable<Exchange>): string => {
  const ended = [...exchanges].filter((exchange): exchange is Ended => exchange.ending !== undefined)
  const entries = ended.sort((left, right) => left.at - right.at).map(entryOf)
  return JSON.stringify({ log: { version: "1.2", creator: { name: "Quartet", version: "1" }, entries } })
}
