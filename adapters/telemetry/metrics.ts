/**
 * Metrics of Effect, named as OpenTelemetry names its own. Their tags are of low cardinality: neither ids nor input, and of
 * a path the template alone.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import * as MetricLabel from "effect/MetricLabel"
import * as Record from "effect/Record"
import type { Drift } from "../../core/kernel/codec/drift.js"
import type { Middleware, MiddlewareCall } from "../../core/kernel/dispatch/middleware.js"
import type { CallError } from "../../core/kernel/errors/errors.js"
import { type Address, ChatSocket, type Service as Socket } from "../../core/ports/chat-socket.js"
import { aside, attributesOf, endingOf } from "./ending.js"

/** Boundaries in seconds, which the semantic conventions advise for HTTP clients. */
const seconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

const counter = (name: string, description: string) =>
  Metric.counter(name, { description, incremental: true })

const calls = /*#__PURE__*/ counter("quartet.client.calls", "Calls, by operation and how they ended.")
const duration = /*#__PURE__*/ Metric.tagged(
  /*#__PURE__*/ Metric.histogram(
    "quartet.client.call.duration",
    /*#__PURE__*/ MetricBoundaries.fromIterable(seconds),
    "Seconds from the start of a call to its end, with all of its attempts."
  ),
  "unit",
  "s"
)
const retries = /*#__PURE__*/ counter(
  "quartet.client.retries",
  "Requests that were sent again: after a failure, or with renewed credentials."
)
const budget = /*#__PURE__*/ Metric.gauge("quartet.client.retry_budget", {
  description: "Tokens left in the retry budget of the client whose call ended last."
})
const drift = /*#__PURE__*/ counter(
  "quartet.client.drift",
  "Places where an answer was not what its operation declares, once a client for each place."
)
const connections = /*#__PURE__*/ counter("quartet.chat.connections", "Connections that a chat opened.")
const reconnections = /*#__PURE__*/ counter(
  "quartet.chat.reconnections",
  "Those of them that were not its first."
)
const troubles = /*#__PURE__*/ counter(
  "quartet.chat.troubles",
  "Connections that ended or failed, by reason."
)
const messages = /*#__PURE__*/ counter("quartet.chat.messages", "Events of a chat, by direction.")

/** Writes to the registry where no fiber runs. */
const tell = (metric: Metric.Metric.Counter<number>, labels: Readonly<Record<string, string>> = {}): void =>
  metric.unsafeUpdate(
    1,
    Object.entries(labels).map(([key, value]) => MetricLabel.make(key, value))
  )

const record = (
  call: MiddlewareCall,
  exit: Exit.Exit<unknown, CallError>,
  nanos: bigint
): Effect.Effect<void> => {
  const { audience, progress, retryBudget } = call
  // How often a call was sent again is a metric of its own.
  const { "http.request.resend_count": _, ...attributes } = attributesOf(call, endingOf(exit))
  const labels = Record.map(attributes, String)
  const tagged = Effect.tagMetrics(labels)
  const repeated = Math.max(0, progress.attempts - 1)
  return Effect.all(
    [
      tagged(Metric.increment(calls)),
      tagged(Metric.update(duration, Number(nanos) / 1e9)),
      repeated === 0 ? Effect.void : tagged(Metric.incrementBy(retries, repeated)),
      Effect.tagMetrics(Metric.set(budget, retryBudget.left), { "quartet.audience": audience })
    ],
    { discard: true }
  )
}

/**
 * Middleware that counts calls by operation, status and error, and records how long they took, what was sent again
 * and what is left of the retry budget: `quartet.client.calls`, `.call.duration` in seconds, `.retries`,
 * `.retry_budget`. They are metrics of Effect, which its OpenTelemetry layer exports.
 *
 * @example
 * ```ts
 * import * as Telemetry from "@quartet/sdk/adapters/telemetry"
 * import * as Admin from "@quartet/sdk/admin"
 *
 * const live = Admin.layer({
 *   baseUrl: "https://api.example.com",
 *   projectId: "p1",
 *   email: "ada@example.com",
 *   password: "…",
 *   middleware: [Telemetry.metrics, Telemetry.logs()],
 *   onDrift: Telemetry.drifts
 * })
 * ```
 * @category constants
 */
export const metrics: Middleware = (next) => (call) =>
  Effect.flatMap(Clock.currentTimeNanos, (began) =>
    Effect.onExit(next(call), (exit) =>
      aside(Effect.flatMap(Clock.currentTimeNanos, (ended) => record(call, exit, ended - began)))
    )
  )

/** An `onDrift` that counts: `quartet.client.drift`, by operation. @category constants */
export const drifts = ({ operation }: Drift): Effect.Effect<void> =>
  Effect.tagMetrics(Metric.increment(drift), { "quartet.operation": operation })

/**
 * A chat socket that counts what passes through another one: `quartet.chat.connections`, `.reconnections`, `.troubles`
 * by reason, `.messages` by direction. No message is read.
 * @category constructors
 */
export const makeChatSocket = (socket: Socket): Socket => {
  // A chat keeps its address for as long as it lives.
  const known = new WeakSet<Address>()
  return {
    open: (address, handshake, listener) => {
      tell(connections)
      if (known.has(address)) tell(reconnections)
      known.add(address)
      const connection = socket.open(address, handshake, {
        onEvent: (event, payload) => {
          tell(messages, { direction: "received" })
          listener.onEvent(event, payload)
        },
        onTrouble: (trouble) => {
          tell(troubles, { reason: trouble.reason })
          listener.onTrouble(trouble)
        }
      })
      return {
        ...connection,
        emit: (event, payload, acknowledged) => {
          if (connection.connected()) tell(messages, { direction: "sent" })
          connection.emit(event, payload, acknowledged)
        }
      }
    }
  }
}

/** The same as a layer over the socket below. @category layers */
export const layerChatSocket: Layer.Layer<ChatSocket, never, ChatSocket> = /*#__PURE__*/ Layer.effect(
  ChatSocket,
  /*#__PURE__*/ Effect.map(ChatSocket, makeChatSocket)
)
