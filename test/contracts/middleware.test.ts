// The contract of middleware, over the clients with Effects and over those with Promises.

import { eventually } from "@quartet/support/eventually.js"
import * as Fake from "@quartet/support/fake-transport.js"
import { Cause, Effect, Exit, Fiber, Stream } from "effect"
import { describe, expect, test } from "vitest"
import * as Admin from "../../clients/admin/index.js"
import * as Items from "../../clients/admin/items.js"
import * as Csv from "../../clients/admin/orders-v2.js"
import { createAdminClient, type PromiseMiddleware } from "../../clients/promise/index.js"
import type { Middleware, MiddlewareCall } from "../../core/kernel/dispatch/middleware.js"
import { pages } from "../../core/kernel/dispatch/streaming.js"
import { Rejected } from "../../core/kernel/errors/errors.js"
import { tokenOf } from "../wire/platform.js"

/** What a middleware of a test does around `next`. It answers what it is to answer, or throws. */
interface Around {
  /** Called with the call; may answer another one to pass on. */
  readonly before?: (call: MiddlewareCall) => MiddlewareCall | undefined
  /** Called with the answer. */
  readonly after?: (call: MiddlewareCall, answer: unknown) => unknown
  /** Called with the error. */
  readonly failed?: (call: MiddlewareCall, error: unknown) => void
}

const ofEffects =
  ({ after, before, failed }: Around): Middleware =>
  (next) =>
  (call) =>
    next(before?.(call) ?? call).pipe(
      Effect.tapError((error) => Effect.sync(() => failed?.(call, error))),
      Effect.map((answer) => (after === undefined ? answer : after(call, answer)))
    )

const ofPromises =
  ({ after, before, failed }: Around): PromiseMiddleware =>
  (next) =>
  async (call) => {
    const passed = before?.(call)
    const answer = await next(passed === undefined ? call : { ...call, ...passed }).catch(
      (error: unknown) => {
        failed?.(call, error)
        throw error
      }
    )
    return after === undefined ? answer : after(call, answer)
  }

/** Client calls of one face, which run to their end; `run` answers what a call comes to. */
interface Face {
  readonly get: () => Promise<unknown>
  readonly all: () => Promise<unknown>
  readonly download: () => Promise<unknown>
  /** Begins a call and cancels it once its exchange is under way. */
  readonly cancelled: (isUnderWay: () => boolean) => Promise<void>
  readonly close: () => Promise<void>
}

const config = { baseUrl: "https://api.test/v1", projectId: "p1", email: "ada@a.test", password: "canary-1" }
const quick = { pause: 0 }

const faces: ReadonlyArray<
  readonly [name: string, make: (fake: Fake.Fake, around: ReadonlyArray<Around>) => Face]
> = [
  [
    "Effects",
    (fake, around) => {
      const middleware = around.map(ofEffects)
      const client = Effect.runSync(
        Effect.provide(Admin.make({ ...config, policy: quick, middleware }), fake.layer)
      )
      const run = <A>(call: Effect.Effect<A, unknown, Admin.Client>) =>
        Effect.runPromiseExit(Effect.provideService(call, Admin.Client, client)).then((exit) => {
          if (Exit.isSuccess(exit)) return exit.value
          throw Cause.squash(exit.cause)
        })
      return {
        get: () => run(Items.get({ id: "i1" })),
        all: () => run(Stream.runCollect(pages(Items.list, {})).pipe(Effect.map((all) => [...all]))),
        download: () =>
          run(Stream.runFold(Csv.csv({}), "", (text, bytes) => text + new TextDecoder().decode(bytes))),
        cancelled: async (isUnderWay) => {
          const fiber = Effect.runFork(Effect.provideService(Items.get({ id: "i1" }), Admin.Client, client))
          await eventually(() => expect(isUnderWay()).toBe(true))
          await Effect.runPromise(Fiber.interrupt(fiber))
        },
        close: () => Effect.runPromise(client.dispatcher.lifetime.close)
      }
    }
  ],
  [
    "Promises",
    (fake, around) => {
      const middleware = around.map(ofPromises)
      const client = createAdminClient({ ...config, policy: quick, middleware, transport: fake.service })
      return {
        get: () => client.items.get({ id: "i1" }),
        all: async () => {
          const all: Array<unknown> = []
          for await (const item of client.items.list.pages({})) all.push(item)
          return all
        },
        download: () => client.ordersV2.csv.text({}),
        cancelled: async (isUnderWay) => {
          const controller = new AbortController()
          const call = client.items.get({ id: "i1" }, { signal: controller.signal })
          const settled = call.catch((error: unknown) => error)
          await eventually(() => expect(isUnderWay()).toBe(true))
          controller.abort(new Error("enough"))
          expect(await settled).toEqual(new Error("enough"))
        },
        close: client.close
      }
    }
  ]
]

