/** A plain HTTP server that a test plays by hand: it says when and how each request is answered, and sees who hangs up. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { listen as listening } from "./servers.js"

/** Leaves a request without an answer. */
export const silent = (): void => undefined

/** One request on the server's side; `target` is its path and query. */
const exchangeOf = async (request: IncomingMessage, response: ServerResponse) => ({
  method: request.method ?? "",
  target: request.url ?? "",
  body: await text(request),
  response,
  /** Fulfilled when the exchange is over: with true where its answer was sent whole. */
  over: new Promise<boolean>((resolve) => response.once("close", () => resolve(response.writableFinished))),
  json: (value: unknown, status = 200, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value))
  }
})
export type Exchange = Awaited<ReturnType<typeof exchangeOf>>

/** Starts a server on a free port of the loopback. */
export const listen = async () => {
  const exchanges: Array<Exchange> = []
  let waiting: Array<() => void> = []
  let handler: (exchange: Exchange) => void = silent
  const { close, url } = await listening(
    createServer(async (request, response) => {
      const exchange = await exchangeOf(request, response)
      exchanges.push(exchange)
      const woken = waiting
      waiting = []
      for (const wake of woken) wake()
      handler(exchange)
    })
  )
  const forget = (): void => {
    exchanges.length = 0
  }
  return {
    url,
    close,
    /** All requests so far. */
    exchanges,
    /** The request at a place, from 0, once it has come. */
    exchange: async (place: number): Promise<Exchange> => {
      for (;;) {
        const exchange = exchanges[place]
        if (exchange !== undefined) return exchange
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    /** Forgets the requests so far and says what is done with the next ones. */
    play: (next: (exchange: Exchange) => void): void => {
      forget()
      handler = next
    },
    /** Forgets the requests so far. */
    forget
  }
}

export type Server = Awaited<ReturnType<typeof listen>>
