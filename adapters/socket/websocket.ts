/** socket.io's WebSocket, which on Node is cut off where the server does not answer the good-bye. */
import { NodeWebSocket } from "socket.io-client"
import { garbled, grace } from "./polling.js"

/** What of a WebSocket is used here: on Node it can be cut off, in a browser it cannot. */
interface Wire {
  readonly terminate?: () => void
  readonly addEventListener: (event: "close", listener: () => void) => void
}

export class WebSocket extends NodeWebSocket {
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
