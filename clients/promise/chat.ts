/** The chat of a client for programs that do not use Effect. Its code is loaded by the first chat. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Service as Socket } from "../../core/ports/chat-socket.js"
import type { Service } from "../admin/client.js"
import type { Chats } from "./open-chat.js"
import { signalOf } from "./options.js"
import type { Runner } from "./run.js"

/** Makes the chat of one client. */
export const makeChats = (client: Service, socket: Socket | undefined, runner: Runner): Chats => ({
  open: (options, cancellable) =>
    Either.match(signalOf("chat.open", cancellable), {
      onLeft: (refused) => Promise.reject(refused),
      onRight: (signal) => {
        const opening = Effect.flatMap(
          Effect.promise(() => import("./open-chat.js")),
          ({ openChat }) => openChat(client, socket, runner, options, signal)
        )
        return runner.runEffect("chat.open", opening, signal)
      }
    })
})
