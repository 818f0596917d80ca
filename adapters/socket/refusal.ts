/** The message of a server that refuses a handshake by an HTTP status. */
import { readBody } from "../../core/kernel/dispatch/response.js"

/** Maximum milliseconds to wait for the message; a server may never end its answer. */
export const patience = 1_000

/** Maximum bytes of the message. */
export const mostBytes = 16_384

/** A server's message, and socket.io's `data` if the body is JSON with it. */
export interface Words {
  readonly message: string
  readonly data?: unknown
}

/** Reads JSON with a `message` or an `error`, or plain text; HTML is not shown. */
export const wordsIn = (body: Uint8Array, type: string | null | undefined): Words => {
  const { data, message } = readBody(body, type ?? "")
  if (message !== undefined) return data === undefined ? { message } : { message, data }
  const text = new TextDecoder().decode(body).trim()
  return { message: /^([<{[]|$)/.test(text) ? "answered without a reason" : text }
}