const item = Fake.json(200, { _id: "i1" })
/** Plays the sign-ins, and the script for all else. */
const platform = (script: ReadonlyArray<Fake.Reply>): Fake.Fake => {
  const left = [...script]
  return Fake.make(({ path }) => {
    if (path === "/v1/auth/admin/login")
      return Fake.json(200, { accessToken: tokenOf("admin-1"), user: { _id: "admin-1" } })
    if (path === "/v1/auth/login") return Fake.json(200, { sessionId: "session-1" })
    return left.shift() ?? "waits"
  })
}

describe.each(faces)("middleware of a client with %s", (_, make) => {
  test("is entered in the order of the list, and left in the reverse order", async () => {
    const order: Array<string> = []
    const noting = (name: string): Around => ({
      before: ({ operation }) => void (operation === "items.get" && order.push(`${name} in`)),
      after: ({ operation }, answer) => {
        if (operation === "items.get") order.push(`${name} out`)
        return answer
      }
    })
    const face = make(platform([item]), [noting("one"), noting("two")])
    await face.get()
    expect(order).toEqual(["one in", "two in", "two out", "one out"])
  })

  test("is told of the call, and sees the sign-ins that it takes without their passwords", async () => {
    const calls: Array<MiddlewareCall> = []
    const face = make(platform([item]), [{ before: (call) => void calls.push(call) }])
    expect(await face.get()).toEqual({ _id: "i1" })
    const facts = { audience: "admin", origin: "https://api.test", headers: {}, options: undefined }
    const login = { method: "POST", input: undefined }
    const made = calls.map(({ audience, headers, input, method, operation, options, origin, template }) => ({
      operation,
      audience,
      method,
      origin,
      template,
      input,
      headers,
      options
    }))
    expect(made).toEqual(
      expect.arrayContaining([
        { ...facts, operation: "items.get", method: "GET", template: "/v1/item/{id}", input: { id: "i1" } },
        { ...facts, ...login, operation: "auth.login", template: "/v1/auth/admin/login" },
        { ...facts, ...login, operation: "auth.legacyLogin", template: "/v1/auth/login" }
      ])
    )
    expect(calls).toHaveLength(3)
    expect(JSON.stringify(calls)).not.toContain("canary")
  })

  test("passes on another input and further headers", async () => {
    const fake = platform([item])
    const face = make(fake, [
      {
        before: (call) => ({ ...call, input: { id: "i2" }, headers: { ...call.headers, "x-tenant": "acme" } })
      }
    ])
    await face.get()
    const request = fake.requests().at(-1)
    expect(request).toMatchObject({ headers: { "x-tenant": "acme" } })
    expect(request?.path).toMatch(/^\/v1\/item\/i2\?/)
  })

  test("may answer in place of the call's own answer", async () => {
    const face = make(platform([item]), [{ after: (_, answer) => ({ ...Object(answer), more: 1 }) }])
    expect(await face.get()).toEqual({ _id: "i1", more: 1 })
  })

  test("knows how many attempts a call took, and its last status", async () => {
    const seen: Array<unknown> = []
    const note = ({ operation, progress }: MiddlewareCall) =>
      operation === "items.get" && seen.push({ ...progress })
    const around: Around = {
      after: (call, answer) => {
        note(call)
        return answer
      },
      failed: note
    }
    const busy = Fake.json(503, {})
    await make(platform([busy, item]), [around]).get()
    await make(platform([Fake.json(404, {})]), [around])
      .get()
      .catch(() => undefined)
    expect(seen).toEqual([
      { attempts: 2, status: 200, retries: [{ error: "ServerFault", time: expect.any(BigInt) }] },
      { attempts: 1, status: 404, retries: [] }
    ])
  })

  test("sees the typed error of a call, which stays the caller's", async () => {
    const seen: Array<unknown> = []
    const face = make(platform([Fake.json(400, { message: "no" })]), [
      { failed: (_, error) => seen.push(error) }
    ])
    const error = await face.get().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Rejected)
    expect(seen).toEqual([error])
  })

  test("ends a call with what it throws", async () => {
    const broken = new Error("broken middleware")
    const throwing = () => {
      throw broken
    }
    for (const around of [{ before: throwing }, { after: throwing }]) {
      const face = make(platform([item]), [around])
      expect(await face.get().catch((reason: unknown) => reason)).toBe(broken)
    }
  })

  test("lets a cancellation through: the exchange is abandoned", async () => {
    const fake = platform(["waits"])
    const face = make(fake, [{}, {}])
    await face.cancelled(() => fake.count("open") === 1)
    await eventually(() => expect(fake.count("abandoned")).toBe(1))
  })

  test("sees each page of a list", async () => {
    const inputs: Array<unknown> = []
    const script = [1, 2, 3].map((page) => Fake.json(200, page === 3 ? [] : [{ _id: `i${page}` }]))
    const face = make(platform(script), [
      { before: ({ input, operation }) => void (operation === "items.list" && inputs.push(input)) }
    ])
    expect(await face.all()).toEqual([{ _id: "i1" }, { _id: "i2" }])
    expect(inputs).toEqual([{ page: 1 }, { page: 2 }, { page: 3 }])
  })

  test("gets the body of a download, and may pass on another", async () => {
    const upper = () =>
      new TransformStream<Uint8Array, Uint8Array>({
        transform: (bytes, controller) =>
          controller.enqueue(new TextEncoder().encode(new TextDecoder().decode(bytes).toUpperCase()))
      })
    const face = make(platform([Fake.streaming(new Blob(["a;b"]).stream())]), [
      { after: (_, answer) => (answer instanceof ReadableStream ? answer.pipeThrough(upper()) : answer) }
    ])
    expect(await face.download()).toBe("A;B")
  })

  test("refuses calls of a closed client before middleware sees them", async () => {
    const calls: Array<MiddlewareCall> = []
    const face = make(platform([item]), [{ before: (call) => void calls.push(call) }])
    await face.close()
    expect(await face.get().catch((reason: unknown) => reason)).toMatchObject({
      _tag: "InputError",
      field: "client"
    })
    expect(calls).toEqual([])
  })
})

