// A call of a Promise client: what it answers, with what it rejects, and how a signal cancels it.
import { getEventListeners } from "node:events"
import { silent } from "@quartet/support/scripted-server.js"
import { nobody } from "@quartet/support/servers.js"
import * as Schema from "effect/Schema"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import {
  createAdminClient,
  createEndUserClient,
  createPublicClient,
  Errors
} from "../../clients/promise/index.js"
import { tokenOf } from "../wire/platform.js"
import { login, rejected, serve } from "./served.js"

const { over, server, targets, visitor } = await serve()

const abortError = { name: "AbortError" }
const listeners = (signal: AbortSignal) => getEventListeners(signal, "abort").length

/** Rejections that nobody handled, and warnings. */
const complaints: Array<unknown> = []
const note = (complaint: unknown) => void complaints.push(complaint)
beforeAll(() => void process.on("unhandledRejection", note).on("warning", note))
afterAll(() => void process.off("unhandledRejection", note).off("warning", note))

/** They are told after the microtasks: two turns of the event loop later they would be here. */
afterEach(async () => {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(complaints.splice(0)).toEqual([])
})

over("a call", ({ config, visitor }) => {
  test("answers the value, with date-times as Dates", async () => {
    server.play(({ json }) => json({ _id: "b1", type: "QUIZ_RESULT", made: "2024-05-01T10:00:00Z" }))
    const box = await visitor.boxes.get({ id: "b1" })
    expect(box).toEqual({ _id: "b1", type: "QUIZ_RESULT", made: new Date("2024-05-01T10:00:00Z") })
  })

  test("may be made without its input where nothing in it is required", async () => {
    server.play(({ json }) => json([{ _id: "b1" }]))
    expect(await visitor.boxes.list()).toEqual({ items: [{ _id: "b1" }], paging: {} })
    expect(targets()).toEqual(["GET /v1/box"])
  })

  test("answers the caller's own type where its schema is given", async () => {
    server.play(({ json }) => json([{ _id: "b1", score: 7 }]))
    const page = await visitor.boxes.list.as(Schema.Struct({ _id: Schema.String, score: Schema.Number }))()
    const scores: ReadonlyArray<number> = page.items.map(({ score }) => score)
    expect(scores).toEqual([7])
    server.play(({ json }) => json({ _id: "b1", score: "high" }))
    const get = visitor.boxes.get.as(Schema.Struct({ score: Schema.Number }))
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
    const error = await rejected(visitor.boxes.get({ id: "b1" }))
    expect(error).toBeInstanceOf(type)
    expect(error).toBeInstanceOf(Error)
    const words = { serverMessage: "no luck", message: expect.stringContaining("boxes.get: ") }
    expect(error).toMatchObject({
      tag,
      _tag: tag,
      operation: "boxes.get",
      status,
      requestId: "req-7",
      ...words
    })
  })

  test("rejects with the cause where no answer came", async () => {
    const lost = createPublicClient({ ...config, baseUrl: await nobody(), policy: { attempts: 1 } })
    const error = await rejected(lost.boxes.list())
    expect(error).toBeInstanceOf(Errors.NetworkError)
    expect(error).toMatchObject({ tag: "NetworkError", reason: "Refused", cause: { code: "ECONNREFUSED" } })
  })

  test("rejects once its deadline has passed, and hangs up", async () => {
    server.play(silent)
    const error = rejected(visitor.boxes.get({ id: "b1" }, { policy: { deadline: 500 } }))
    const { over } = await server.exchange(0)
    expect(await error).toMatchObject({ tag: "DeadlineExceeded", deadline: 500 })
    expect(await over).toBe(false)
  })

  describe("with a signal", () => {
    test("that is aborted already rejects with its reason, and sends nothing", async () => {
      server.play(silent)
      const reason = new Error("too late")
      const call = visitor.boxes.get({ id: "b1" }, { signal: AbortSignal.abort(reason) })
      await expect(call).rejects.toBe(reason)
      expect(targets()).toEqual([])
    })

    test.each([
      ["on the way", false],
      ["while the body comes", true]
    ])("that is aborted %s rejects with its reason, and hangs up", async (_, hasBegun) => {
      server.play(({ response }) => {
        if (hasBegun) response.writeHead(200, { "content-type": "application/json" }).write("[")
      })
      const controller = new AbortController()
      const call = visitor.boxes.list({}, { signal: controller.signal })
      const { over } = await server.exchange(0)
      const reason = new Error("changed my mind")
      controller.abort(reason)
      await expect(call).rejects.toBe(reason)
      expect(await over).toBe(false)
    })

    test("that times out rejects with a TimeoutError", async () => {
      server.play(silent)
      const call = visitor.boxes.get({ id: "b1" }, { signal: AbortSignal.timeout(30) })
      await expect(call).rejects.toMatchObject({ name: "TimeoutError" })
    })

    test("that is aborted between two attempts ends the call there", async () => {
      server.play(({ json }) => json({}, 503, { "retry-after": "20" }))
      const controller = new AbortController()
      const call = visitor.boxes.get({ id: "b1" }, { signal: controller.signal, policy: { attempts: 3 } })
      await (await server.exchange(0)).over
      controller.abort()
      await expect(call).rejects.toMatchObject(abortError)
      expect(targets()).toHaveLength(1)
    })

    test("cancels no other call, and not the sign-in that it shares with one", async () => {
      server.play(({ json, method, target }) => {
        // The sign-in's answer waits until the first caller has left.
        if (method !== "POST") json({ _id: "i1" })
        else if (target === "/auth/login") json({ sessionId: "session-1" })
      })
      const admin = createAdminClient({ ...config, projectId: "p1", ...login })
      const controller = new AbortController()
      const first = admin.items.get({ id: "i1" }, { signal: controller.signal })
      const second = admin.items.get({ id: "i1" })
      await server.exchange(1)
      controller.abort()
      await expect(first).rejects.toMatchObject(abortError)
      const signIn = server.exchanges.find(({ target }) => target === "/auth/admin/login")
      signIn?.json({ accessToken: tokenOf("admin-1"), user: {} })
      expect(await second).toEqual({ _id: "i1" })
      expect(server.exchanges.filter(({ method }) => method === "POST")).toHaveLength(2)
    })

    test("that thirty calls share, or thirty clients, has one listener, and none after them", async () => {
      server.play(({ json }) => json([{ _id: "b1" }]))
      const { signal } = new AbortController()
      for (const make of [() => visitor, () => createPublicClient(config)]) {
        const calls = Array.from({ length: 30 }, () => make().boxes.list({}, { signal }))
        expect(listeners(signal)).toBe(1)
        expect(await Promise.all(calls)).toHaveLength(30)
        expect(listeners(signal)).toBe(0)
      }
    })

    test("cancels all of its calls, and those that end before stay as they are", async () => {
      server.play(({ json, target }) => (target.includes("b0") ? json({ _id: "b0" }) : undefined))
      const controller = new AbortController()
      const { signal } = controller
      await expect(visitor.boxes.get({ id: "b0" }, { signal })).resolves.toMatchObject({ _id: "b0" })
      const calls = Array.from({ length: 30 }, (_, id) =>
        rejected(visitor.boxes.get({ id: `c${id}` }, { signal }))
      )
      await server.exchange(30)
      const reason = new Error("enough")
      controller.abort(reason)
      expect(new Set(await Promise.all(calls))).toEqual(new Set([reason]))
      const areWhole = await Promise.all(server.exchanges.map(({ over }) => over))
      expect(areWhole).toEqual([true, ...calls.map(() => false)])
      expect(listeners(signal)).toBe(0)
      await expect(visitor.boxes.list({}, { signal })).rejects.toBe(reason)
    })

    test("has no listener left by a loop that is left, by calls that fail, or by a client that is closed", async () => {
      const { signal } = new AbortController()
      server.play(({ json }) => json({ items: [{ _id: "b1" }], paging: { page: 1, pages: 9 } }))
      for await (const box of visitor.boxes.list.pages({}, { signal })) {
        expect(box).toMatchObject({ _id: "b1" })
        expect(listeners(signal)).toBe(1)
        break
      }
      expect(listeners(signal)).toBe(0)
      server.play(({ json }) => json({}, 404))
      await rejected(visitor.boxes.get({ id: "b1" }, { signal }))
      await rejected(visitor.boxes.get({ id: "" }, { signal }))
      expect(listeners(signal)).toBe(0)
      server.play(silent)
      const client = createEndUserClient({ ...config, sessionId: "session-1" })
      const list = rejected(client.boxes.list({}, { signal }))
      const bytes = rejected(client.files.download.bytes({ id: "f1" }, { signal }))
      await server.exchange(1)
      await client.close()
      expect(await Promise.all([list, bytes])).toMatchObject([abortError, abortError])
      expect(listeners(signal)).toBe(0)
    })
  })
})

