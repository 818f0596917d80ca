/** The ChatSocket whose connections end in the chat of the same process. */

import { defaultEvents, type ChatSocketService as Service } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Runtime from "effect/Runtime"
import type { Hub, Seat } from "../chat/hub.js"
import { type ChatNames, plain } from "../platform/wire.js"

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** A copy as over a wire: the receiver may change it, and dates are text. */
const copied = (payload: unknown): unknown =>
  payload === undefined ? undefined : JSON.parse(JSON.stringify(payload))

/** Makes the socket. Its work runs on the given runtime. */
export const make = (hub: Hub, runtime: Runtime.Runtime<never>, names: ChatNames = plain.chat): Service => {
  /** Every step runs later, never within the caller's call, as on a network. */
  const later = (step: Effect.Effect<void>): void => {
    Runtime.runFork(runtime)(Effect.zipRight(Effect.yieldNow(), step))
  }
  return {
    open: (address, handshake, listener) => {
      let seat: Seat | undefined
      let isOver = false
      let isClosed = false
      const end = (): void => {
        if (isOver) return
        isOver = true
        seat?.leave()
      }
      // As over a wire, nothing is heard of an event that the other side calls by another name.
      const { history, message, send } = address.events ?? defaultEvents
      const tell = (event: string, payload: unknown): void => {
        const payloadCopy = copied(payload)
        later(
          Effect.sync(() => {
            if (!isOver && event === message) listener.onEvent("chat", payloadCopy)
            if (!isOver && event === history) listener.onEvent("history", payloadCopy)
          })
        )
      }
      const isThere = address.path.replace(/\/$/, "") === names.path && address.namespace === names.namespace
      const onLost = (): void => {
        if (isOver) return
        end()
        later(
          Effect.sync(() => {
            if (!isClosed) listener.onTrouble({ reason: "Lost", message: "the platform ended it" })
          })
        )
      }
      later(
        Effect.suspend(() => {
          if (isOver) return Effect.void
          if (!isThere) {
            isOver = true
            listener.onTrouble({ reason: "Unreachable", message: `there is no chat at ${address.path}` })
            return Effect.void
          }
          const credentials = { query: handshake.query, headers: lowerCased(handshake.headers) }
          return Effect.map(Effect.either(hub.identify(credentials)), (speaker) => {
            if (isOver) return
            if (Either.isRight(speaker)) {
              seat = hub.join(speaker.right, tell, onLost)
              return
            }
            isOver = true
            listener.onTrouble({ reason: "Refused", message: speaker.left.message })
          })
        })
      )
      return {
        connected: () => seat !== undefined && !isOver,
        emit: (_, payload, acknowledged) => {
          const { say } = seat ?? {}
          if (say === undefined || isOver || send !== names.say) return
          const payloadCopy = copied(payload)
          later(
            Effect.map(
              Effect.suspend(() => say(payloadCopy)),
              (answer) => {
                if (!isOver) acknowledged(copied(answer))
              }
            )
          )
        },
        close: () => {
          isClosed = true
          end()
        }
      }
    }
  }
}
