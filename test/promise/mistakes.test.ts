// Mistakes of programs without types: each gets a typed error at the place of the mistake, and nothing is sent.
import { runInNewContext } from "node:vm"
import * as Sandbox from "@quartet/sandbox"
import { accounts } from "@quartet/sandbox"
import { thrown } from "@quartet/support/thrown.js"
import { Layer, Schema } from "effect"
import { beforeEach, describe, expect, test } from "vitest"
import * as FetchTransport from "../../adapters/fetch/index.js"
import * as PlatformTransport from "../../adapters/platform/index.js"
import * as ChatSocket from "../../adapters/socket/index.js"
import * as Storage from "../../adapters/storage/index.js"
import * as FileStorage from "../../adapters/storage-file/index.js"
import * as TapTransport from "../../adapters/tap/index.js"
import * as UndiciTransport from "../../adapters/undici/index.js"
import * as XhrTransport from "../../adapters/xhr/index.js"
import {
  createAdminClient,
  createEndUserClient,
  createPrivateClient,
  createPublicClient,
  Errors,
  signInEndUser
} from "../../clients/promise/index.js"
import { serve } from "./served.js"

const { endUser, server, targets, visitor } = await serve()

const baseUrl = "https://api.example.com"

const makers = {
  createAdminClient: [createAdminClient, { projectId: "p1", email: "ada@example.com", password: "secret-1" }],
  createPublicClient: [createPublicClient, { apiKey: "key-1" }],
  createPrivateClient: [createPrivateClient, { privateKey: "key-1" }],
  createEndUserClient: [createEndUserClient, { apiKey: "key-1", sessionId: "session-1" }]
} as const

const thrower = (): never => {
  throw new Error("canary")
}

/** A signal that nobody can listen to. */
const deafSignal = () => Object.assign(new AbortController().signal, { addEventListener: thrower })

const wrong = (field: string) => ({ tag: "InputError", field })
const inputError = (field: string, rule: unknown) => ({ tag: "InputError", field, rule })

describe.each(Object.entries(makers))("%s", (_, [make, credentials]) => {
  /** What a program without types may pass. */
  const create = make as (config?: unknown) => unknown
  const config = { baseUrl, ...credentials }

  test("without a configuration throws", () => {
    for (const config of [undefined, null]) {
      const error = thrown(() => create(config))
      expect(error).toMatchObject({ tag: "CredentialsError", operation: "client", reason: "Missing" })
    }
    const error = thrown(() => create("canary"))
    expect(error).toMatchObject({ operation: "client" })
    expect(`${error}`).not.toContain("canary")
  })

  test.each(["transprt", "fetch"])(
    "with %s throws and tells of the transport, never of the value",
    (name) => {
      const error = thrown(() => create({ ...config, [name]: "canary" }))
      expect(error).toMatchObject(inputError(name, 'is not an option (did you mean "transport"?)'))
      expect(`${error}`).not.toContain("canary")
    }
  )

  const asMade = "must be a Transport, not a Layer: pass what `make` answers, as in UndiciTransport.make()"
  const ofYourOwn =
    "must be a Transport, not a function: for a fetch of your own, pass FetchTransport.make({ fetch })"
  test.each([
    ["a layer", FetchTransport.layer, asMade],
    ["a fetch", fetch, ofYourOwn],
    ["an empty object", {}, expect.stringContaining("as in FetchTransport.make()")],
    ["a name", "undici", expect.stringContaining("UndiciTransport.make() of adapters/undici")],
    ["a module", UndiciTransport, expect.stringContaining("UndiciTransport.make() of adapters/undici")],
    ["null", null, expect.stringContaining("as in FetchTransport.make()")]
  ])("over %s throws and says what to pass", (_, transport, rule) => {
    expect(thrown(() => create({ ...config, transport }))).toMatchObject(inputError("transport", rule))
  })

  test("with a logDrift that is neither true nor false throws", () => {
    const rule = "must be true or false"
    expect(thrown(() => create({ ...config, logDrift: "no" }))).toMatchObject(inputError("logDrift", rule))
  })

  test("with a route that is for none of its calls throws", () => {
    const routed = (name: string) => thrown(() => create({ ...config, routes: { [name]: { path: "x" } } }))
    expect(routed("no.such")).toMatchObject(inputError("routes.no.such", "is not a call of this client"))
    expect(routed("project.self ")).toMatchObject(wrong("routes.project.self "))
  })
})

