/** A chat socket that a test plays the platform's part of: it connects, says things, and holds what was said to it. */
import * as Layer from "effect/Layer"
import {
  ChatSocket,
  type Connection,
  type Handshake,
  type Listener,
  type Service
} from "../../core/ports/chat-socket.js"

/** One connection, as the platform's side sees it. */
export interface Peer {
  readonly handshake: Handshake
  /** What the client emitted, with the function that acknowledges it. */
  readonly heard: ReadonlyArray<{
    readonly payload: unknown
    readonly acknowledge: (answer?: unknown) => void
  }>
  /** Accepts the handshake: the client sees itself connected. */
  readonly accept: () => void
  /** Tells the client an event: a copy of the payload as JSON carries it, so that a Date becomes its text. */
  readonly say: (event: "chat" | "history", payload: unknown) => void
  /** Ends the connection, or refuses it. */
  readonly end: (reason?: "Refused" | "Lost" | "Unreachable") => void
  readonly isClosed: () => boolean
}

export interface ChatScript {
  readonly socket: Service
  readonly layer: Layer.Layer<ChatSocket>
  /** All connections so far, the newest last. */
  readonly peers: ReadonlyArray<Peer>
}

/** What the wire makes of a value: the client may change it, and the test's own stays as it is. */
const onWire = (value: unknown): unknown => {
  const text: string | undefined = JSON.stringify(value)
  return text === undefined ? undefined : JSON.parse(text)
}

const connect = (handshake: Handshake, listener: Listener): readonly [Peer, Connection] => {
  const heard: Array<Peer["heard"][number]> = []
  let isConnected = false
  let isClosed = false
  const peer: Peer = {
    handshake,
    heard,
    accept: () => {
      isConnected = !isClosed
    },
    say: (event, payload) => {
      if (!isClosed) listener.onEvent(event, onWire(payload))
    },
    end: (reason = "Lost") => {
      isConnected = false
      if (!isClosed) listener.onTrouble({ reason, message: "scripted" })
    },
    isClosed: () => isClosed
  }
  const connection: Connection = {
    connected: () => isConnected,
    emit: (_event, payload, acknowledge) => {
      heard.push({ payload, acknowledge: (answer) => acknowledge(onWire(answer)) })
    },
    close: () => {
      isClosed = true
      isConnected = false
    }
  }
  return [peer, connection]
}

/** Makes a chat socket. With `accepts`, the default, every handshake is accepted at once. */
export const make = ({ accepts = true }: { readonly accepts?: boolean } = {}): ChatScript => {
  const peers: Array<Peer> = []
  const socket: Service = {
    open: (_address, handshake, listener) => {
      const [peer, connection] = connect(handshake, listener)
      peers.push(peer)
      if (accepts) peer.accept()
      return connection
    }
  }
  return { socket, layer: Layer.succeed(ChatSocket, socket), peers }
}
