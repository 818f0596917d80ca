/** Faults between a client and its transport, on demand. */

import {
  type Outcome,
  type Request,
  type TransportService as Service,
  Transport,
  Utf8
} from "@quartet/sdk/extend"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"

/** The fault of one exchange. @category testing */
export type Fault =
  /** Sends the request later, by Effect's Clock; a number is milliseconds. */
  | { readonly _tag: "Latency"; readonly duration: Duration.DurationInput }
  /** `before`: the request never leaves. `after`: it is performed, and the answer is lost. */
  | { readonly _tag: "Drop"; readonly when: "before" | "after" }
  /** The server answers with this status, without performing the request. */
  | { readonly _tag: "Status"; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** The answer's body ends in the middle. */
  | { readonly _tag: "Truncated" }
  /** The answer's body is malformed. */
  | { readonly _tag: "Malformed"; readonly body?: string }

/** Decides the fault of each exchange; `index` counts them from 0. @category testing */
export type Plan = (request: Request, index: number) => Fault | undefined

/** The first `count` exchanges (of an operation, if one is named). @category testing */
export const first = (count: number, fault: Fault, operation?: string): Plan => {
  let met = 0
  return (request) => {
    if (operation !== undefined && request.operation !== operation) return undefined
    met += 1
    return met <= count ? fault : undefined
  }
}

/** Every `n`th exchange, beginning with the `n`th. @category testing */
export const every =
  (n: number, fault: Fault): Plan =>
  (_, index) =>
    (index + 1) % n === 0 ? fault : undefined

const none = (): undefined => undefined

const cut = (outcome: Outcome): Outcome =>
  outcome._tag === "Answered"
    ? { ...outcome, body: outcome.body.slice(0, outcome.body.byteLength >> 1) }
    : outcome

const spoil = (outcome: Outcome, body: string): Outcome =>
  outcome._tag === "Answered" ? { ...outcome, body: Utf8.encode(body) } : outcome

const lost = (sent: boolean): Outcome => ({
  _tag: "Failed",
  reason: sent ? "Reset" : "Refused",
  sent,
  cause: new Error("injected")
})

/**
 * Puts faults before a transport: what `plan` says of an exchange happens to it. It uses the Clock of the runtime;
 * the system's by default.
 *
 * @example
 * ```ts
 * import { accounts } from "@quartet/sandbox"
 * import { Faults } from "@quartet/sandbox/testing"
 * import * as FetchTransport from "@quartet/sdk/adapters/fetch"
 * import { createAdminClient } from "@quartet/sdk/promise"
 *
 * const client = createAdminClient({
 *   baseUrl: "http://127.0.0.1:4400",
 *   projectId: accounts.projectId,
 *   ...accounts.admin,
 *   transport: Faults.wrap(FetchTransport.make(), Faults.first(1, { _tag: "Status", status: 503 }))
 * })
 * ```
 * @category testing
 */
export const wrap = (
  transport: Service,
  plan: Plan,
  runtime: Runtime.Runtime<never> = Runtime.defaultRuntime
): Service => {
  let count = 0
  const later = (work: () => void, duration: Duration.DurationInput = 0): (() => void) => {
    const fiber = Runtime.runFork(runtime)(Effect.delay(Effect.sync(work), duration))
    return () => {
      Runtime.runFork(runtime)(Fiber.interrupt(fiber))
    }
  }
  const start: Service["start"] = (request, settle) => {
    const fault = plan(request, count)
    count += 1
    switch (fault?._tag) {
      case undefined:
        return transport.start(request, settle)
      case "Latency": {
        let end: () => void = none
        const cancel = later(() => {
          end = transport.start(request, settle)
        }, fault.duration)
        return () => {
          cancel()
          end()
        }
      }
      case "Drop":
        return fault.when === "before"
          ? later(() => settle(lost(false)))
          : transport.start(request, () => settle(lost(true)))
      case "Status": {
        const headers = new Headers(fault.headers)
        const answered: Outcome = {
          _tag: "Answered",
          status: fault.status,
          header: Object.assign((name: string) => headers.get(name) ?? undefined, { all: () => headers }),
          body: Utf8.encode(JSON.stringify({ error: { code: "injected", message: "injected" } }))
        }
        return later(() => settle(answered))
      }
      case "Truncated":
        return transport.start(request, (outcome) => settle(cut(outcome)))
      case "Malformed":
        return transport.start(request, (outcome) => settle(spoil(outcome, fault.body ?? "<html>")))
    }
  }
  return { start }
}

/** Puts faults before the program's transport. @category testing */
export const layer = (plan: Plan): Layer.Layer<Transport, never, Transport> =>
  Layer.effect(
    Transport,
    Effect.zipWith(Transport, Effect.runtime<never>(), (transport, runtime) => wrap(transport, plan, runtime))
  )
