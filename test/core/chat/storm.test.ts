// Many messages, a connection that is dropped again and again, and a reader that is too slow for both: against the
// sandbox of this process. The torture has the same over real sockets.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as Sandbox from "../../../adapters/sandbox/index.js"
import { open } from "../../../clients/admin/chat.js"
import * as Admin from "../../../clients/admin/index.js"

const { accounts } = Sandbox
const count = 1_500
const drops = 10
const buffer = 200

describe("a chat under storm", () => {
  it.scopedLive(
    "loses nothing, doubles nothing and keeps the order, within its bounds",
    () =>
      Effect.gen(function* () {
        const sandbox = yield* Sandbox.make()
        const conversation = sandbox.control.state.conversations.all()[0]
        if (conversation === undefined) return yield* Effect.die("no conversation")
        const client = Admin.layer({
          baseUrl: "http://sandbox.test",
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
        }).pipe(Effect.scoped, Effect.provide(client), Effect.provide(Sandbox.layerOf(sandbox)))
      }),
    60_000
  )
})
