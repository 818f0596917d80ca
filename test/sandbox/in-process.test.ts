/** The sandbox in the same process answers as the served one does, through the same ports as every other adapter. */
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import * as Sandbox from "../../adapters/sandbox/index.js"
import * as SandboxServer from "../../adapters/sandbox/server/index.js"
import * as UndiciTransport from "../../adapters/undici/index.js"
import * as Admin from "../../clients/admin/index.js"
import * as EndUser from "../../clients/end-user/index.js"
import * as Public from "../../clients/public/index.js"
import { type Outcome, type Request, Transport } from "../../core/ports/transport.js"
import { everyone, refused } from "./clients.js"

const baseUrl = "http://sandbox.test"
const { accounts } = Sandbox

/** A program with something of everything: lists, writes, refusals, bytes. */
const sample = Effect.gen(function* () {
  const { sessionId, ...signedIn } = yield* Public.auth.login(accounts.endUsers.ana)
  const filed = yield* EndUser.requests.create({ payload: { type: "BUY", title: "Two rooms" } })
  const { _id: id } = filed
  const { createdAt, updatedAt, comments, ...commented } = yield* Admin.requests.addComment({
    id,
    payload: { text: "Welcome" }
  })
  const file = { name: "a.bin", content: new Blob([Uint8Array.from([0, 1, 255])]) }
  const stored = yield* EndUser.files.upload({ file })
  return {
    signedIn,
    commented,
    names: [typeof sessionId, comments?.length, createdAt instanceof Date, updatedAt instanceof Date],
    items: yield* Public.items.search({ payload: { text: "vera", limit: 5, sort: "-price" } }),
    models: yield* Admin.contentModels.list(),
    news: yield* Public.content.list({ apiId: "news", lang: "ka", sort: [{ k: "views", v: "desc" }] }),
    missing: (yield* Effect.flip(EndUser.orders.get({ id: "nothing" }))).message,
    conflict: (yield* Effect.flip(EndUser.requests.markSeen({ id, version: 1 })))._tag,
    wrong: yield* Effect.either(EndUser.requests.create({ payload: {} })),
    bytes: [...(yield* Stream.runCollect(EndUser.files.download({ id: stored._id })))].flatMap((one) => [
      ...one
    ]),
    csv: yield* Stream.mkString(Stream.decodeText(Admin.ordersV2.csv({ status: "paid" })))
  }
})

it.scopedLive("one program has the same results in the process and over HTTP", () =>
  Effect.gen(function* () {
    const sandbox = yield* Sandbox.make()
    const here = yield* sample.pipe(
      Effect.provide(everyone(baseUrl)),
      Effect.provideService(Transport, sandbox.transport)
    )
    const { control, url } = yield* SandboxServer.serve({ port: 0 })
    const there = yield* sample.pipe(Effect.provide(everyone(url)), Effect.provide(UndiciTransport.layer))
    const stripped = (value: unknown) => JSON.stringify(value).replaceAll(/sandbox-\d+/g, "sandbox-#")
    expect(stripped(here)).toBe(stripped(there))
    expect(here.items.items.length).toBe(5)
    const names = (log: ReadonlyArray<{ operation: string | undefined; status: number }>) =>
      log.map(({ operation, status }) => `${operation} ${status}`).sort()
    expect(names(sandbox.control.log())).toEqual(names(control.log()))
  })
)

it.effect("a layer alone is enough to run a client against the sandbox", () =>
  Effect.gen(function* () {
    const { items } = yield* Public.items.search({ payload: { limit: 2 } })
    expect(items.length).toBe(2)
  }).pipe(Effect.provide(Public.layer({ baseUrl, apiKey: accounts.apiKey })), Effect.provide(Sandbox.layer()))
)

