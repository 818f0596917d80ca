/**
 * A Transport that answers from a script and keeps an account: what was sent, what is still in flight, what was
 * abandoned. Answers are settled at once, or by hand where a test needs an exchange that waits.
 */

import {
  type NetworkReason,
  type Outcome,
  type Request,
  type TransportService as Service,
  Transport
} from "@quartet/sdk/extend"
import * as Layer from "effect/Layer"

/**
 * What an exchange comes to: an outcome, `waits` for one that the test settles or that never ends, or `queues` for one that
 * waits and is not sent.
 */
export type Reply = Outcome | "waits" | "queues"

/** Replies in order, the last one for all that follow; or a function of the request and of its place, from 0. */
export type Script = ReadonlyArray<Reply> | ((request: Request, place: number) => Reply)

/** One exchange that was started. */
export interface Exchange {
  readonly request: Request
  /** Ends an exchange that waits. */
  readonly settle: (outcome: Outcome) => void
  /** How it stands: an abandoned exchange must never settle. */
  state: "open" | "settled" | "abandoned"
}

type Headers = Readonly<Record<string, string>>

const answered = (status: number, body: Uint8Array, headers: Headers): Outcome => ({
  _tag: "Answered",
  status,
  header: (name) => (Object.hasOwn(headers, name) ? headers[name] : undefined),
  body
})

/** An answer of text. */
export const text = (status: number, body: string, headers: Headers = {}): Outcome =>
  answered(status, new TextEncoder().encode(body), headers)

/** An answer of bytes as they are. */
export const bytes = (status: number, body: ReadonlyArray<number>, headers: Headers = {}): Outcome =>
  answered(status, Uint8Array.from(body), headers)

/** An answer of JSON. */
export const json = (status: number, body: unknown, headers: Headers = {}): Outcome =>
  text(status, JSON.stringify(body), headers)

/** An answer whose body is larger than it may be. */
export const tooLarge = (status: number, headers: Headers = {}): Outcome => ({
  _tag: "TooLarge",
  status,
  header: (name) => (Object.hasOwn(headers, name) ? headers[name] : undefined)
})

/** An exchange that failed; `sent: false` where nothing can have reached the platform. */
export const failed = (reason: NetworkReason, sent = true, cause: unknown = new Error("gone")): Outcome => ({
  _tag: "Failed",
  reason,
  sent,
  cause
})

/** An answer whose body comes as a stream. */
export const streaming = (body: ReadableStream<Uint8Array>, status = 200): Outcome => ({
  _tag: "Streaming",
  status,
  header: () => undefined,
  body
})

const replyOf = (script: Script, request: Request, place: number): Reply => {
  if (typeof script === "function") return script(request, place)
  return script[Math.min(place, script.length - 1)] ?? "waits"
}

/** Makes a fake that follows a script. */
export const make = (script: Script) => {
  const exchanges: Array<Exchange> = []
  const service: Service = {
    start: (request, settle) => {
      const exchange: Exchange = {
        request,
        settle: (outcome) => {
          if (exchange.state !== "open") throw new Error(`an ${exchange.state} exchange was settled`)
          exchange.state = "settled"
          settle(outcome)
        },
        state: "open"
      }
      exchanges.push(exchange)
      const reply = replyOf(script, request, exchanges.length - 1)
      if (typeof reply === "object") exchange.settle(reply)
      return () => {
        if (exchange.state === "open") exchange.state = "abandoned"
        return reply === "queues" ? false : undefined
      }
    }
  }
  return {
    service,
    layer: Layer.succeed(Transport, service),
    exchanges,
    /** The requests in the order in which they were started. */
    requests: (): ReadonlyArray<Request> => exchanges.map(({ request }) => request),
    /** How many exchanges stand so. */
    count: (state: Exchange["state"]) => exchanges.filter((exchange) => exchange.state === state).length,
    /** The exchange at a place, which a test expects to be there. */
    at: (place: number): Exchange => {
      const exchange = exchanges[place]
      if (exchange === undefined) throw new Error(`no exchange ${place}: there are ${exchanges.length}`)
      return exchange
    }
  }
}

export type Fake = ReturnType<typeof make>