describe("a broken signal", () => {
  beforeEach(() => server.play(({ json }) => json({ items: [{ _id: "b1" }], paging: { pages: 1 } })))

  const thrower = (): never => {
    throw new Error("canary")
  }
  const _broken = (member: string) =>
    Object.defineProperty(new AbortController().signal, member, { get: thrower })
  const refused = { tag: "InputError", field: "signal", operation: "boxes.list" }

  test("that cannot be listened to rejects the call, and the client goes on and is closed", async () => {
    const client = visitor()
    const signal = Object.assign(new AbortController().signal, { addEventListener: thrower })
    await expect(client.boxes.list({}, { signal })).rejects.toMatchObject(refused)
    const loop = client.boxes.list.pages({}, { signal })[Symbol.asyncIterator]()
    await expect(loop.next()).rejects.toMatchObject(refused)
    expect(targets()).toEqual([])
    await expect(client.boxes.list()).resolves.toMatchObject({ items: [{ _id: "b1" }] })
    await client.close()
  })

  test("that nobody can be taken off again does not keep an answered call from settling", async () => {
    const client = visitor()
    const signal = Object.assign(new AbortController().signal, { removeEventListener: thrower })
    await expect(client.boxes.list({}, { signal })).resolves.toMatchObject({ items: [{ _id: "b1" }] })
    const ids: Array<string> = []
    for await (const { _id } of client.boxes.list.pages({}, { signal })) ids.push(_id)
    expect(ids).toEqual(["b1"])
    await client.close()
  })

  test("that does not tell its reason cancels all the same", async () => {
    server.play(silent)
    const client = visitor()
    const controller = new AbortController()
    const { signal } = controller
    Object.defineProperty(signal, "reason", { get: thrower })
    const called = client.boxes.list({}, { signal })
    await server.exchange(0)
    controller.abort()
    await expect(called).rejects.toMatchObject(abortError)
    await expect(client.boxes.list({}, { signal })).rejects.toMatchObject(abortError)
    await client.close()
  })
})