test("a body that middleware works on is released where the call is cancelled", async () => {
  let isReleased = false
  const body = new ReadableStream<Uint8Array>({
    cancel: () => {
      isReleased = true
    }
  })
  let isAnswered = false
  const middleware: Middleware = (next) => (call) =>
    Effect.tap(next(call), (answer) => {
      if (answer !== body) return Effect.void
      isAnswered = true
      return Effect.never
    })
  const fake = platform([Fake.streaming(body)])
  const making = Effect.provide(Admin.make({ ...config, middleware: [middleware] }), fake.layer)
  const client = Effect.runSync(making)
  const fiber = Effect.runFork(Effect.provideService(Stream.runDrain(Csv.csv({})), Admin.Client, client))
  await eventually(() => expect(isAnswered).toBe(true))
  await Effect.runPromise(Fiber.interrupt(fiber))
  expect(isReleased).toBe(true)
})

describe("middleware of a client with Promises", () => {
  test("may be one of an Effect client", async () => {
    const order: Array<string> = []
    const noting: Middleware = (next) => (call) =>
      Effect.zipLeft(
        next(call),
        Effect.sync(() => order.push(call.operation))
      )
    const transport = platform([item]).service
    const client = createAdminClient({ ...config, transport, middleware: [{ effect: noting }] })
    expect(await client.items.get({ id: "i1" })).toEqual({ _id: "i1" })
    expect(order).toContain("items.get")
  })

  test("throws its own error where it is made", () => {
    const broken = new Error("broken factory")
    const factory = () => {
      throw broken
    }
    const create = () => createAdminClient({ ...config, middleware: [factory] })
    expect(create).toThrow(broken)
  })

  test("has a signal, which a cancellation aborts, and hears of it from next", async () => {
    const ends: Array<unknown> = []
    const watching: PromiseMiddleware = (next) => async (call) => {
      try {
        return await next(call)
      } catch (error) {
        ends.push([call.operation, call.signal.aborted, Object(error).name])
        throw error
      }
    }
    const fake = platform(["waits"])
    const client = createAdminClient({ ...config, transport: fake.service, middleware: [watching] })
    const controller = new AbortController()
    const call = client.items.get({ id: "i1" }, { signal: controller.signal }).catch(() => undefined)
    await eventually(() => expect(fake.count("open")).toBe(1))
    controller.abort()
    await call
    await eventually(() => expect(ends).toEqual([["items.get", true, "AbortError"]]))
  })

  test.each([[[1]], [{}], [[{}]], [[{ effect: 1 }]]])("is refused where it is %j", (middleware) => {
    expect(() => createAdminClient({ ...config, middleware: middleware as never })).toThrow(
      "must be a list of functions, each (next) => (call) => next(call)"
    )
  })

  test("is refused where it is another library's, which takes a context as well", () => {
    const koa = async (_context: object, next: () => Promise<void>): Promise<void> => {
      await next()
    }
    expect(() => createAdminClient({ ...config, middleware: [koa as never] })).toThrow(
      'the field "middleware" must be a list of functions, each (next) => (call) => next(call)'
    )
  })

  test("that answers no function fails each call with an InputError, and nothing is sent", async () => {
    const fake = platform([])
    for (const entry of [() => undefined, { effect: () => ({}) }]) {
      const client = createAdminClient({ ...config, transport: fake.service, middleware: [entry as never] })
      await expect(client.items.get({ id: "i1" })).rejects.toMatchObject({
        _tag: "InputError",
        operation: "items.get",
        field: "middleware",
        rule: "must answer a function: (next) => (call) => next(call)"
      })
    }
    expect(fake.count("open")).toBe(0)
  })
})
