// A program that ends its client in the middle of something, and then has nothing left to do.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Stream from "effect/Stream"
import * as FetchTransport from "../../adapters/fetch/index.js"
import * as Socket from "../../adapters/socket/index.js"
import * as Admin from "../../clients/admin/index.js"
import * as EndUser from "../../clients/end-user/index.js"
import { createAdminClient, createEndUserClient } from "../../clients/promise/index.js"

const [style = "", situation = "", baseUrl = ""] = process.argv.slice(2)

const admin = { baseUrl, projectId: "p1", apiKey: "key-1", email: "ada@example.test", password: "secret-1" }
const endUser = { baseUrl, apiKey: "key-1", sessionId: "session-1" }
const policy = { deadline: 300_000, pause: 300_000, longestPause: 300_000 }

/** The name of what some work came to. */
const told = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "value",
    (error: unknown) => (error instanceof Error ? error.name : String(error))
  )

/** What is begun, and how the client is ended, for each style of programs. */
const styles: Readonly<
  Record<string, () => { readonly begin: () => Promise<unknown>; readonly end: () => Promise<void> }>
> = {
  runtime: () => {
    const runtime = ManagedRuntime.make(
      Layer.mergeAll(Admin.layer(admin), EndUser.layer({ ...endUser, policy }), Socket.layer).pipe(
        Layer.provide(FetchTransport.layer)
      )
    )
    const works: Readonly<Record<string, Effect.Effect<unknown, unknown, Admin.Client | EndUser.Client>>> = {
      call: EndUser.boxes.list(),
      pause: EndUser.boxes.list(),
      "sign-in": Admin.requests.list({}),
      download: Stream.runDrain(EndUser.files.download({ id: "f1" })),
      "on demand": EndUser.onDemand.me.get,
      chat: Effect.provide(
        Effect.scoped(
          Effect.flatMap(
            Admin.chat.open({ policy: { pause: 300_000, longestPause: 300_000 } }),
            ({ messages }) => Stream.runDrain(messages)
          )
        ),
        Socket.layer
      )
    }
    return {
      begin: () => runtime.runPromise(works[situation] ?? Effect.die(situation)),
      end: () => runtime.dispose()
    }
  },
  promises: () => {
    const ada = createAdminClient(admin)
    const visitor = createEndUserClient({ ...endUser, policy })
    const works: Readonly<Record<string, () => Promise<unknown>>> = {
      call: () => visitor.boxes.list(),
      pause: () => visitor.boxes.list(),
      "sign-in": () => ada.requests.list({}),
      download: () => visitor.files.download.bytes({ id: "f1" }),
      "on demand": () => visitor.onDemand.me.get(),
      chat: async () => {
        const chat = await ada.chat.open({ policy: { pause: 300_000, longestPause: 300_000 } })
        for await (const _ of chat.messages);
      }
    }
    return {
      begin: () => (works[situation] ?? Promise.reject)(),
      end: async () => {
        await ada.close()
        await visitor.close()
      }
    }
  }
}

const { begin, end } = styles[style]?.() ?? { begin: () => Promise.reject(style), end: async () => undefined }
const ended = told(begin())
// The server answers once it is in the middle of it.
await fetch(`${baseUrl}/ready`).then((response) => response.text())
await end()
process.stdout.write(`${await ended}\n`)
