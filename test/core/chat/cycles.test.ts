// Chats over real HTTP and socket.io, opened and closed again and again: what they took is given back.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Sandbox from "../../../adapters/sandbox/index.js"
import * as SandboxServer from "../../../adapters/sandbox/server/index.js"
import * as SocketChat from "../../../adapters/socket/index.js"
import * as UndiciTransport from "../../../adapters/undici/index.js"
import { open } from "../../../clients/admin/chat.js"
import * as Admin from "../../../clients/admin/index.js"
import { look, settle } from "../../faults/soak/remains.js"

const cycles = 1_000
const atOnce = 32
/**
 * Milliseconds that sockets and timers of the last cycles are given to end. The server is in this process too, and
 * forgets a poller whose good-bye it missed only when its ping is not answered.
 */
const patience = 60_000

const { accounts } = Sandbox

describe("a chat that is opened and closed", () => {
  for (const transports of [["polling", "websocket"], ["websocket"]] as const) {
    it.scopedLive(
      `${cycles} times leaves no socket, timer, fiber or listener (${transports.join(", then ")})`,
      () =>
        Effect.gen(function* () {
          const served = yield* SandboxServer.serve({ port: 0 })
          const client = Admin.layer({
            baseUrl: served.url,
            projectId: accounts.projectId,
            apiKey: accounts.apiKey,
            ...accounts.admin
          })
          const layer = Layer.provideMerge(
            client,
            Layer.merge(UndiciTransport.layer, SocketChat.layerWith({ transports }))
          )
          const { signal } = new AbortController()
          const cycle = Effect.scoped(Effect.tap(open(), (chat) => chat.figures))
          const many = (count: number) =>
            Effect.replicateEffect(cycle, count, { concurrency: atOnce, discard: true })
          const before = look(signal)
          const program = Effect.gen(function* () {
            yield* many(1)
            // What Node listens to from the first use on is no chat's.
            const { listeners } = look(signal)
            yield* many(cycles)
            const after = yield* Effect.promise(() => settle({ ...before, listeners }, signal, patience))
            for (const held of ["sockets", "timers", "fibers"] as const)
              expect(after[held], held).toBeLessThanOrEqual(before[held])
            expect(after.listeners).toBeLessThanOrEqual(listeners)
          })
          yield* Effect.provide(program, layer)
        }),
      180_000
    )
  }
})