const createAdmin = (extra: object) =>
  (createAdminClient as (config: object) => unknown)({ baseUrl, ...makers.createAdminClient[1], ...extra })

test.each([
  ["requests.markseen", "requests.markSeen"],
  ["request.list", "requests.list"]
])("the route %s is refused, and %s was meant", (name, meant) => {
  const rule = `is not a call of this client (did you mean "${meant}"?)`
  const error = thrown(() => createAdmin({ routes: { [name]: { path: "x" } } }))
  expect(error).toMatchObject(inputError(`routes.${name}`, rule))
  expect(createAdmin({ routes: { [meant]: { path: "x" } } })).toHaveProperty("requests")
})

test.each([
  [{ sessionStore: {} }, "sessionStore"],
  [{ sessionStore: "memory" }, "sessionStore"],
  [{ chatSocket: {} }, "chatSocket"],
  [{ chatSocket: Layer.empty }, "chatSocket"],
  [{ onboarding: 5 }, "onboarding"]
])("an admin client is not made with %j", (wrong, field) => {
  const error = { tag: "InputError", operation: "client", field }
  expect(thrown(() => createAdmin(wrong))).toMatchObject(error)
})

describe("a call", () => {
  beforeEach(() => server.play(({ json }) => json([{ _id: "b1" }])))

  const collect = async (items: AsyncIterable<unknown>) => {
    for await (const _ of items);
  }
  const signingIn = { baseUrl: server.url, apiKey: "key-1", email: "a@b.test", password: "p" }
  const Box = Schema.Struct({ _id: Schema.String })

  /** Each way to call, as a program without types calls it. */
  const ways: ReadonlyArray<readonly [name: string, call: (options: never) => Promise<unknown>]> = [
    ["a call", (options) => visitor().boxes.list({}, options)],
    ["pages", (options) => collect(visitor().boxes.list.pages({}, options))],
    ["a narrowed call", (options) => visitor().boxes.list.as(Box)({}, options)],
    ["a download", (options) => collect(endUser().files.download({ id: "f1" }, options))],
    ["the bytes of a download", (options) => endUser().files.download.bytes({ id: "f1" }, options)],
    ["the text of a download", (options) => endUser().files.download.text({ id: "f1" }, options)],
    ["what is read on demand", (options) => visitor().onDemand.project.get(options)],
    ["a sign-in", (options) => signInEndUser(signingIn, options)]
  ]

  const anObject = expect.stringContaining("must be an object of ")
  const aSignal = "must be an AbortSignal"
  describe.each(ways)("%s", (_, call) => {
    test.each([
      [null, "options", anObject],
      [5, "options", anObject],
      [new AbortController().signal, "options", "must be an object: pass { signal }"],
      [AbortSignal.timeout(60_000), "options", "must be an object: pass { signal }"],
      [new AbortController(), "options", anObject],
      [new Map([["signal", 1]]), "options", anObject],
      [new Date(0), "options", anObject],
      [Promise.resolve({}), "options", anObject],
      [Object.create(AbortSignal.prototype), "options", anObject],
      [{ signal: Object.create(AbortSignal.prototype) }, "signal", aSignal],
      [{ signal: deafSignal() }, "signal", "must be an AbortSignal that can be listened to"],
      [{ signal: new AbortController() }, "signal", "must be an AbortSignal: pass controller.signal"],
      [{ signal: null }, "signal", aSignal],
      [{ signal: 5 }, "signal", aSignal],
      [{ sginal: 5 }, "sginal", 'is not an option (did you mean "signal"?)']
    ])("with the options %j rejects, and nothing is sent", async (options, field, rule) => {
      // It rejects: it does not throw before there is a Promise.
      const called = call(options as never)
      await expect(called).rejects.toBeInstanceOf(Errors.InputError)
      await expect(called).rejects.toMatchObject({ field, rule })
      expect(targets()).toEqual([])
    })

    test("with options that cannot be read rejects, and nothing is sent", async () => {
      const called = call(Object.defineProperty({}, "signal", { enumerable: true, get: thrower }) as never)
      await expect(called).rejects.toMatchObject(
        inputError("options", "could not be read: a getter or a proxy threw")
      )
      expect(targets()).toEqual([])
    })
  })

  test("takes an object of another realm for an input", async () => {
    await visitor().boxes.list(runInNewContext('({ query: { type: "QUIZ_RESULT" } })'))
    expect(targets()).toEqual(["GET /v1/box?type=QUIZ_RESULT"])
  })

  test("narrowed to no schema throws where it is narrowed", () => {
    const { list } = visitor().boxes
    const rule = "must be a Schema, such as Schema.Struct({ … })"
    for (const schema of [undefined, null, {}, "text"]) {
      const error = thrown(() => list.as(schema as never))
      expect(error).toMatchObject({ ...inputError("schema", rule), operation: "boxes.list.as" })
    }
    expect(list.as(Box)).toBeTypeOf("function")
  })

  test("signing in without a configuration rejects", async () => {
    const signIn = signInEndUser as (config?: unknown) => Promise<unknown>
    const missing = { tag: "CredentialsError", reason: "Missing", missing: ["apiKey", "email", "password"] }
    await expect(signIn()).rejects.toMatchObject(missing)
    await expect(signIn(null)).rejects.toMatchObject(missing)
    const config = { baseUrl: server.url, apiKey: "key-1" }
    await expect(signIn({ ...config, routes: { "auth.logn": { path: "x" } } })).rejects.toMatchObject(
      inputError("routes.auth.logn", 'is not a call of this client (did you mean "auth.login"?)')
    )
    expect(targets()).toEqual([])
  })

  test("signing in takes a route for the sign-in itself", async () => {
    server.play(({ json }) => json({ sessionId: "session-1", user: { _id: "u1" } }))
    await signInEndUser({ ...signingIn, routes: { "auth.login": { path: "other/login" } } })
    expect(server.exchanges.map(({ target }) => target)).toEqual(["/other/login"])
  })
})

