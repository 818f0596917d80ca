/** The ChatSocket over socket.io-client: polling first, then WebSocket; it never reconnects by itself. */
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { io, type Socket } from "socket.io-client"
import { InputError } from "../../core/kernel/errors/errors.js"
import { type Known, read } from "../../core/kernel/operation/options.js"
import {
  ChatSocket,
  type Connection,
  defaultEvents,
  type Service,
  type Trouble
} from "../../core/ports/chat-socket.js"
import { grace, Polling } from "./polling.js"
import { WebSocket } from "./websocket.js"

/** How connections are made. @category models */
export interface Options {
  /**
   * `["polling", "websocket"]` begins with HTTP and upgrades to a WebSocket; a single one is used alone. In a browser,
   * a WebSocket sends no headers: the server finds them in the handshake's `auth`.
   */
  readonly transports?: ReadonlyArray<"polling" | "websocket">
  /**
   * Where the handshake's query is sent, which holds the token: in the `address`, as the platform reads it, or in `auth`
   * alone, for a server that reads it there. Browsers print the address of a connection that fails in their console.
   */
  readonly query?: "address" | "auth"
}

const implementations = { polling: Polling, websocket: WebSocket }

const dataIn = (holder: unknown): { readonly data?: unknown } =>
  typeof holder === "object" && holder !== null && "data" in holder && holder.data !== undefined
    ? { data: holder.data }
    : {}

/** Why there is no connection: a socket.io server sends a message, others a status. */
const troubleOf = (error: Error): Trouble => {
  if ("data" in error) {
    return { reason: "Refused", message: error.message || "answered without a reason", ...dataIn(error) }
  }
  const status = "description" in error && typeof error.description === "number" ? error.description : 0
  const isNo = status === 401 || status === 403
  return {
    reason: isNo ? "Refused" : "Unreachable",
    message: status === 0 ? error.message : `${error.message} (HTTP ${status})`,
    ...("context" in error ? dataIn(error.context) : {})
  }
}

/** Ends a connection: at once if the server keeps up, else after a moment. */
const end = (socket: Socket): void => {
  socket.off()
  socket.disconnect()
  const { engine } = socket.io
  if (engine.readyState === "closed") return
  const timer = setTimeout(() => {
    const { transport } = engine
    if (transport instanceof Polling) transport.abandon()
    else transport.close()
  }, grace)
  engine.once("close", () => clearTimeout(timer))
}

const known = { transports: "any", query: ["address", "auth"] } satisfies Known<Options>

/** The checked options. */
const chosen = (options: Options): Either.Either<Required<Options>, InputError> =>
  Either.flatMap(
    read("ChatSocket.make", "options", options, known),
    ({ query = "address" as const, transports = ["polling", "websocket"] as const }) =>
      Array.isArray(transports) &&
      transports.length > 0 &&
      transports.every((name) => Object.hasOwn(implementations, name))
        ? Either.right({ query, transports })
        : Either.left(
            new InputError({
              operation: "ChatSocket.make",
              field: "transports",
              rule: 'must be a list of "polling" and "websocket", or of one of them'
            })
          )
  )

/** Makes the port. Throws InputError if an option breaks a rule. @category constructors */
export const make = (options: Options = {}): Service => {
  const checked = Either.getOrThrowWith(chosen(options), (refused) => refused)
  const transports = checked.transports.map((name) => implementations[name])
  return {
    open: (address, handshake, listener): Connection => {
      const namespace = address.namespace === "/" ? "" : address.namespace
      const socket = io(address.origin + namespace, {
        path: address.path,
        query: checked.query === "address" ? { ...handshake.query } : {},
        extraHeaders: { ...handshake.headers },
        withCredentials: handshake.credentials === "include",
        // For servers, because a browser may be unable to send headers.
        auth: { ...handshake.query, ...handshake.headers },
        transports,
        forceNew: true,
        reconnection: false
      })
      const { history, message, send } = address.events ?? defaultEvents
      let isOver = false
      const trouble = (reason: Trouble): void => {
        if (isOver) return
        isOver = true
        listener.onTrouble(reason)
      }
      socket.on(message, (payload: unknown) => listener.onEvent("chat", payload))
      socket.on(history, (payload: unknown) => listener.onEvent("history", payload))
      socket.on("connect_error", (error) => trouble(troubleOf(error)))
      socket.on("disconnect", (reason) => trouble({ reason: "Lost", message: reason }))
      // If the WebSocket is lost after the upgrade from polling, nothing is reported until the ping times out.
      let isGoingOver = false
      const { engine } = socket.io
      engine.on("upgrading", () => {
        isGoingOver = true
      })
      engine.on("upgradeError", () => {
        if (isGoingOver) trouble({ reason: "Lost", message: "lost while it went over to a WebSocket" })
      })
      return {
        connected: () => socket.connected,
        emit: (_, payload, acknowledged) => {
          // socket.io would buffer it; the chat has its own outbox.
          if (socket.connected)
            socket.emit(send, payload, (...answers: ReadonlyArray<unknown>) =>
              acknowledged(answers.length > 1 ? answers : answers[0])
            )
        },
        close: () => {
          isOver = true
          end(socket)
        }
      }
    }
  }
}

/**
 * The chat's socket over socket.io-client: it polls first, and then goes on over a WebSocket where that is possible.
 *
 * @example
 * ```ts
 * import * as FetchTransport from "@quartet/sdk/adapters/fetch"
 * import * as Socket from "@quartet/sdk/adapters/socket"
 * import * as Layer from "effect/Layer"
 *
 * const network = Layer.merge(FetchTransport.layer, Socket.layer)
 * ```
 * @category layers
 */
export const layer: Layer.Layer<ChatSocket> = /*#__PURE__*/ Layer.sync(ChatSocket, () => make())

/** The port over socket.io-client with chosen transports. @category layers */
export const layerWith = (options: Options): Layer.Layer<ChatSocket> =>
  Layer.sync(ChatSocket, () => make(options))
