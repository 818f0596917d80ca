/**
 * socket.io's WebSocket, which on Node reports why it was refused, writes packets of one turn at once, and is terminated
 * if the server does not answer the close.
 */
import { NodeWebSocket } from "socket.io-client"
import { garbled, grace, redirected } from "./polling.js"
import { mostBytes, patience, type Words, wordsIn } from "./refusal.js"

/** Node's HTTP answer instead of a WebSocket. */
interface Answer {
  readonly statusCode: number
  readonly headers: { readonly "content-type"?: string | undefined }
  readonly on: ((event: "data", listener: (piece: Uint8Array) => void) => void) &
    ((event: "close", listener: () => void) => void)
  readonly destroy: () => void
}

/** The used part of a TCP socket: what is written while it is corked goes out in one system call. */
interface Tcp {
  readonly cork: () => void
  readonly uncork: () => void
}

/** The used part of a WebSocket. A browser can neither terminate it, nor cork it, nor report why it was refused. */
interface Wire {
  readonly terminate?: () => void
  readonly on?: ((
    event: "unexpected-response",
    listener: (request: unknown, answer: Answer) => void
  ) => void) &
    ((event: "upgrade", listener: (answer: { readonly socket: Tcp }) => void) => void)
  readonly addEventListener: (event: "close", listener: () => void) => void
}

/** The message of an answer, as far as it arrived in time. */
const readWords = (answer: Answer, onWords: (words: Words) => void): void => {
  const body = new Uint8Array(mostBytes)
  let size = 0
  const timer = setTimeout(() => answer.destroy(), patience)
  answer.on("data", (piece) => {
    const part = piece.subarray(0, mostBytes - size)
    body.set(part, size)
    size += part.byteLength
    if (size === mostBytes) answer.destroy()
  })
  answer.on("close", () => {
    clearTimeout(timer)
    onWords(wordsIn(body.subarray(0, size), answer.headers["content-type"]))
  })
}

export class WebSocket extends NodeWebSocket {
  private tcp: Tcp | undefined

  override createSocket(
    ...args: Parameters<InstanceType<typeof NodeWebSocket>["createSocket"]>
  ): ReturnType<InstanceType<typeof NodeWebSocket>["createSocket"]> {
    const wire: Wire = super.createSocket(...args)
    wire.on?.("upgrade", ({ socket }) => {
      this.tcp = socket
    })
    wire.on?.("unexpected-response", (_, answer) => {
      const { statusCode } = answer
      const tell = (words: Words): void => {
        this.onError(words.message, statusCode, words)
        wire.terminate?.()
      }
      if (statusCode < 300 || statusCode > 399) return readWords(answer, tell)
      answer.destroy()
      tell(redirected)
    })
    return wire
  }

  /** The stock one makes a system call for each packet, which costs more than all the rest of sending it. */
  override write(...args: Parameters<InstanceType<typeof NodeWebSocket>["write"]>): void {
    this.tcp?.cork()
    super.write(...args)
    this.tcp?.uncork()
  }

  override onData(data: unknown): void {
    try {
      super.onData(data)
    } catch {
      this.onError(garbled, 0)
    }
  }

  override doClose(): void {
    const wire: Wire | null | undefined = this.ws
    super.doClose()
    if (wire === null || wire === undefined || wire.terminate === undefined) return
    const timer = setTimeout(() => wire.terminate?.(), grace)
    wire.addEventListener("close", () => clearTimeout(timer))
  }
}
