/** One attempt to connect: opens the socket and looks every 100 ms whether it stands (specification, point 4). */
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import { now } from "../kernel/dispatch/deadline.js"
import type { Address, Connection, Handshake, Service, Trouble } from "../ports/chat-socket.js"
import type { Policy } from "./policy.js"

/** A connection that stood at least once. */
export interface Link {
  readonly connection: Connection
  /** Waits for its end. */
  readonly ended: Effect.Effect<Trouble>
}

const closed: Connection = { connected: () => false, emit: () => undefined, close: () => undefined }

/** Connects, or fails with what is in the way. The connection and all its listeners go with the scope. */
export const connect = (
  socket: Service,
  address: Address,
  handshake: Handshake,
  policy: Policy,
  onEvent: (event: "chat" | "history", payload: unknown) => void
): Effect.Effect<Link, Trouble, Scope.Scope> =>
  Effect.gen(function* () {
    const ended = yield* Deferred.make<Trouble>()
    let trouble: Trouble | undefined
    let isOver = false
    const onTrouble = (found: Trouble): void => {
      trouble ??= found
      Deferred.unsafeDone(ended, Effect.succeed(found))
    }
    const open = (): Connection =>
      socket.open(address, handshake, {
        onEvent: (event, payload) => {
          if (!isOver) onEvent(event, payload)
        },
        onTrouble
      })
    const connection = yield* Effect.acquireRelease(
      Effect.sync(() =>
        Either.getOrElse(Either.try(open), () => {
          onTrouble({ reason: "Unreachable", message: "the socket could not be opened" })
          return closed
        })
      ),
      (opened) =>
        Effect.sync(() => {
          isOver = true
          opened.close()
        })
    )
    const clock = yield* Effect.clock
    const expiry = now(clock) + policy.deadline
    while (!connection.connected()) {
      if (trouble !== undefined) return yield* Effect.fail(trouble)
      const left = expiry - now(clock)
      if (left <= 0) return yield* Effect.fail(late(policy.deadline))
      yield* Effect.sleep(Duration.millis(Math.min(policy.poll, Math.ceil(left))))
    }
    return { connection, ended: Deferred.await(ended) }
  })

const late = (deadline: number): Trouble => ({
  reason: "Unreachable",
  message: `no connection within ${deadline} ms`
})