describe("a chat", () => {
  const open = async () => {
    const { options } = await Sandbox.start()
    const admin = createAdminClient({ ...options.admin, ...accounts.admin })
    return { admin, open: admin.chat.open as (options?: unknown, cancellable?: unknown) => Promise<unknown> }
  }

  test.each([
    [null, "options", expect.stringContaining("must be an object of address")],
    [() => undefined, "options", expect.stringContaining("must be an object of address")],
    [{ onMessage: 5 }, "onMessage", "must be a function"],
    [{ onHistory: null }, "onHistory", "must be a function"],
    [{ onProblem: {} }, "onProblem", "must be a function"],
    [{ onmessage: () => undefined }, "onmessage", 'is not an option (did you mean "onMessage"?)'],
    [{ deadline: 5 }, "deadline", 'is not an option (did you mean "policy.deadline"?)'],
    [{ policy: null }, "policy", "must be an object"],
    [{ policy: { retries: 5 } }, "policy.retries", 'is not an option (did you mean "attempts"?)'],
    [{ address: { uri: "x" } }, "address.uri", 'is not an option (did you mean "url"?)'],
    [{ address: "x" }, "address", "must be an object"],
    [{ address: { path: 5 } }, "address.path", "must be text"],
    [{ conversations: "c1" }, "conversations", "must be a list of ids"],
    [{ history: null }, "history", "must be an object of query, order"],
    [{ history: { query: 5 } }, "history.query", "must be an object"],
    [{ history: { order: "newest" } }, "history.order", "must be one of newest-first, oldest-first"]
  ])("is not opened with %j", async (options, field, rule) => {
    const { admin, open: opened } = await open()
    await expect(opened(options)).rejects.toMatchObject({
      ...inputError(field, rule),
      operation: "chat.open"
    })
    await admin.close()
  })

  test("is not opened with a signal that is none", async () => {
    const { admin, open: opened } = await open()
    await expect(opened({}, null)).rejects.toMatchObject(wrong("options"))
    const { signal } = new AbortController()
    await expect(opened(signal)).rejects.toMatchObject(wrong("options"))
    await expect(opened({}, signal)).rejects.toMatchObject(
      inputError("options", "must be an object: pass { signal }")
    )
    await expect(opened({}, { signal: deafSignal() })).rejects.toMatchObject(wrong("signal"))
    await expect(opened({}, { signal: new AbortController() })).rejects.toMatchObject(
      inputError("signal", "must be an AbortSignal: pass controller.signal")
    )
    await admin.close()
  })

  test("sends no message that is none, and goes on", async () => {
    const { admin } = await open()
    const chat = await admin.chat.open()
    const send = chat.send as (draft?: unknown, options?: unknown) => Promise<unknown>
    for (const draft of [undefined, null, "hello", 5, new Map(), Promise.resolve({})])
      await expect(send(draft)).rejects.toMatchObject({ ...wrong("message"), operation: "chat.send" })
    await expect(send({})).rejects.toMatchObject({ tag: "InputError", operation: "chat.send" })
    await expect(send({ conversationId: "c1", text: 5 })).rejects.toMatchObject(wrong("text"))
    await expect(send({ conversationId: "c1", text: "a" }, null)).rejects.toMatchObject({ field: "options" })
    const draft = { conversationId: "c1", text: "a" }
    await expect(send(draft, new AbortController().signal)).rejects.toMatchObject(
      inputError("options", "must be an object: pass { signal }")
    )
    const { items } = await admin.conversations.list()
    const conversationId = items[0]?._id
    await expect(send({ conversationId, text: "a" })).resolves.toHaveProperty("clientId")
    await admin.close()
  })
})

