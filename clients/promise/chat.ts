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
 * Opens the chat with the client's session and API key, and waits until it is connected: `openChat(call, { onMessage
 * })`. Rejects with CredentialsError if the client has no API key, with ChatError `Timeout` or `Refused`, and with
 * InputError if an option breaks a rule. The signal cancels the opening and, later, closes the chat.
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