it.effect("its time is the program's clock: sessions end when they should, and latency waits for it", () =>
  Effect.gen(function* () {
    const { control, transport } = yield* Sandbox.make({ latency: 500 })
    const program = Public.auth
      .login(accounts.endUsers.ana)
      .pipe(
        Effect.provide(Public.layer({ baseUrl, apiKey: accounts.apiKey })),
        Effect.provideService(Transport, transport)
      )
    const fiber = yield* Effect.fork(program)
    yield* TestClock.adjust(499)
    expect(fiber.unsafePoll()).toBeNull()
    yield* TestClock.adjust(1)
    const { sessionId } = yield* Fiber.join(fiber)
    control.setLatency(0)
    const self = EndUser.auth
      .self()
      .pipe(
        Effect.provide(EndUser.layer({ baseUrl, apiKey: accounts.apiKey, sessionId: sessionId ?? "" })),
        Effect.provideService(Transport, transport)
      )
    expect((yield* self).email).toBe(accounts.endUsers.ana.email)
    yield* TestClock.adjust("12 hours")
    yield* refused(self, "Unauthenticated")
  })
)

const request = (path: string, rest: Partial<Pick<Request, "maxBytes">> = {}): Request => ({
  operation: "test",
  method: "GET",
  origin: baseUrl,
  path,
  headers: { "x-api-key": accounts.apiKey },
  body: undefined,
  answer: "bytes",
  maxBytes: 1_000_000,
  attempt: 1,
  onUpload: undefined,
  ...rest
})

describe("the transport", () => {
  it.live("settles once, later, and never after it was abandoned", () =>
    Effect.gen(function* () {
      const { control, transport } = yield* Sandbox.make()
      const outcomes: Array<Outcome> = []
      let isBack = false
      const settled = yield* Deferred.make<boolean>()
      transport.start(request("/project/self"), (outcome) => {
        outcomes.push(outcome)
        Deferred.unsafeDone(settled, Effect.succeed(isBack))
      })
      isBack = true
      expect(yield* Deferred.await(settled)).toBe(true)
      const abandon = transport.start(request("/project/self"), (outcome) => outcomes.push(outcome))
      abandon()
      abandon()
      control.setLatency(20)
      const late = transport.start(request("/project/self"), (outcome) => outcomes.push(outcome))
      yield* Effect.sleep(5)
      late()
      yield* Effect.sleep(40)
      expect(outcomes.length).toBe(1)
      expect(control.log().length).toBe(1)
    })
  )

  it.live("answers more than may be decoded with TooLarge, and a lost answer with Failed", () =>
    Effect.gen(function* () {
      const { control, transport } = yield* Sandbox.make()
      const outcome = (one: Request) =>
        Effect.async<Outcome>((resume) => {
          transport.start(one, (settled) => resume(Effect.succeed(settled)))
        })
      expect(yield* outcome(request("/project/self", { maxBytes: 100 }))).toEqual({
        _tag: "TooLarge",
        status: 200,
        header: expect.any(Function)
      })
      control.loseNext(1)
      expect(yield* outcome(request("/project/self"))).toMatchObject({
        _tag: "Failed",
        reason: "Reset",
        sent: true
      })
    })
  )
})

it.live("tells of an upload, and hands a streamed answer over whole where it is asked to", () =>
  Effect.gen(function* () {
    const { transport } = yield* Sandbox.make()
    const told: Array<readonly [number, number]> = []
    const outcome = (one: Request) =>
      Effect.async<Outcome>((resume) => {
        transport.start(one, (settled) => resume(Effect.succeed(settled)))
      })
    const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => index % 251)
    const parts = [{ name: "file", file: new Blob([bytes]), fileName: "a.bin" }]
    const headers = { "x-private-key": accounts.privateKey }
    const uploaded = yield* outcome({
      ...request("/cms/file"),
      method: "POST",
      headers,
      body: { _tag: "Form", parts },
      onUpload: (sent, total) => told.push([sent, total])
    })
    expect(told).toEqual([[200_000, 200_000]])
    const { _id } = JSON.parse(
      new TextDecoder().decode(uploaded._tag === "Answered" ? uploaded.body : undefined)
    )
    const { sessionId } = yield* Public.auth
      .login(accounts.endUsers.ana)
      .pipe(
        Effect.provide(Public.layer({ baseUrl, apiKey: accounts.apiKey })),
        Effect.provideService(Transport, transport)
      )
    const whole = yield* outcome({
      ...request(`/cms/file/${_id}/download`),
      headers: { "x-api-key": accounts.apiKey, "x-session-id": sessionId ?? "" }
    })
    expect(whole._tag === "Answered" && Buffer.compare(whole.body, bytes)).toBe(0)
  })
)
