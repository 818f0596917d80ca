/**
 * socket.io's HTTP polling over fetch. The stock one follows redirects to any host with all its headers, and leaves its
 * last request open when it is closed; this one does neither, and limits what it reads.
 */
import { Fetch } from "socket.io-client"
import { bodyOf, streamOf } from "../http/unstreamed.js"
import { mostBytes, patience, type Words, wordsIn } from "./refusal.js"

/** Maximum bytes of one answer. */
const maxBytes = 64 * 1024 * 1024

/** Maximum milliseconds for the closing request. */
export const grace = 1_000

/** The error of a redirect. */
export const redirected: Words = { message: "answered with a redirect, which is never followed" }

/** The error of an invalid packet. */
export const garbled = "a packet that is not of this protocol"

/** A request with an invalid answer. */
class Unanswered extends Error {
  constructor(
    readonly status: number,
    readonly words: Words
  ) {
    super(words.message)
  }
}

const read = async (response: Response): Promise<string> => {
  const decoder = new TextDecoder()
  const reader = bodyOf(response).getReader()
  let text = ""
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > maxBytes) {
      await reader.cancel()
      throw new Unanswered(response.status, { message: `the answer is larger than ${maxBytes} bytes` })
    }
    text += decoder.decode(value, { stream: true })
  }
  return text + decoder.decode()
}

/** The body of a refusal, as far as it arrived in time. */
const readWords = async (response: Response): Promise<Words> => {
  const reader = bodyOf(response).getReader()
  const pieces: Array<Uint8Array> = []
  let size = 0
  const timer = setTimeout(() => reader.cancel().catch(() => undefined), patience)
  try {
    while (size < mostBytes) {
      const { done, value } = await reader.read()
      if (done) break
      pieces.push(value)
      size += value.byteLength
    }
  } finally {
    clearTimeout(timer)
  }
  await reader.cancel()
  const body = await new Blob(pieces as Array<BlobPart>).slice(0, mostBytes).arrayBuffer()
  return wordsIn(new Uint8Array(body), response.headers.get("content-type"))
}

const receive = async (uri: string, init: RequestInit): Promise<string> => {
  const response = await fetch(uri, { ...init, redirect: "manual" })
  if (response.ok) return read(response)
  const isRedirect = response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)
  if (!isRedirect) throw new Unanswered(response.status, await readWords(response))
  await streamOf(response)?.cancel()
  throw new Unanswered(response.status, redirected)
}

export class Polling extends Fetch {
  private readonly requests = new AbortController()

  /** The stock one throws into the event loop for an invalid handshake. */
  override onData(data: unknown): void {
    try {
      super.onData(data)
    } catch {
      this.onError(garbled, 0)
    }
  }

  /** Whether a browser sends its cookies. */
  private get credentials(): RequestCredentials {
    return this.opts.withCredentials === true ? "include" : "omit"
  }

  override doPoll(): void {
    const headers = this.opts.extraHeaders ?? {}
    const { credentials } = this
    receive(this.uri(), { headers, credentials, signal: this.requests.signal }).then(
      (text) => this.onData(text),
      (cause: unknown) => this.lost(cause)
    )
  }

  override doWrite(data: string, callback: () => void): void {
    const headers = { ...this.opts.extraHeaders, "content-type": "text/plain;charset=UTF-8" }
    const { signal } = this.requests
    // When closing, only the closing packet is left to write.
    const init = {
      method: "POST",
      body: data,
      headers,
      credentials: this.credentials,
      signal: signal.aborted ? AbortSignal.timeout(grace) : signal
    }
    receive(this.uri(), init).then(callback, (cause: unknown) => this.lost(cause))
  }

  override doClose(): void {
    this.abandon()
    super.doClose()
  }

  /** The stock one does nothing during an upgrade to a WebSocket, and leaves its last request open. */
  override close(): this {
    super.close()
    this.abandon()
    return this
  }

  /** Ends the requests in flight. */
  abandon(): void {
    this.requests.abort()
  }

  private lost(cause: unknown): void {
    if (cause instanceof Unanswered) this.onError(cause.message, cause.status, cause.words)
    else this.onError("no answer", 0)
  }
}