test.each([
  ["FetchTransport.make", () => FetchTransport.make(fetch as never), "options"],
  ["FetchTransport.make", () => FetchTransport.make(null as never), "options"],
  ["FetchTransport.make", () => FetchTransport.make({ fetch: 5 } as never), "fetch"],
  ["XhrTransport.make", () => XhrTransport.make(FetchTransport.layer as never), "transport"],
  ["TapTransport.make", () => TapTransport.make(undefined as never, () => undefined), "transport"],
  ["ChatSocket.make", () => ChatSocket.make({ transports: ["websockets"] } as never), "transports"],
  ["ChatSocket.make", () => ChatSocket.make({ transport: ["websocket"] } as never), "transport"],
  ["PlatformTransport.make", () => PlatformTransport.make(undefined as never), "client"],
  ["PlatformTransport.make", () => PlatformTransport.make({} as never), "client"],
  ["PlatformTransport.make", () => PlatformTransport.make(fetch as never), "client"],
  ["Storage.make", () => Storage.make(undefined as never), "store"],
  ["Storage.make", () => Storage.make({} as never), "store"],
  ["FileStorage.make", () => FileStorage.make(undefined as never), "directory"],
  ["FileStorage.make", () => FileStorage.layer("" as never), "directory"],
  ["UndiciTransport.make", () => UndiciTransport.make({} as never), "dispatcher"],
  ["UndiciTransport.make", () => UndiciTransport.make(null as never), "dispatcher"],
  ["UndiciTransport.make", () => UndiciTransport.make({ connections: 5 } as never), "dispatcher"]
])("%s refuses what it cannot use, case %#", (operation, make, field) => {
  expect(thrown(make)).toMatchObject({ tag: "InputError", operation, field })
})
