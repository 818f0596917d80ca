/** The real sandbox server as the far end of a torture: its rows, and its own account of what it received and did. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as SandboxServer from "../../../adapters/sandbox/server/index.js"
import { boxOf, paymentOf, requestOf } from "./rows.js"

const callId = /qt-[a-z]+-\d+/

/** One request in the platform's own log. */
export interface Received {
  /** The id that the call carries in its path or its idempotency key; undefined where it carries none there. */
  readonly call: string | undefined
  /** Method and path. */
  readonly line: string
  readonly status: number
  /** Whether it was answered from an earlier answer, without another effect. */
  readonly replayed: boolean
}

/** What calls leave behind on the platform. */
export type EffectKind = "boxes" | "comments" | "files" | "payments" | "refunds"

export interface Platform {
  readonly port: number
  readonly url: string
  readonly served: SandboxServer.Served
  /** Puts rows with the ids `qt-<name>-0`, `qt-<name>-1`, … into the platform. */
  readonly fill: (rows: "boxes" | "requests" | "payments", name: string, count: number) => void
  /** The requests since it was asked last. */
  readonly take: () => ReadonlyArray<Received>
  /** How often each call took effect. */
  readonly effects: (kind: EffectKind) => ReadonlyArray<readonly [call: string, times: number]>
  readonly close: () => Promise<void>
}

const tally = (found: Iterable<string | undefined>): ReadonlyArray<readonly [string, number]> => {
  const times = new Map<string, number>()
  for (const call of found) if (call !== undefined) times.set(call, (times.get(call) ?? 0) + 1)
  return [...times]
}

const idIn = (value: unknown): string | undefined =>
  typeof value === "string" ? callId.exec(value)?.[0] : undefined

/** Serves a sandbox on a free port of the loopback. */
export const serve = async (seed: number): Promise<Platform> => {
  let log: Array<Received> = []
  const scope = Effect.runSync(Scope.make())
  const served = await Effect.runPromise(
    Scope.extend(
      SandboxServer.serve({
        port: 0,
        seed,
        onRequest: ({ idempotencyKey, method, path, replayed, status }) => {
          log.push({ call: idIn(path) ?? idIn(idempotencyKey), line: `${method} ${path}`, status, replayed })
        }
      }),
      scope
    )
  )
  const { state } = served.control
  const owner = state.users.all()[0]?._id ?? ""
  return {
    served,
    port: served.port,
    url: served.url,
    fill: (rows, name, count) => {
      for (let index = 0; index < count; index++) {
        const id = `qt-${name}-${index}`
        if (rows === "boxes") state.boxes.put(boxOf(id))
        else if (rows === "requests") state.requests.put(requestOf(id, owner))
        else state.transactions.put(paymentOf(id))
      }
    },
    take: () => {
      const taken = log
      log = []
      return taken
    },
    effects: (kind) => {
      switch (kind) {
        case "boxes":
          return tally(state.boxes.all().map(({ name }) => idIn(name)))
        case "comments":
          return tally(state.requests.all().flatMap(({ comments }) => comments.map(({ text }) => idIn(text))))
        case "files":
          return tally(state.files.all().map(({ name }) => idIn(name)))
        case "payments":
          return tally(state.transactions.all().map(({ reference }) => idIn(reference)))
        case "refunds":
          return tally(
            state.transactionEvents
              .filter(({ type }) => type === "refunded")
              .map(({ transactionId }) => idIn(transactionId))
          )
      }
    },
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
