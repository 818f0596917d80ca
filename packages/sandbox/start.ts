/** A sandbox for programs with Promises: it is started, spread into clients, and closed. */

import type { ChatSocketService as SocketService, TransportService } from "@quartet/sdk/extend"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Hub, Saying } from "./chat/hub.js"
import { make, type Options, over, type Sandbox } from "./sandbox.js"
import type { Message } from "./state/entities.js"

/** A sandbox that was started, until it is closed. @category models */
export interface Started extends Omit<Sandbox, "hub"> {
  /** The other side of the chat: writes as an end user, and ends connections. */
  readonly hub: Pick<Hub, "disconnectAll" | "size"> & {
    /**
     * Sends a message as an end user, without a connection: `sayAs(user._id, { conversationId, text })`. Rejects if there is no such
     * user, or if the conversation is not theirs.
     */
    readonly sayAs: (userId: string, saying: Saying) => Promise<Message>
  }
  /** Ends the chats' connections, and answers nothing more: calls fail as those to a platform that has stopped. */
  readonly close: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/** Runs an Effect, and rejects with its own error. */
const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> =>
  Effect.runPromiseExit(effect).then((exit) => {
    if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
    return exit.value
  })

const stoppable = (transport: TransportService, isStopped: () => boolean): TransportService => ({
  start: (request, settle) => {
    if (!isStopped()) return transport.start(request, settle)
    const timer = setTimeout(() =>
      settle({ _tag: "Failed", reason: "Refused", sent: false, cause: new Error("the sandbox was closed") })
    )
    return () => {
      clearTimeout(timer)
      return false
    }
  }
})

const stoppableChat = (socket: SocketService, isStopped: () => boolean): SocketService => ({
  open: (address, handshake, listener) => {
    if (!isStopped()) return socket.open(address, handshake, listener)
    const timer = setTimeout(() =>
      listener.onTrouble({ reason: "Unreachable", message: "the sandbox was closed" })
    )
    return { connected: () => false, emit: () => undefined, close: () => clearTimeout(timer) }
  }
})

/**
 * Starts a sandbox in this process, for programs with Promises: the whole platform in memory, what clients are made with to
 * reach it, and the control by which a test fails, delays and counts requests. One seed makes the same data and the same
 * ids. Rejects with InputError if an option breaks a rule.
 *
 * @example
 * ```ts
 * import * as Sandbox from "@quartet/sandbox"
 * import { createAdminClient, signInEndUser } from "@quartet/sdk/promise"
 *
 * await using sandbox = await Sandbox.start({ seed: 7 })
 * const admin = createAdminClient({ ...sandbox.options.admin, ...Sandbox.accounts.admin })
 * const ana = await signInEndUser({ ...sandbox.options.endUser, ...Sandbox.accounts.endUsers.ana })
 *
 * await ana.requests.create({ payload: { type: "BUY", title: "Two rooms" } })
 * sandbox.control.failNext(1, 503)
 * const { items } = await admin.requests.list({ typeIn: ["BUY"] })
 * console.log(items.length, sandbox.control.log().at(-1)?.headers.accept)
 * ```
 * @category constructors
 */
export const start = async (options: Options = {}): Promise<Started> => {
  const { chatSocket, control, hub, platform, transport } = await run(make(options))
  let isClosed = false
  const isStopped = (): boolean => isClosed
  const close = async (): Promise<void> => {
    isClosed = true
    hub.disconnectAll()
  }
  return {
    ...over(
      { platform, hub, control },
      stoppable(transport, isStopped),
      stoppableChat(chatSocket, isStopped)
    ),
    hub: {
      disconnectAll: hub.disconnectAll,
      size: hub.size,
      sayAs: (userId, saying) => run(hub.sayAs(userId, saying))
    },
    close,
    [Symbol.asyncDispose]: close
  }
}
