/** A scripted chat socket: the test acts as the platform, sends events and reads what the client sent. */

import {
  ChatSocket,
  type Connection,
  type Handshake,
  type Listener,
  type ChatSocketService as Service
} from "@quartet/sdk/extend"
import * as Layer from "effect/Layer"

/** One connection, from the platform's side. @category testing */
export interface Peer {
  readonly handshake: Handshake
  /** The events that the client sent, with the function that acknowledges each. */
  readonly heard: ReadonlyArray<{
    readonly payload: unknown
    readonly acknowledge: (answer?: unknown) => void
  }>
  /** Accepts the handshake: the client is connected. */
  readonly accept: () => void
  /** Sends the client an event: a copy of the payload through JSON, so that a Date becomes text. */
  readonly say: (event: "chat" | "history", payload: unknown) => void
  /** Ends the connection, or refuses it. */
  readonly end: (reason?: "Refused" | "Lost" | "Unreachable") => void
  readonly isClosed: () => boolean
}

/** A scripted chat socket. @category testing */
export interface ChatScript {
  readonly socket: Service
  readonly layer: Layer.Layer<ChatSocket>
  /** All connections so far, the newest last. */
  readonly peers: ReadonlyArray<Peer>
}

/** A copy through JSON: the client may change it without changing the test's value. */
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

/** Makes a chat socket. With `accepts`, the default, every handshake is accepted at once. @category testing */
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
