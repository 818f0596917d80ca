/** A plain HTTP server that a test plays by hand: it says when and how each request is answered, and sees who hangs up. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { listen as listening } from "./servers.js"

/** One request on the server's side. */
export interface Exchange {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly body: string
  readonly response: ServerResponse
  /** Fulfilled when the exchange is over: with true where its answer was sent whole. */
  readonly over: Promise<boolean>
  readonly json: (value: unknown, status?: number, headers?: Record<string, string>) => void
}

export interface Server {
  readonly url: string
  /** All requests so far. */
  readonly exchanges: ReadonlyArray<Exchange>
  /** The request at a place, from 0, once it has come. */
  readonly exchange: (place: number) => Promise<Exchange>
  /** Forgets the requests so far and says what is done with the next ones. */
  readonly play: (handler: (exchange: Exchange) => void) => void
  /** Forgets the requests so far. */
  readonly forget: () => void
  readonly close: () => Promise<void>
}

/** Leaves a request without an answer. */
export const silent = (): void => undefined

const read = async (request: IncomingMessage): Promise<string> => {
  let text = ""
  for await (const chunk of request.setEncoding("utf8")) text += chunk
  return text
}

const exchangeOf = (request: IncomingMessage, response: ServerResponse, body: string): Exchange => ({
  method: request.method ?? "",
  target: request.url ?? "",
  body,
  response,
  over: new Promise((resolve) => response.once("close", () => resolve(response.writableFinished))),
  json: (value, status = 200, headers = {}) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value))
  }
})

/** Starts a server on a free port of the loopback. */
export const listen = async (): Promise<Server> => {
  const exchanges: Array<Exchange> = []
  let waiting: Array<() => void> = []
  let handler: (exchange: Exchange) => void = silent
  const { close, url } = await listening(
    createServer(async (request, response) => {
      const exchange = exchangeOf(request, response, await read(request))
      exchanges.push(exchange)
      const woken = waiting
      waiting = []
      for (const wake of woken) wake()
      handler(exchange)
    })
  )
  return {
    url,
    exchanges,
    exchange: async (place) => {
      for (;;) {
        const exchange = exchanges[place]
        if (exchange !== undefined) return exchange
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    play: (next) => {
      exchanges.length = 0
      handler = next
    },
    forget: () => {
      exchanges.length = 0
    },
    close
  }
}
