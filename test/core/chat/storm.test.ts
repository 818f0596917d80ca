// Many messages, a connection that is dropped again and again, and a reader that is too slow for both: over real HTTP
// and a real socket, against the platform's own history.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Sandbox from "../../../adapters/sandbox/index.js"
import * as SandboxServer from "../../../adapters/sandbox/server/index.js"
import * as SocketChat from "../../../adapters/socket/index.js"
import * as UndiciTransport from "../../../adapters/undici/index.js"
import { open } from "../../../clients/admin/chat.js"
import * as Admin from "../../../clients/admin/index.js"
import type { ChatSocket } from "../../../core/ports/chat-socket.js"
import type { Transport } from "../../../core/ports/transport.js"

const { accounts } = Sandbox
const count = 3_000
const drops = 15
const buffer = 200

interface Way {
  readonly baseUrl: string
  readonly layer: Layer.Layer<Transport | ChatSocket>
  readonly sandbox: Pick<Sandbox.Sandbox, "control" | "hub">
}

const inProcess = Effect.map(
  Sandbox.make(),
  (sandbox): Way => ({ baseUrl: "http://sandbox.test", layer: Sandbox.layerOf(sandbox), sandbox })
)

const overTheWire = Effect.map(
  SandboxServer.serve({ port: 0 }),
  (served): Way => ({
    baseUrl: served.url,
    layer: Layer.merge(UndiciTransport.layer, SocketChat.layer),
    sandbox: served
  })
)

const ways = [
  ["in the same process", inProcess],
  ["over HTTP and socket.io", overTheWire]
] as const

describe("a chat under storm", () => {
  for (const [name, way] of ways) {
    it.scopedLive(
      `loses nothing, doubles nothing and keeps the order, within its bounds (${name})`,
      () =>
        Effect.gen(function* () {
          const { baseUrl, layer, sandbox } = yield* way
          const conversation = sandbox.control.state.conversations.all()[0]
          if (conversation === undefined) return yield* Effect.die("no conversation")
          const client = Admin.layer({
            baseUrl,
            projectId: accounts.projectId,
            apiKey: accounts.apiKey,
            ...accounts.admin
          })
          yield* Effect.gen(function* () {
            const chat = yield* open({
              conversations: [conversation._id],
              history: { query: { limit: 500 } },
              policy: { buffer, pause: 1, longestPause: 10, poll: 5 }
            })
            const heard: Array<string> = []
            const reading = yield* Effect.fork(
              chat.messages.pipe(
                Stream.tap(({ text }) => Effect.sync(() => heard.push(text ?? ""))),
                Stream.tap(() => (heard.length % 50 === 0 ? Effect.sleep(1) : Effect.void)),
                Stream.takeUntil(({ text }) => text === `message ${count}`),
                Stream.runDrain
              )
            )
            let dropped = 0
            for (let n = 1; n <= count; n++) {
              yield* sandbox.hub.sayAs(conversation.userId, {
                conversationId: conversation._id,
                text: `message ${n}`
              })
              if (n % Math.floor(count / (drops + 1)) === 0) {
                // A connection that does not stand yet is left alone.
                yield* Effect.repeat(Effect.zipRight(Effect.sleep(1), chat.figures), {
                  until: ({ connections }) => connections > dropped && sandbox.hub.size() > 0
                })
                sandbox.hub.disconnectAll()
                dropped += 1
              }
              if (n % 100 === 0) yield* Effect.sleep(1)
            }
            yield* Fiber.join(reading)
            expect(heard).toEqual(Array.from({ length: count }, (_, n) => `message ${n + 1}`))
            const figures = yield* chat.figures
            expect(figures).toMatchObject({ delivered: count, dropped: 0, gaps: 0, malformed: 0 })
            expect(dropped).toBeGreaterThanOrEqual(drops)
            expect(figures.connections).toBeGreaterThanOrEqual(dropped)
            expect(figures.peak).toBeLessThanOrEqual(buffer)
            expect(figures.peakHeld).toBeLessThanOrEqual(buffer)
          }).pipe(Effect.scoped, Effect.provide(client), Effect.provide(layer))
        }),
      60_000
    )
  }
})
