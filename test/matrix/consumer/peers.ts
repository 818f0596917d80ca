/** What the packages do over their peers: takes the platform, prints the outcome. */
import { Admin, Transport } from "@quartet/sdk"
import { createAdminClient } from "@quartet/sdk/promise"
import * as DefaultTransport from "@quartet/sdk/transport"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Platform } from "./platform.js"
import { calls, outcomeOf, over } from "./program.js"

const [, , json = ""] = process.argv
const platform: Platform = JSON.parse(json)
const { admin, apiKey, baseUrl, projectId } = platform

/** Calls and files over an HttpClient. */
const httpClient = async (): Promise<void> => {
  const FetchHttpClient = await import("@effect/platform/FetchHttpClient")
  const PlatformTransport = await import("@quartet/sdk/adapters/platform")
  const layer = PlatformTransport.layer.pipe(Layer.provide(FetchHttpClient.layer))
  const context = await Effect.runPromise(Effect.scoped(Layer.build(layer)))
  await over(platform, Context.get(context, Transport))
}

/** A session that outlives its client: the second one, with a wrong password, needs no sign-in. */
const store = async (): Promise<void> => {
  const Storage = await import("@quartet/sdk/adapters/storage")
  const listed = (password: string) =>
    Admin.requests
      .list({ limit: 1 })
      .pipe(
        Effect.provide(Admin.layer({ baseUrl, projectId, email: admin.email, password })),
        Effect.provide(DefaultTransport.layer)
      )
  const both = Effect.zip(listed(admin.password), listed("wrong"))
  await Effect.runPromise(Effect.provide(both, Storage.layerMemory))
}

/** A CSV as typed rows. */
const csv = async (): Promise<void> => {
  const Csv = await import("@quartet/fleet/csv")
  const Payment = Schema.Struct({ _id: Schema.String, amount: Csv.NumberFromCell })
  const rows = Admin.payments
    .csv()
    .pipe(Csv.rows(Payment), Stream.runCollect, Effect.map(Array.from<typeof Payment.Type>))
  const read = await Effect.runPromise(
    rows.pipe(
      Effect.provide(Admin.layer({ baseUrl, projectId, ...admin })),
      Effect.provide(DefaultTransport.layer)
    )
  )
  if (read.length === 0 || read.some(({ amount }) => !(amount > 0))) throw new Error("a CSV")
}

/** A sandbox that is served by this program. */
const server = async (): Promise<void> => {
  const SandboxServer = await import("@quartet/sandbox/server")
  const program = Effect.gen(function* () {
    const { url } = yield* SandboxServer.serve({ port: 0 })
    yield* Effect.promise(() => calls({ ...platform, baseUrl: url }))
    const client = createAdminClient({ baseUrl: url, projectId, apiKey, ...admin })
    const chat = yield* Effect.promise(() => client.chat.open())
    yield* Effect.promise(() => chat.close().then(client.close))
  })
  await Effect.runPromise(Effect.scoped(program))
}

outcomeOf({ httpClient, store, csv, server }).then((outcome) => {
  console.log(JSON.stringify(outcome))
  process.exit()
})
