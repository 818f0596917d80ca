/** The chat on socket.io, on the HTTP server of the platform. */
import type * as Http from "node:http"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import { Server, type Socket } from "socket.io"
import type { Hub, Speaker } from "../chat/hub.js"
import { type ChatNames, type Handshake, plain } from "../platform/wire.js"

const texts = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === "string" ? [[name.toLowerCase(), value] as const] : []
    )
  )

/** Credentials come as headers or, if a browser cannot send any, in `auth`. */
const handshakeOf = ({ handshake }: Socket): Handshake => ({
  query: texts(handshake.query),
  headers: { ...texts(handshake.headers), ...texts(handshake.auth) }
})

/** Serves the chat until the scope ends, to all allowed origins. */
export const serve = (
  server: Http.Server,
  hub: Hub,
  names: ChatNames = plain.chat
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const runtime = yield* Effect.runtime<never>()
    const io = yield* Effect.acquireRelease(
      Effect.sync(() => new Server(server, { path: names.path, serveClient: false, cors: { origin: true } })),
      (open) =>
        Effect.sync(() => {
          open.disconnectSockets(true)
          open.engine.close()
        })
    )
    const speakers = new WeakMap<Socket, Speaker>()
    const chat = io.of(names.namespace)
    chat.use((socket, next) => {
      const speaker = Runtime.runSync(runtime)(Effect.either(hub.identify(handshakeOf(socket))))
      if (Either.isLeft(speaker)) return next(new Error(speaker.left.message))
      speakers.set(socket, speaker.right)
      next()
    })
    chat.on("connection", (socket) => {
      const speaker = speakers.get(socket)
      if (speaker === undefined) {
        socket.disconnect(true)
        return
      }
      const seat = hub.join(
        speaker,
        (event, payload) => {
          socket.emit(event, payload)
        },
        () => {
          socket.disconnect(true)
        }
      )
      socket.on(names.say, (payload: unknown, acknowledge: unknown) => {
        const answer = Runtime.runSync(runtime)(seat.say(payload))
        if (typeof acknowledge === "function") acknowledge(answer)
      })
      socket.on("disconnect", () => seat.leave())
    })
  })
