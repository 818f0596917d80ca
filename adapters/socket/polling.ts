/**
 * socket.io's HTTP polling over fetch. The stock one follows redirects with all its headers, to whatever host, and
 * leaves its last request open when it is closed; this one does neither, and bounds what it reads.
 */
import { Fetch } from "socket.io-client"

/** Most bytes of one answer. */
const maxBytes = 64 * 1024 * 1024

/** Milliseconds that saying good-bye may take. */
export const grace = 1_000

/** What is reported of a packet that cannot be taken. */
export const garbled = "a packet that is not of this protocol"

/** A request that was not answered as it should be; `status` is 0 where no answer came. */
class Unanswered extends Error {
  constructor(
    readonly status: number,
    message: string
  ) {
    super(message)
  }
}

const read = async (response: Response): Promise<string> => {
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  let text = ""
  let size = 0
  while (reader !== undefined) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > maxBytes) {
      await reader.cancel()
      throw new Unanswered(response.status, `the answer is larger than ${maxBytes} bytes`)
    }
    text += decoder.decode(value, { stream: true })
  }
  return text + decoder.decode()
}

const receive = async (uri: string, init: RequestInit): Promise<string> => {
  const response = await fetch(uri, { ...init, redirect: "manual", credentials: "omit" })
  if (response.ok) return read(response)
  await response.body?.cancel()
  const isRedirect = response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)
  throw new Unanswered(
    response.status,
    isRedirect ? "answered with a redirect, which is never followed" : `answered HTTP ${response.status}`
  )
}

export class Polling extends Fetch {
  private readonly requests = new AbortController()

  /** The stock one throws at whoever runs the event loop where the handshake is not what it should be. */
  override onData(data: unknown): void {
    try {
      super.onData(data)
    } catch {
      this.onError(garbled, 0)
    }
  }

  override doPoll(): void {
    const headers = this.opts.extraHeaders ?? {}
    receive(this.uri(), { headers, signal: this.requests.signal }).then(
      (text) => this.onData(text),
      (cause: unknown) => this.lost(cause)
    )
  }

  override doWrite(data: string, callback: () => void): void {
    const headers = { ...this.opts.extraHeaders, "content-type": "text/plain;charset=UTF-8" }
    const { signal } = this.requests
    // Once closing, what is left to write is the good-bye.
    const init = {
      method: "POST",
      body: data,
      headers,
      signal: signal.aborted ? AbortSignal.timeout(grace) : signal
    }
    receive(this.uri(), init).then(callback, (cause: unknown) => this.lost(cause))
  }

  override doClose(): void {
    this.abandon()
    super.doClose()
  }

  /** The stock one does nothing while a WebSocket is about to take over, and leaves its last request open. */
  override close(): this {
    super.close()
    this.abandon()
    return this
  }

  /** Ends the requests that are under way. */
  abandon(): void {
    this.requests.abort()
  }

  private lost(cause: unknown): void {
    const isAnswer = cause instanceof Unanswered
    this.onError(isAnswer ? cause.message : "no answer", isAnswer ? cause.status : 0)
  }
}
