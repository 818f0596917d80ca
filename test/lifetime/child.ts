// A program that ends its client in the middle of something, and then has nothing left to do.
import { Effect, Layer, ManagedRuntime, Stream } from "effect"
import * as FetchTransport from "../../adapters/fetch/index.js"
import * as Socket from "../../adapters/socket/index.js"
import * as Admin from "../../clients/admin/index.js"
import * as EndUser from "../../clients/end-user/index.js"
import { createAdminClient, createEndUserClient } from "../../clients/promise/index.js"

const [style = "", situation = "", baseUrl = ""] = process.argv.slice(2)

const common = { baseUrl, apiKey: "key-1" }
const admin = { ...common, projectId: "p1", email: "ada@example.test", password: "secret-1" }
const policy = { deadline: 300_000, pause: 300_000, longestPause: 300_000 }
const endUser = { ...common, sessionId: "session-1", policy }
const reconnecting = { policy: { pause: 300_000, longestPause: 300_000 } }

/** What is begun, by situation, and how the client is ended, for each style of programs. */
const styles = {
  runtime: () => {
    const clients = Layer.mergeAll(Admin.layer(admin), EndUser.layer(endUser), Socket.layer)
    const runtime = ManagedRuntime.make(Layer.provide(clients, FetchTransport.layer))
    const chat = Effect.flatMap(Admin.chat.open(reconnecting), ({ messages }) => Stream.runDrain(messages))
    const works = {
      call: EndUser.boxes.list(),
      pause: EndUser.boxes.list(),
      "sign-in": Admin.requests.list({}),
      download: Stream.runDrain(EndUser.files.download({ id: "f1" })),
      "on demand": EndUser.onDemand.me.get,
      chat: Effect.scoped(chat)
    }
    return {
      begin: (name: Situation): Promise<unknown> => runtime.runPromise<unknown, unknown>(works[name]),
      end: () => runtime.dispose()
    }
  },
  promises: () => {
    const ada = createAdminClient(admin)
    const visitor = createEndUserClient(endUser)
    const works = {
      call: () => visitor.boxes.list(),
      pause: () => visitor.boxes.list(),
      "sign-in": () => ada.requests.list({}),
      download: () => visitor.files.download.bytes({ id: "f1" }),
      "on demand": () => visitor.onDemand.me.get(),
      chat: async () => {
        const chat = await ada.chat.open(reconnecting)
        for await (const _ of chat.messages);
      }
    }
    return {
      begin: (name: Situation): Promise<unknown> => works[name](),
      end: async () => {
        await ada.close()
        await visitor.close()
      }
    }
  }
}
type Situation = "call" | "pause" | "sign-in" | "download" | "on demand" | "chat"

// The test names both, or the program fails.
const { begin, end } = styles[style as keyof typeof styles]()
const ended = begin(situation as Situation).then(
  () => "value",
  (error: unknown) => (error instanceof Error ? error.name : String(error))
)
// The server answers once it is in the middle of it.
await fetch(`${baseUrl}/ready`).then((response) => response.text())
await end()
process.stdout.write(`${await ended}\n`)
