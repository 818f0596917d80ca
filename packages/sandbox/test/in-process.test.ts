/** The sandbox in the same process answers as the served one does, through the same ports as every other adapter. */

import { expect } from "@effect/vitest"
import { Input } from "@quartet/sdk"
import * as UndiciTransport from "@quartet/sdk/adapters/undici"
import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user"
import { type TransportService as Service, Transport } from "@quartet/sdk/extend"
import * as Public from "@quartet/sdk/public"
import { everyone, refused } from "@quartet/support/clients.js"
import { effect, live } from "@quartet/support/effect.js"
import { exchange } from "@quartet/support/transports.js"
import { Effect, Fiber, Layer, Stream, TestClock } from "effect"
import * as Sandbox from "../index.js"
import * as SandboxServer from "../server/index.js"

const baseUrl = "http://sandbox.test"
const { accounts } = Sandbox

/** All four clients on a sandbox of this process. */
const over = (transport: Service) => Layer.provide(everyone(baseUrl), Layer.succeed(Transport, transport))

/** A program with something of everything: lists, writes, refusals, bytes, a lost answer. */
const sample = (control: Sandbox.Control) =>
  Effect.gen(function* () {
    const { sessionId, ...signedIn } = yield* Public.auth.login(accounts.endUsers.ana)
    const { _id: id } = yield* EndUser.requests.create({ payload: { type: "BUY", title: "Two rooms" } })
    const payload = { text: "Welcome" }
    const { createdAt, updatedAt, comments, ...commented } = yield* Admin.requests.addComment({ id, payload })
    const file = { name: "a.bin", content: new Blob([Uint8Array.from([0, 1, 255])]) }
    const progress: Array<number> = []
    const onUpload = (sent: number, total: number) => progress.push(sent / total)
    const stored = yield* EndUser.files.upload({ file }, { onUpload })
    control.loseNext(1)
    const lost = yield* Effect.flip(EndUser.requests.create({ payload: { type: "BUY" } }))
    return {
      signedIn,
      commented,
      names: [typeof sessionId, comments?.length, createdAt instanceof Date, updatedAt instanceof Date],
      items: yield* Public.items.search({ payload: { text: "vera", limit: 5, sort: "-price" } }),
      models: yield* Admin.contentModels.list(),
      news: yield* Public.content.list({ apiId: "news", lang: "ka", sort: [{ k: "views", v: "desc" }] }),
      missing: (yield* Effect.flip(EndUser.orders.get({ id: "nothing" }))).message,
      conflict: (yield* Effect.flip(EndUser.requests.markSeen({ id, version: 1 })))._tag,
      wrong: yield* Effect.either(EndUser.requests.create({ payload: Input.raw({}) })),
      lost: lost._tag === "OutcomeUnknown" && lost.reason,
      uploaded: progress.at(-1),
      bytes: [...(yield* Stream.runCollect(EndUser.files.download({ id: stored._id })))].flatMap((chunk) => [
        ...chunk
      ]),
      csv: yield* Stream.mkString(Stream.decodeText(Admin.ordersV2.csv({ query: { status: "paid" } })))
    }
  })

live("one program has the same results in the process and over HTTP", function* () {
  const sandbox = yield* Sandbox.make()
  const here = yield* sample(sandbox.control).pipe(Effect.provide(over(sandbox.transport)))
  const { control, url } = yield* SandboxServer.serve({ port: 0 })
  const there = yield* sample(control).pipe(
    Effect.provide(everyone(url)),
    Effect.provide(UndiciTransport.layer)
  )
  const stripped = (value: unknown) => JSON.stringify(value).replaceAll(/sandbox-\d+/g, "sandbox-#")
  expect(stripped(here)).toBe(stripped(there))
  expect(here).toMatchObject({ lost: "Network", uploaded: 1, bytes: [0, 1, 255] })
  expect(here.items.items.length).toBe(5)
  const names = (log: ReadonlyArray<{ operation: string | undefined; status: number }>) =>
    log.map(({ operation, status }) => `${operation} ${status}`).sort()
  expect(names(sandbox.control.log())).toEqual(names(control.log()))
})

effect("a layer alone is enough to run a client against the sandbox", () =>
  Effect.gen(function* () {
    const { items } = yield* Public.items.search({ payload: { limit: 2 } })
    expect(items.length).toBe(2)
  }).pipe(Effect.provide(Public.layer({ baseUrl, apiKey: accounts.apiKey })), Effect.provide(Sandbox.layer()))
)

effect("its time is the program's clock, for sessions and for latency", function* () {
  const { control, transport } = yield* Sandbox.make({ latency: 500 })
  const visitor = Public.layer({ baseUrl, apiKey: accounts.apiKey })
  const fiber = yield* Public.project
    .self()
    .pipe(Effect.provide(visitor), Effect.provideService(Transport, transport), Effect.fork)
  yield* TestClock.adjust(499)
  expect(fiber.unsafePoll()).toBeNull()
  yield* TestClock.adjust(1)
  yield* Fiber.join(fiber)
  control.setLatency(0)
  yield* Effect.gen(function* () {
    expect((yield* EndUser.auth.self()).email).toBe(accounts.endUsers.ana.email)
    yield* TestClock.adjust("12 hours")
    yield* refused(EndUser.auth.self(), "Unauthenticated")
  }).pipe(Effect.provide(over(transport)))
})

live("an answer that is streamed is handed over whole to who asks for bytes", function* () {
  const { transport } = yield* Sandbox.make()
  const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => index % 251)
  const { id, sessionId } = yield* Effect.gen(function* () {
    const { _id: id } = yield* EndUser.files.upload({ file: { name: "a.bin", content: new Blob([bytes]) } })
    return { id, sessionId: String((yield* Public.auth.login(accounts.endUsers.ana)).sessionId) }
  }).pipe(Effect.provide(over(transport)))
  const whole = yield* Effect.promise(() =>
    exchange(transport, {
      origin: baseUrl,
      path: `/cms/file/${id}/download`,
      headers: { "x-api-key": accounts.apiKey, "x-session-id": sessionId }
    })
  )
  expect(whole._tag === "Answered" && Buffer.compare(whole.body, bytes)).toBe(0)
})
