// Chats over real HTTP and socket.io, opened and closed again and again: what they took is given back.
import { expect } from "@effect/vitest"
import * as Sandbox from "@quartet/sandbox"
import * as SandboxServer from "@quartet/sandbox/server"
import { live } from "@quartet/support/effect.js"
import { patient } from "@quartet/support/patience.js"
import { isWhole } from "@quartet/support/scale.js"
import { Effect, Layer } from "effect"
import * as SocketChat from "../../../adapters/socket/index.js"
import * as UndiciTransport from "../../../adapters/undici/index.js"
import { open } from "../../../clients/admin/chat.js"
import * as Admin from "../../../clients/admin/index.js"
import { look, settle } from "../../faults/soak/remains.js"

const cycles = isWhole ? 1_000 : 200
const atOnce = 16
/**
 * Milliseconds that a chat is given to connect, on a machine that does other things too, and sockets and timers to end. The
 * server is in this process too: it is closed first, and then still waits for pollers whose good-bye it missed.
 */
const patience = patient(60_000)
const nothing = { sockets: 0, timers: 0, fibers: 0 }

const { accounts } = Sandbox

type Transports = NonNullable<SocketChat.Options["transports"]>

/** Opens and closes chats on a server, and closes that too. */
const round = (transports: Transports, count: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const served = yield* SandboxServer.serve({ port: 0 })
      const client = Admin.layer({
        baseUrl: served.url,
        projectId: accounts.projectId,
        apiKey: accounts.apiKey,
        ...accounts.admin
      })
      const sockets = Layer.merge(UndiciTransport.layer, SocketChat.layerWith({ transports }))
      const cycle = Effect.scoped(
        Effect.tap(open({ policy: { deadline: patience } }), (chat) => chat.figures)
      )
      yield* Effect.replicateEffect(cycle, count, { concurrency: atOnce, discard: true }).pipe(
        Effect.provide(Layer.provideMerge(client, sockets))
      )
    })
  )

for (const transports of [["polling", "websocket"], ["websocket"]] as const) {
  live(
    `a chat that is opened and closed ${cycles} times leaves nothing behind (${transports.join(", then ")})`,
    function* () {
      const { signal } = new AbortController()
      const counts = () => look(signal)
      // What is loaded, and listened to, on first use is no chat's.
      yield* round(transports, 1)
      const before = yield* Effect.promise(() => settle({ ...counts(), ...nothing }, signal, 5_000))
      yield* round(transports, cycles)
      const after = yield* Effect.promise(() => settle(before, signal, patience))
      for (const kind of ["sockets", "timers", "fibers", "listeners"] as const)
        expect(after[kind], kind).toBeLessThanOrEqual(before[kind])
    },
    patient(180_000)
  )
}
