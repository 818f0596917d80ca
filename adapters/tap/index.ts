/**
 * A Transport that reports every exchange as it happens, with secrets masked, and passes it on unchanged: for an
 * inspector, a log, a test.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { isPromiseLike } from "effect/Predicate"
import { port } from "../../core/kernel/operation/options.js"
import {
  type Abandon,
  type AnyRequest,
  type Outcome,
  type Service,
  Transport
} from "../../core/ports/transport.js"
import type { Ending, Exchange } from "./exchange.js"
import * as Mask from "./mask.js"

export { har } from "./har.js"
export type { Ending, Exchange }

const endingOf = (outcome: Outcome, request: AnyRequest): Ending => {
  // What the client has learnt since it sent the request is known by now, such as the session that a sign-in answers.
  const others = outcome._tag === "Answered" ? request.secretsIn?.(outcome) : []
  const hide = Mask.hider(request, others)
  const typeOf = (header: (name: string) => string | undefined): string | undefined => {
    const type = header("content-type")
    return type === undefined ? undefined : hide(type)
  }
  switch (outcome._tag) {
    case "Answered":
      return {
        _tag: "Answered",
        status: outcome.status,
        type: typeOf(outcome.header),
        bytes: outcome.body.byteLength,
        body: Mask.answer(outcome.body, hide)
      }
    case "Streaming":
      return { _tag: "Streaming", status: outcome.status, type: typeOf(outcome.header) }
    case "TooLarge":
      return { _tag: "TooLarge", status: outcome.status }
    case "Failed":
      return { _tag: "Failed", reason: outcome.reason, sent: outcome.sent }
    case "Unreadable":
      return { _tag: "Unreadable" }
  }
}

const failed = (cause: unknown): void => console.error("a tap failed:", cause)

/** Tells an exchange. A tap that throws, or whose Promise rejects, breaks no call. */
const safely = (tell: (exchange: Exchange) => unknown, exchange: Exchange): void => {
  try {
    const answer = tell(exchange)
    if (isPromiseLike(answer)) answer.then(undefined, failed)
  } catch (cause) {
    failed(cause)
  }
}

/**
 * Wraps a transport, and tells of each exchange: when it begins, and again when it is over, with its status, its
 * headers, its bodies and its duration in milliseconds. Credentials, passwords, keys and tokens are masked before
 * they get there. `tell` is called synchronously; its failure is logged and breaks no call. Throws InputError if the
 * transport is invalid.
 *
 * @example
 * ```ts
 * import * as FetchTransport from "@quartet/sdk/adapters/fetch"
 * import * as Tap from "@quartet/sdk/adapters/tap"
 * import { createPublicClient } from "@quartet/sdk/promise"
 *
 * const client = createPublicClient({
 *   baseUrl: "https://api.example.com",
 *   apiKey: "key",
 *   transport: Tap.make(FetchTransport.make(), ({ ending, method, path }) => console.log(method, path, ending))
 * })
 * ```
 * @category constructors
 */
export const make = (transport: Service, tell: (exchange: Exchange) => void): Service => {
  const below = port("TapTransport.make", "transport", transport, ["start"], "Transport")
  Either.getOrThrowWith(below, (refused) => refused)
  let count = 0
  const tapped =
    <R extends AnyRequest>(start: (request: R, settle: (outcome: Outcome) => void) => Abandon) =>
    (request: R, settle: (outcome: Outcome) => void): Abandon => {
      count += 1
      const began = Date.now()
      const hide = Mask.hider(request)
      const exchange: Exchange = {
        id: count,
        operation: request.operation,
        method: request.method,
        origin: request.origin,
        path: Mask.path(request.path, hide),
        attempt: request.attempt,
        headers: Mask.headers(request.headers, hide),
        body: Mask.body(request.body, hide),
        at: began,
        duration: undefined,
        ending: undefined
      }
      let isOver = false
      const end = (ending: Ending): void => {
        if (isOver) return
        isOver = true
        safely(tell, { ...exchange, duration: Date.now() - began, ending })
      }
      safely(tell, exchange)
      const abandon = start(request, (outcome) => {
        end(endingOf(outcome, request))
        settle(outcome)
      })
      return () => {
        end({ _tag: "Abandoned" })
        return abandon()
      }
    }
  const { stream } = transport
  return {
    start: tapped((request, settle) => transport.start(request, settle)),
    ...(stream === undefined ? {} : { stream: tapped(stream.bind(transport)) })
  }
}

/**
 * The transport below, tapped: `tell` hears of each exchange twice, when it begins and when it is over, with all
 * secrets masked.
 *
 * @example
 * ```ts
 * import * as FetchTransport from "@quartet/sdk/adapters/fetch"
 * import * as Tap from "@quartet/sdk/adapters/tap"
 * import * as Layer from "effect/Layer"
 *
 * const exchanges: Array<Tap.Exchange> = []
 * const transport = Layer.provide(Tap.layer((exchange) => void exchanges.push(exchange)), FetchTransport.layer)
 * ```
 * @category layers
 */
export const layer = (tell: (exchange: Exchange) => void): Layer.Layer<Transport, never, Transport> =>
  Layer.effect(
    Transport,
    Effect.map(Transport, (transport) => make(transport, tell))
  )
