/** Clients that fail without a server, or against one that refuses their sign-in or their chat in its own way. */
import * as Effect from "effect/Effect"
import * as Admin from "../../../clients/admin/index.js"
import * as Public from "../../../clients/public/index.js"
import { ChatSocket, type Connection, type Trouble } from "../../../core/ports/chat-socket.js"
import { type Outcome, type Service, Transport } from "../../../core/ports/transport.js"
import { canaries } from "./canaries.js"
import { answered } from "./echoes.js"
import { baseUrl, platform } from "./subjects.js"

const { accessToken, apiKey, email, password, sessionId } = canaries
const all = Object.values(canaries)

export const over = <A, E, R>(effect: Effect.Effect<A, E, R | Transport>, service: Service) =>
  Effect.provideService(effect, Transport, service)

export const never = platform(() => "waits")
export const admin = { baseUrl, projectId: "p", policy: { attempts: 1, deadline: 50 } }
export const signedIn = { ...admin, email: email.value, password: password.value, apiKey: apiKey.value }
export const broken = "\r\n"

/** A platform that refuses the sign-in in words that it should not use. */
export const refusing = (status: number): Service => ({
  start: (request, settle) => {
    const text = `${request.body?._tag === "Json" ? request.body.text : ""} ${email.value} ${password.value}`
    settle(answered(status, JSON.stringify({ message: text, error: text }), text))
    return () => undefined
  }
})

const visitor = (answer: () => Outcome | "waits") =>
  over(
    Public.make({ baseUrl, apiKey: apiKey.value, policy: { attempts: 1, deadline: 50 } }),
    platform(answer)
  )

export const byVisitor = <A, E>(
  call: Effect.Effect<A, E, Public.Client>,
  answer: () => Outcome | "waits" = () => "waits"
) => Effect.flatMap(visitor(answer), (client) => Effect.provideService(call, Public.Client, client))

export const byAdmin = <A, E>(
  call: Effect.Effect<A, E, Admin.Client>,
  config: object,
  service: Service = never
) =>
  Effect.flatMap(over(Admin.make({ ...admin, ...config } as Admin.ClientConfig), service), (client) =>
    Effect.provideService(call, Admin.Client, client)
  )

/** A socket whose server answers every handshake with its own content. */
const chatting = (reason: Trouble["reason"]): typeof ChatSocket.Service => ({
  open: (address, handshake, listener): Connection => {
    const told = JSON.stringify([address, handshake, ...all.map(({ value }) => encodeURIComponent(value))])
    queueMicrotask(() =>
      listener.onTrouble({ reason, message: `${told} ${accessToken.value} ${sessionId.value}` })
    )
    return { connected: () => false, emit: () => undefined, close: () => undefined }
  }
})

export const chat = (reason: Trouble["reason"]) =>
  byAdmin(
    Effect.scoped(
      Admin.chat.open({ policy: { attempts: 1, deadline: 2_000, pause: 1, longestPause: 1 } })
    ).pipe(Effect.provideService(ChatSocket, chatting(reason))),
    signedIn
  )
