/**
 * The errors of a chat, besides those of calls: `InputError` for a draft that breaks a rule and `OutcomeUnknown` for a
 * message whose answer was lost. None of them holds a credential or a message's text.
 */

import * as Either from "effect/Either"
import type { CredentialsProvider } from "../kernel/dispatch/credentials.js"
import type { InputError, OutcomeUnknown } from "../kernel/errors/errors.js"
import { mask } from "../kernel/redaction/mask.js"
import { TaggedError } from "../ports/tagged-error.js"

/**
 * `Timeout`: not connected, or not sent, within the deadline. `Refused`: the server did not accept the handshake, and
 * new credentials did not help. `Unreachable`: the attempts to reconnect are used up. `Overflow`: the outbox is full,
 * or a gap is longer than may be recovered. `Rejected`: the server answered a message with an error. `Closed`: the
 * chat was closed.
 */
export type ChatReason = "Timeout" | "Refused" | "Unreachable" | "Overflow" | "Rejected" | "Closed"

/** The chat, or one message, failed. @category errors */
export class ChatError extends TaggedError("ChatError")<{
  /** What failed: the opening of the chat, the sending of a message, or the reading of missed ones. */
  readonly operation: "chat.open" | "chat.send" | "chat.recover"
  /** Why it failed, in a word. */
  readonly reason: ChatReason
  /** What happened: masked, and cut to 500 characters. */
  readonly detail: string
  /** The further data of a server that refused the handshake (socket.io's `data`): JSON, masked. */
  readonly data?: unknown
  /** The message's own id, if the failure concerns one message. */
  readonly clientId?: string
  /** The failure below this one. */
  readonly cause?: unknown
}> {
  /** The same as `_tag`, for programs that do not use Effect. */
  get tag(): this["_tag"] {
    return this._tag
  }
  /** Whether the same may succeed later. */
  get retryable(): boolean {
    return this.reason === "Timeout" || this.reason === "Unreachable" || this.reason === "Overflow"
  }
  override get message(): string {
    return `${this.operation}: ${this.detail}`
  }
}

/** The errors of sending a message. */
export type SendError = ChatError | InputError | OutcomeUnknown

/** A server's or an adapter's text, masked for display. */
export const shown = (text: string, credentialsProvider: Pick<CredentialsProvider, "secrets">): string => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters of a server's text are what is removed.
  const clean = mask(text, credentialsProvider.secrets()).replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, " ")
  return clean.length > 500 ? `${clean.slice(0, 499)}…` : clean
}

/** Longest JSON of a refusal's `data` that is passed on unchanged, in characters; a longer one becomes a text. */
const longestData = 4_096

/** A server's `data`, masked for display; undefined if it is missing or null. */
export const shownData = (
  data: unknown,
  credentialsProvider: Pick<CredentialsProvider, "secrets">
): unknown => {
  if (data === null) return undefined
  const text = Either.getOrElse(
    Either.try(() => JSON.stringify(data)),
    () => undefined
  )
  if (text === undefined) return undefined
  const masked = mask(text, credentialsProvider.secrets())
  const read = Either.try((): unknown => JSON.parse(masked))
  return Either.isRight(read) && text.length <= longestData ? read.right : shown(masked, credentialsProvider)
}
