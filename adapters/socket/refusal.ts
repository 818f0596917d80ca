/** What a server says of a handshake that it refuses by an HTTP status. */
import { readBody } from "../../core/kernel/dispatch/response.js"

/** Milliseconds within which its words have to come; a server may begin an answer and never end it. */
export const patience = 1_000

/** Most bytes that are read of them. */
export const mostBytes = 16_384

/** A server's words, and socket.io's `data` where the body is JSON that has it. */
export interface Words {
  readonly message: string
  readonly data?: unknown
}

/** Reads JSON with a `message` or an `error`, or else a plain text: a page is not shown. */
export const wordsIn = (body: Uint8Array): Words => {
  const { data, message } = readBody(body)
  if (message !== undefined) return data === undefined ? { message } : { message, data }
  const text = new TextDecoder().decode(body).trim()
  return { message: /^([<{[]|$)/.test(text) ? "answered without a reason" : text }
}
