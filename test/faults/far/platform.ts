/** The real sandbox server as the far end of a torture: its rows, and its own account of what it received and did. */

import * as SandboxServer from "@quartet/sandbox/server"
import { Effect, Exit, Scope } from "effect"
import { tally } from "../tally.js"
import { boxOf, paymentOf, requestOf } from "./rows.js"

const callId = /qt-[a-z]+-\d+/

export interface Received {
  /** The id that the call carries in its path or its idempotency key; undefined where it carries none there. */
  readonly call: string | undefined
  readonly line: string
  readonly status: number
  /** Whether it was answered from an earlier answer, without another effect. */
  readonly replayed: boolean
}

export type Rows = "boxes" | "requests" | "payments"

/** What calls leave behind on the platform. */
export type EffectKind = "boxes" | "comments" | "entities" | "files" | "notices" | "payments" | "refunds"

const counted = (texts: ReadonlyArray<string | undefined>): ReadonlyArray<readonly [string, number]> => [
  ...tally(texts.flatMap((call) => call ?? []))
]

const idIn = (value: unknown): string | undefined =>
  typeof value === "string" ? callId.exec(value)?.[0] : undefined

export const serve = async (seed: number) => {
  const log: Array<Received> = []
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
  const left: Readonly<Record<EffectKind, () => ReadonlyArray<unknown>>> = {
    boxes: () => state.boxes.all().map(({ name }) => name),
    comments: () => state.requests.all().flatMap(({ comments }) => comments.map(({ text }) => text)),
    entities: () => state.entities.all().map(({ externalId }) => externalId),
    notices: () => state.notifications.all().map(({ title }) => title),
    files: () => state.files.all().map(({ name }) => name),
    payments: () => state.transactions.all().map(({ reference }) => reference),
    refunds: () =>
      state.transactionEvents
        .all()
        .flatMap(({ transactionId, type }) => (type === "refunded" ? [transactionId] : []))
  }
  return {
    served,
    /** Puts rows with the ids `qt-<name>-0`, `qt-<name>-1`, … into the platform. */
    fill: (rows: Rows, name: string, count: number) => {
      for (let index = 0; index < count; index++) {
        const id = `qt-${name}-${index}`
        if (rows === "boxes") state.boxes.put(boxOf(id))
        else if (rows === "requests") state.requests.put(requestOf(id, owner))
        else state.transactions.put(paymentOf(id))
      }
    },
    /** The ids of the end users. */
    users: (): ReadonlyArray<string> => state.users.all().map(({ _id }) => _id),
    take: (): ReadonlyArray<Received> => log.splice(0),
    effects: (kind: EffectKind) => counted(left[kind]().map(idIn)),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
