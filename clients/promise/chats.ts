/** The chat of a client for programs that do not use Effect. Its code is loaded by the first chat. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { AdminCaller } from "./admin.js"
import type { parts } from "./caller.js"
import type { Chats } from "./open-chat.js"
import { signalOf } from "./options.js"

/** Makes the chat of one client. */
export const makeChats = (admin: AdminCaller[typeof parts]): Chats => ({
  open: (options, cancellable) =>
    Either.match(signalOf("chat.open", cancellable), {
      onLeft: (refused) => Promise.reject(refused),
      onRight: (signal) => {
        const opened = Effect.flatMap(
          Effect.promise(() => import("./open-chat.js")),
          ({ opening }) => opening(admin, options, signal)
        )
        return admin.runner.runEffect("chat.open", opened, signal)
      }
    })
})
