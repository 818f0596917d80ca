/** The port of the chat's connection: opened with credentials, it sends and receives named events. */
import * as Context from "effect/Context"

/** What a platform calls the events of its chat. */
export interface Events {
  /** The event of a message that is new or has changed. */
  readonly message: string
  /** The event of earlier messages. */
  readonly history: string
  /** The event by which a message is sent. */
  readonly send: string
}

/** What the events are called where nothing else is said. */
export const defaultEvents: Events = { message: "chat", history: "history", send: "chat" }

/** Where and how to connect. `path`, `query` and `headers` belong to the handshake; they hold credentials. */
export interface Address {
  /** Scheme, host and port. */
  readonly origin: string
  /** The engine's path, `/api_private/v1/chat` by default. */
  readonly path: string
  /** socket.io's namespace, `/` by default. */
  readonly namespace: string
  /** What its events are called on the wire; `defaultEvents` if omitted. Listener and connection name them as the SDK does. */
  readonly events?: Events | undefined
}

/** Credentials of one attempt to connect. */
export interface Handshake {
  /** Credentials that go to the query of the address. */
  readonly query: Readonly<Record<string, string>>
  /** Credentials that go to headers, where the runtime can send them. */
  readonly headers: Readonly<Record<string, string>>
  /** `include`: a browser sends its cookies for this address. Otherwise it may leave them out. */
  readonly credentials?: "include" | undefined
}

/** Why a connection ended or could not be made. */
export interface Trouble {
  /** `Refused`: the server refused the credentials. `Lost`: an open connection ended. `Unreachable`: none was made. */
  readonly reason: "Refused" | "Lost" | "Unreachable"
  /** What happened, in words; masked. */
  readonly message: string
  /** What the server said besides its message: the `data` of a refusal. JSON. */
  readonly data?: unknown
}

/** The callbacks of a connection's owner. */
export interface Listener {
  /** The listener owns the payload and may change it. */
  readonly onEvent: (event: "chat" | "history", payload: unknown) => void
  /** Called at most once, and last. */
  readonly onTrouble: (trouble: Trouble) => void
}

/** One connection. It never reconnects by itself: the chat flow opens another. */
export interface Connection {
  /** Whether the server has accepted the handshake and the connection stands. */
  readonly connected: () => boolean
  /**
   * Sends an event and reports, once, the server's acknowledgement: its value, or a list of several. Does nothing while it is not
   * connected. Leaves the payload as it is: it may be sent again.
   */
  readonly emit: (event: "chat", payload: unknown, acknowledged: (answer: unknown) => void) => void
  /** Ends the connection, also one that is being made, and removes every listener: no callback runs after that. */
  readonly close: () => void
}

/** Opens connections of a chat. */
export interface Service {
  /** Opens a connection, whose listener hears how it goes. */
  readonly open: (address: Address, handshake: Handshake, listener: Listener) => Connection
}

/**
 * What carries the chat: opened with credentials, it sends and receives named events, and never reconnects by itself,
 * since the chat does. `@quartet/sdk/adapters/socket` is the one over socket.io.
 * @category ports
 */
export class ChatSocket extends Context.Tag("@quartet/sdk/ChatSocket")<ChatSocket, Service>() {}
