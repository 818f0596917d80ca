/** The chat of an admin client in the form of `createAdmin`: an app that imports it carries it. */
import * as Either from "effect/Either"
import type { Options } from "../admin/chat.js"
import { Client } from "../admin/client.js"
import type { AdminCaller } from "./admin.js"
import { partsOf } from "./caller.js"
import { opening, type PromiseChat } from "./open-chat.js"
import { type Cancellable, signalOf } from "./options.js"
import { rejection } from "./rejection.js"

export type { PromiseChat } from "./open-chat.js"

/**
 * Opens the chat with the client's session and API key, and waits until it is connected. Messages come to `onMessage`
 * or through the chat's own loop; it reconnects by itself and fills the gap from the history. The signal cancels the
 * opening and, later, closes the chat.
 *
 * @example
 * ```ts
 * import { createAdmin } from "@quartet/sdk/promise/admin"
 * import { openChat } from "@quartet/sdk/promise/chat"
 *
 * const call = createAdmin({
 *   baseUrl: "https://api.example.com",
 *   projectId: "p1",
 *   apiKey: "key",
 *   email: "ada@example.com",
 *   password: "…"
 * })
 * const chat = await openChat(call, { onMessage: ({ text }) => console.log(text) })
 * ```
 * @throws a CredentialsError: the client has no API key.
 * @throws a ChatError `Timeout` or `Refused`: no connection came about.
 * @throws an InputError: an option breaks a rule.
 * @category operations
 */
export const openChat = async (
  caller: AdminCaller,
  options?: Options,
  cancellable?: Cancellable
): Promise<PromiseChat> => {
  const parts = partsOf("chat.open", caller, Client)
  return Either.match(signalOf("chat.open", cancellable), {
    onLeft: rejection,
    onRight: (signal) => parts.runner.runEffect("chat.open", opening(parts, options, signal), signal)
  })
}
