// A call of a Promise client: what it answers, with what it rejects, and how a signal cancels it.
import { getEventListeners } from "node:events"
import * as Schema from "effect/Schema"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { createAdminClient, createPublicClient, Errors } from "../../clients/promise/index.js"
import { listen, silent } from "../support/scripted-server.js"
import { transports } from "../support/transports.js"
import { tokenOf } from "../wire/platform.js"

const server = await listen()
afterAll(() => server.close())

const unhandled: Array<unknown> = []
const note = (reason: unknown) => void unhandled.push(reason)

describe.each(transports)("over $name, a call", ({ open }) => {
  const opened = open()
  const client = createPublicClient({
    baseUrl: server.url,
    apiKey: "key-1",
    transport: opened.transport,
    policy: { attempts: 1 }
  })

  beforeAll(() => void process.on("unhandledRejection", note))
  afterAll(async () => {
    process.off("unhandledRejection", note)
    await client.close()
    await opened.close()
  })

  /** A rejection that nobody handles is told after the microtasks: two turns of the event loop later it would be here. */
  afterEach(async () => {
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(unhandled).toEqual([])
  })

  test("answers the value, with date-times as Dates", async () => {
    server.play(({ json }) => json({ _id: "b1", type: "QUIZ_RESULT", made: "2024-05-01T10:00:00Z" }))
    const box = await client.boxes.get({ id: "b1" })
    expect(box).toEqual({ _id: "b1", type: "QUIZ_RESULT", made: new Date("2024-05-01T10:00:00Z") })
  })

  test("may be made without its input where nothing in it is required", async () => {
    server.play(({ json }) => json([{ _id: "b1" }]))
    expect(await client.boxes.list()).toEqual({ items: [{ _id: "b1" }], paging: {} })
    expect(server.exchanges.map(({ target }) => target)).toEqual(["/v1/box"])
  })

  test("answers the caller's own type where its schema is given", async () => {
    server.play(({ json }) => json([{ _id: "b1", score: 7 }]))
    const Quiz = Schema.Struct({ _id: Schema.String, score: Schema.Number })
    const page = await client.boxes.list.as(Quiz)()
    const scores: ReadonlyArray<number> = page.items.map(({ score }) => score)
    expect(scores).toEqual([7])
  })

  test("rejects where the answer is not of the caller's own type", async () => {
    server.play(({ json }) => json({ _id: "b1", score: "high" }))
    const get = client.boxes.get.as(Schema.Struct({ score: Schema.Number }))
    await expect(get({ id: "b1" })).rejects.toMatchObject({ tag: "AnswerError", field: "score" })
  })

  test.each([
    [400, Errors.Rejected, "Rejected"],
    [401, Errors.Unauthenticated, "Unauthenticated"],
    [403, Errors.PermissionDenied, "PermissionDenied"],
    [404, Errors.NotFound, "NotFound"],
    [409, Errors.Conflict, "Conflict"],
    [429, Errors.RateLimited, "RateLimited"],
    [500, Errors.ServerFault, "ServerFault"]
  ] as const)("rejects with a real Error where the server answers %i", async (status, type, tag) => {
    server.play(({ json }) => json({ message: "no luck" }, status, { "x-request-id": "req-7" }))
    const error: unknown = await client.boxes.get({ id: "b1" }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(type)
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      tag,
      _tag: tag,
      operation: "boxes.get",
      status,
      requestId: "req-7",
      serverMessage: "no luck",
      message: expect.stringContaining("boxes.get: ")
    })
  })

  test("rejects with the cause where no answer came", async () => {
    const nowhere = await listen()
    await nowhere.close()
    const lost = createPublicClient({
      baseUrl: nowhere.url,
      apiKey: "key-1",
      transport: opened.transport,
      policy: { attempts: 1 }
    })
    const error: unknown = await lost.boxes.list().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Errors.NetworkError)
    expect(error).toMatchObject({ tag: "NetworkError", reason: "Refused", cause: { code: "ECONNREFUSED" } })
  })

  test("rejects with OutcomeUnknown where the answer to a write was lost", async () => {
    server.play(({ response }) => response.destroy())
    await expect(client.boxes.create({ payload: {} })).rejects.toBeInstanceOf(Errors.OutcomeUnknown)
  })

  test("rejects once its deadline has passed, and hangs up", async () => {
    server.play(silent)
    const call = client.boxes.get({ id: "b1" }, { policy: { deadline: 500 } })
    const rejected = expect(call).rejects.toMatchObject({ tag: "DeadlineExceeded", deadline: 500 })
    const { over } = await server.exchange(0)
    await rejected
    expect(await over).toBe(false)
  })

  test("rejects input that breaks a rule, and sends nothing", async () => {
    server.play(silent)
    await expect(client.boxes.get({ id: "" })).rejects.toMatchObject({ tag: "InputError", field: "id" })
    expect(server.exchanges).toEqual([])
  })

  test("takes options of its own besides the signal", async () => {
    let attempts = 0
    server.play(({ json }) => {
      attempts += 1
      if (attempts === 1) json({}, 503)
      else json({ _id: "b1" })
    })
    const { signal } = new AbortController()
    const options = { policy: { attempts: 2, pause: 1 }, idempotencyKey: "once-1", signal }
    expect(await client.boxes.create({ payload: {} }, options)).toEqual({ _id: "b1" })
    expect(attempts).toBe(2)
  })

  describe("with a signal", () => {
    test("that is aborted already rejects with its reason, and sends nothing", async () => {
      server.play(silent)
      const reason = new Error("too late")
      const call = client.boxes.get({ id: "b1" }, { signal: AbortSignal.abort(reason) })
      await expect(call).rejects.toBe(reason)
      expect(server.exchanges).toEqual([])
    })

    test("that is aborted on the way rejects with its reason, and the server sees the connection closed", async () => {
      server.play(silent)
      const controller = new AbortController()
      const call = client.boxes.get({ id: "b1" }, { signal: controller.signal })
      const exchange = await server.exchange(0)
      const reason = new Error("changed my mind")
      controller.abort(reason)
      await expect(call).rejects.toBe(reason)
      expect(await exchange.over).toBe(false)
    })

    test("that is aborted while the body comes hangs up as well", async () => {
      server.play(({ response }) =>
        response.writeHead(200, { "content-type": "application/json" }).write("[")
      )
      const controller = new AbortController()
      const call = client.boxes.list({}, { signal: controller.signal })
      const { over } = await server.exchange(0)
      controller.abort()
      await expect(call).rejects.toMatchObject({ name: "AbortError" })
      expect(await over).toBe(false)
    })

    test("that times out rejects with a TimeoutError", async () => {
      server.play(silent)
      const call = client.boxes.get({ id: "b1" }, { signal: AbortSignal.timeout(30) })
      await expect(call).rejects.toMatchObject({ name: "TimeoutError" })
    })

    test("that is aborted between two attempts ends the call there", async () => {
      server.play(({ json }) => json({}, 503, { "retry-after": "20" }))
      const controller = new AbortController()
      const call = client.boxes.get({ id: "b1" }, { signal: controller.signal, policy: { attempts: 3 } })
      await (await server.exchange(0)).over
      controller.abort()
      await expect(call).rejects.toMatchObject({ name: "AbortError" })
      expect(server.exchanges).toHaveLength(1)
    })

    test("leaves no listener on it behind, however it ends", async () => {
      const { signal } = new AbortController()
      server.play(({ json }) => json({ _id: "b1" }))
      await client.boxes.get({ id: "b1" }, { signal })
      server.play(({ json }) => json({}, 404))
      await client.boxes.get({ id: "b1" }, { signal }).catch(() => undefined)
      await client.boxes.get({ id: "" }, { signal }).catch(() => undefined)
      expect(getEventListeners(signal, "abort")).toEqual([])
    })

    test("cancels no other call, and not the sign-in that it shares with one", async () => {
      server.play(({ json, method, target }) => {
        // The sign-in's answer waits until the first caller has left.
        if (method !== "POST") json({ _id: "i1" })
        else if (target === "/auth/login") json({ sessionId: "session-1" })
      })
      const admin = createAdminClient({
        baseUrl: server.url,
        projectId: "p1",
        email: "ada@example.com",
        password: "secret-1",
        transport: opened.transport
      })
      const controller = new AbortController()
      const first = admin.items.get({ id: "i1" }, { signal: controller.signal })
      const second = admin.items.get({ id: "i1" })
      await server.exchange(1)
      controller.abort()
      await expect(first).rejects.toMatchObject({ name: "AbortError" })
      const login = server.exchanges.find(({ target }) => target === "/auth/admin/login")
      login?.json({ accessToken: tokenOf("admin-1"), user: {} })
      expect(await second).toEqual({ _id: "i1" })
      expect(server.exchanges.filter(({ method }) => method === "POST")).toHaveLength(2)
    })
  })
})
