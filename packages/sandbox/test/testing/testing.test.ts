// The testing kit: the whole platform in a test, scripts, stubs, faults and fixtures.

import { Input } from "@quartet/sdk"
import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user"
import { type CallError, Message, text } from "@quartet/sdk/extend"
import { RequestAction } from "@quartet/sdk/extend/models/requests"
import * as Private from "@quartet/sdk/private"
import { createAdminClient, createEndUserClient, createPublicClient, Errors } from "@quartet/sdk/promise"
import * as Public from "@quartet/sdk/public"
import { effect, live } from "@quartet/support/effect.js"
import { Cause, Effect, Exit, FastCheck, Fiber, Layer, Schema, TestClock } from "effect"
import { describe, expect, it } from "vitest"
import * as Sandbox from "../../index.js"
import * as Testing from "../../testing/index.js"

const { answer, make: scripted } = Testing.Script
const { on } = Testing.Stub

const publicConfig = { baseUrl: "http://script.test", apiKey: "key" }

/** A visitor's client over a script. */
const over = ({ layer }: Testing.Script.Script) => Layer.provide(Public.layer(publicConfig), layer)

/** With what a program dies that runs on a client. */
const deathOf = <A, E, R>(program: Effect.Effect<A, E, R>, client: Layer.Layer<R, unknown>) =>
  Effect.map(Effect.exit(Effect.provide(program, client)), (exit) =>
    Exit.isFailure(exit) && Cause.isDie(exit.cause) ? Cause.pretty(exit.cause) : exit
  )

describe("a test over the sandbox", () => {
  // Spec 0.1
  effect("has all four clients on one platform, without a network", () =>
    Effect.gen(function* () {
      const { _id: id } = yield* EndUser.requests.create({ payload: { type: "BUY", description: "A flat" } })
      yield* Admin.requests.addComment({ id, payload: { text: "Gladly" } })
      expect((yield* EndUser.requests.get({ id })).comments?.at(-1)?.text).toBe("Gladly")
      expect((yield* Private.items.list({ limit: 1 })).items).toHaveLength(1)
      expect((yield* Public.project.self())._id).toBe(Sandbox.accounts.projectId)
      const { control } = yield* Testing.Platform
      expect(control.log().map(({ operation }) => operation)).toContain("requests.addComment")
    }).pipe(Effect.provide(Testing.layer({ seed: 3 })))
  )

  effect("can be an admin who may only read", function* () {
    const create = Effect.flip(Admin.requests.create({ payload: Input.raw({}) }))
    const error = yield* Effect.provide(create, Testing.layer({ admin: Sandbox.accounts.viewer }))
    expect(error).toMatchObject({ _tag: "PermissionDenied", reason: "Grant", required: 3, level: 1 })
  })
})

describe("a scripted transport", () => {
  effect("answers in turn and holds what was sent", function* () {
    const script = scripted(
      answer("boxes.get", { json: { _id: "b1", createdAt: "2024-05-01T10:00:00Z" } }),
      answer("boxes.get", { status: 404, json: { error: { message: "gone" } } })
    )
    const program = Effect.all([Public.boxes.get({ id: "b1" }), Effect.flip(Public.boxes.get({ id: "b2" }))])
    const [box, missing] = yield* Effect.provide(program, over(script))
    expect(box.createdAt).toEqual(new Date("2024-05-01T10:00:00Z"))
    expect(missing).toMatchObject({ _tag: "NotFound", serverMessage: "gone" })
    const sent = script.sent.map(({ method, path }) => `${method} ${path}`)
    expect(sent).toEqual(["GET /v1/box/b1", "GET /v1/box/b2"])
    expect(script.left()).toEqual([])
  })

  effect("ends the program with the name of a call that it has no answer for", function* () {
    expect(yield* deathOf(Public.boxes.list(), over(scripted()))).toContain(
      "boxes.list was called (GET /v1/box), but no answer is scripted for it. No line is left"
    )
  })

  effect("names what is left where a line has another call's name, and at the end of the test", function* () {
    const script = scripted(
      answer("box.list", { json: [] }),
      answer(Public.boxes.get, { json: { _id: "b1" } })
    )
    expect(yield* deathOf(Public.boxes.list(), over(script))).toContain(
      'no answer is scripted for it (did you mean "box.list"?). Left: box.list, boxes.get'
    )
    expect(() => script.done()).toThrow("nobody asked for what is left in the script: box.list, boxes.get")
    expect(scripted().done()).toBeUndefined()
  })

  effect("has every part of a server's answer: status, headers in any case, any body", function* () {
    const script = scripted(
      answer(Public.boxes.get, {
        status: 429,
        headers: { "Retry-After": "3600", "X-Request-ID": "r-1" },
        json: { error: { message: "slowly" } }
      }),
      answer(Public.boxes.get, { body: "<html>" }),
      answer(Public.boxes.get, { body: new TextEncoder().encode('{"_id":"b3"}') }),
      answer(Public.boxes.get, ({ path }) => ({ json: { _id: path.split("/").at(-1) } }))
    )
    const get = (id: string) => Effect.either(Public.boxes.get({ id }))
    const all = Effect.forEach(["b1", "b2", "b3", "b4"], get)
    expect(yield* Effect.provide(all, over(script))).toMatchObject([
      { left: { _tag: "RateLimited", retryAfter: 3_600_000, requestId: "r-1", serverMessage: "slowly" } },
      { left: { _tag: "AnswerError", reason: "NotJson" } },
      { right: { _id: "b3" } },
      { right: { _id: "b4" } }
    ])
    script.done()
  })

  it.each<readonly [what: string, answer: unknown, field: string, rule: string]>([
    ["an unknown field", { jsno: {} }, "answer.jsno", 'is not an option (did you mean "json"?)'],
    ["headers that are text", { headers: "none" }, "answer.headers", "must be an object"],
    ["another word", "losst", "answer", "must be an object of status, headers, json, body"],
    ["null", null, "answer", "must be an object"],
    ["a status that is text", { status: "200" }, "answer.status", "must be a whole number from 200 to 599"],
    ["a status that no answer ends with", { status: 100 }, "answer.status", "must be a whole number"],
    ["a header's name with a blank", { headers: { "a b": "1" } }, "answer.headers", "must be names"],
    ["a header's value of two lines", { headers: { a: "1\n2" } }, "answer.headers", "must be names"],
    ["JSON that holds itself", { json: [globalThis] }, "answer.json", "must be a value"],
    ["JSON that is a BigInt", { json: 1n }, "answer.json", "must be a value that JSON can hold"],
    ["JSON that is a function", { json: () => 1 }, "answer.json", "must be a value that JSON can hold"],
    ["a body that is an object", { body: { _id: "b1" } }, "answer.body", "must be text or a Uint8Array"],
    ["a Promise", Promise.resolve({ json: {} }), "answer", "must be an answer, or a function"],
    ["an async function", async () => ({ json: {} }), "answer", "must be an answer, or a function"]
  ])("refuses %s where it is written, and names the line", (_, wrong, field, rule) => {
    const message = `Script.answer(boxes.get): the field "${field}" ${rule}`
    expect(() => answer("boxes.get", wrong as Testing.Script.Answer)).toThrow(message)
    expect(() => scripted({ operation: "boxes.get", answer: wrong as "lost" })).toThrow(message)
  })

  it("refuses a function's Promise when it is called, and names the line", async () => {
    const late = (() => Promise.resolve({})) as unknown as () => Testing.Script.Answer
    const script = scripted(answer("boxes.get", late))
    await using visitor = createPublicClient({ ...publicConfig, transport: script.transport })
    await expect(visitor.boxes.get({ id: "b1" })).rejects.toThrow(
      'Script.answer(boxes.get): the field "answer" must be an answer, or a function that answers at once'
    )
  })

  it("refuses what is neither a call nor a line", () => {
    for (const call of [undefined, null, "", {}, { operation: {} }])
      expect(() => answer(call as string)).toThrow('"call" must be a call such as')
    for (const line of [{}, undefined, "boxes.get", { operation: "boxes.get" }])
      expect(() => scripted(line as Testing.Script.Line)).toThrow(
        'Script.make: the field "lines.0" must be a line'
      )
  })

  effect("that is silent leaves a call to its deadline, which a test's clock brings", function* () {
    const script = scripted(answer(Public.boxes.get, "silent"))
    const call = Effect.provide(Effect.flip(Public.boxes.get({ id: "b1" })), over(script))
    const fiber = yield* Effect.fork(call)
    yield* TestClock.adjust("30 seconds")
    expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "DeadlineExceeded", deadline: 30_000 })
  })

  effect("ends the call with what a function of the test throws", function* () {
    const fails = answer(Public.boxes.get, () => {
      throw new Error("expected another path")
    })
    const client = over(scripted(fails))
    expect(yield* deathOf(Public.boxes.get({ id: "b1" }), client)).toContain("expected another path")
  })

  effect("loses an answer on demand: a write's outcome is then unknown", function* () {
    const script = scripted(answer("boxes.create", "lost"))
    const error = yield* Effect.provide(Effect.flip(Public.boxes.create({ payload: {} })), over(script))
    expect(error).toMatchObject({ _tag: "OutcomeUnknown", operation: "boxes.create" })
  })

  effect("streams a body", function* () {
    const script = scripted(answer("files.download", { body: "some bytes" }))
    const user = Layer.provide(EndUser.layer({ ...publicConfig, sessionId: "s" }), script.layer)
    expect(yield* Effect.provide(text(EndUser.files.download({ id: "f1" })), user)).toBe("some bytes")
  })
})

describe("a stubbed client", () => {
  const stubbed = Testing.Stub.admin(
    on(Admin.requests.get, ({ id }) => Effect.succeed({ _id: id, status: "pending" }))
  )

  effect("does what the test wrote, and dies by name on any other call", function* () {
    const request = yield* Effect.provide(Admin.requests.get({ id: "r9" }), stubbed)
    expect(request).toEqual({ _id: "r9", status: "pending" })
    expect(yield* deathOf(Admin.requests.list(), stubbed)).toContain(
      "requests.list was called, but the test did not write it"
    )
  })

  effect("refuses an input as the real client does, and does not run what the test wrote", function* () {
    const run = () => Effect.die("never")
    const written = Testing.Stub.admin(
      on(Admin.requests.get, run),
      on(Admin.requests.list, run),
      on(Admin.requests.addComment, run)
    )
    const real = Layer.provide(
      Admin.layer({ baseUrl: "http://script.test", projectId: "p", email: "a@b.test", password: "p" }),
      scripted().layer
    )
    const mistakes: ReadonlyArray<Effect.Effect<unknown, CallError, Admin.Client>> = [
      Admin.requests.get({ id: "" }),
      Admin.requests.get({ id: ".." }),
      Admin.requests.list({ statusIn: [Input.raw("a,b")] }),
      Admin.requests.list({ query: { minPrice: Number.NaN } }),
      Admin.requests.addComment({
        id: "r1",
        payload: Input.raw({ text: "\ud800", at: new Date(Number.NaN) })
      }),
      Admin.requests.get({ id: "r1" }, { idempotencyKey: "two words" }),
      Admin.requests.get({ id: "r1" }, { policy: { attempts: 0 } })
    ]
    for (const call of mistakes) {
      const [error, realError] = yield* Effect.forEach([written, real], (layer) =>
        Effect.flip(Effect.provide(call, layer))
      )
      expect(error).toMatchObject({ _tag: "InputError", field: expect.any(String) })
      expect(error).toEqual(realError)
    }
  })

  effect("answers a download with bytes or text", function* () {
    const files = Testing.Stub.endUser(
      on(EndUser.files.download, ({ id }) => Effect.succeed(`the file ${id}`))
    )
    const program = Effect.all([
      text(EndUser.files.download({ id: "f1" })),
      Effect.flip(text(EndUser.files.download({ id: "" })))
    ])
    expect(yield* Effect.provide(program, files)).toMatchObject([
      "the file f1",
      { _tag: "InputError", field: "id" }
    ])
  })

  it("needs no paging in a list, whose pages end", async () => {
    const items = [{ _id: "r1" }, { _id: "r2" }]
    await using admin = Testing.Stub.createAdminClient(
      on(Admin.requests.list, async ({ page = 1 }) => ({ items: page === 1 ? items : [] }))
    )
    expect(await admin.requests.list()).toEqual({ items, paging: {} })
    const collected: Array<unknown> = []
    for await (const item of admin.requests.list.pages()) collected.push(item)
    expect(collected).toEqual(items)
  })

  it.each([[{ _id: "r1" }], [undefined], [null], ["text"]])(
    "dies by the call's name where its function answers %j, neither Effect nor Promise",
    async (plain) => {
      const run = (() => plain) as unknown as () => Promise<{ _id: string }>
      await using admin = Testing.Stub.createAdminClient(on(Admin.requests.get, run))
      await expect(admin.requests.get({ id: "r1" })).rejects.toThrow(
        "the test's function of requests.get must answer an Effect or a Promise"
      )
    }
  )

  effect("exists for each audience", function* () {
    const program = Effect.all([Public.boxes.list(), Private.items.list(), EndUser.boxes.list()])
    const empty = () => Effect.succeed({ items: [], paging: {} })
    const layer = Layer.mergeAll(
      Testing.Stub.visitor(on(Public.boxes.list, empty)),
      Testing.Stub.server(on(Private.items.list, empty)),
      Testing.Stub.endUser(on(EndUser.boxes.list, empty))
    )
    expect(yield* Effect.provide(program, layer)).toHaveLength(3)
  })
})

describe("a test with Promises", () => {
  it("has the sandbox for all its clients, the chat included", async () => {
    await using sandbox = await Sandbox.start({ seed: 3 })
    const { control, options } = sandbox
    const { accounts } = Sandbox
    await using visitor = createPublicClient(options.public)
    const { sessionId } = await visitor.auth.login(accounts.endUsers.ana)
    await using ana = createEndUserClient({ ...options.endUser, sessionId: sessionId ?? "" })
    await using admin = createAdminClient({ ...options.admin, ...accounts.admin, policy: { pause: 1 } })
    const filed = await ana.requests.create({ payload: { type: "BUY", description: "A flat" } })
    control.failNext(1, 503)
    expect(await admin.requests.get({ id: filed._id })).toMatchObject({ description: "A flat" })
    const chat = await admin.chat.open()
    await chat.close()
  })

  it("writes calls as functions, async ones too, which reject with the error that they throw", async () => {
    await using admin = Testing.Stub.createAdminClient(
      on(Admin.requests.get, async ({ id }) => {
        if (id === "broken") throw new Error("a mistake of the test")
        if (id !== "r9") throw new Errors.NotFound({ operation: "requests.get", status: 404 })
        return { _id: id, status: "pending" }
      }),
      on(Admin.requests.list, () => Effect.succeed({ items: [{ _id: "r1" }], paging: {} })),
      on(Admin.payments.csv, async () => "_id\n")
    )
    expect(await admin.requests.get({ id: "r9" })).toEqual({ _id: "r9", status: "pending" })
    await expect(admin.requests.get({ id: "r8" })).rejects.toBeInstanceOf(Errors.NotFound)
    await expect(admin.requests.get({ id: "broken" })).rejects.toThrow("a mistake of the test")
    expect(await admin.payments.csv.text()).toBe("_id\n")
    expect((await admin.requests.list()).items).toEqual([{ _id: "r1" }])
    await expect(admin.users.list()).rejects.toThrow("users.list was called, but the test did not write it")
  })

  it("writes calls of the other three clients", async () => {
    await using visitor = Testing.Stub.createPublicClient(
      on(Public.boxes.get, async ({ id }) => ({ _id: id }))
    )
    await using server = Testing.Stub.createPrivateClient(
      on(Private.items.list, async () => ({ items: [], paging: {} }))
    )
    await using user = Testing.Stub.createEndUserClient(
      on(EndUser.requests.get, async ({ id }) => ({ _id: id }))
    )
    expect((await server.items.list()).items).toEqual([])
    expect(await user.requests.get({ id: "r1" })).toEqual({ _id: "r1" })
    expect(await visitor.boxes.get({ id: "b1" })).toEqual({ _id: "b1" })
    await expect(visitor.boxes.get({ id: "." })).rejects.toMatchObject({ tag: "InputError", field: "id" })
  })

  it("puts faults before any transport", async () => {
    const script = scripted(answer("boxes.get", { json: { _id: "b1" } }))
    const plan = Testing.Faults.first(1, { _tag: "Status", status: 429, headers: { "Retry-After": "0" } })
    await using visitor = createPublicClient({
      ...publicConfig,
      transport: Testing.Faults.wrap(script.transport, plan)
    })
    expect(await visitor.boxes.get({ id: "b1" })).toEqual({ _id: "b1" })
    // The first attempt met the fault.
    expect(script.sent.map(({ attempt }) => attempt)).toEqual([2])
  })
})

describe("injected faults", () => {
  const visitor = (plan: Testing.Faults.Plan) =>
    Public.layer({
      baseUrl: "http://sandbox.test",
      apiKey: Sandbox.accounts.apiKey,
      policy: { pause: 1 }
    }).pipe(Layer.provide(Testing.Faults.layer(plan)), Layer.provide(Sandbox.layer()))
  const read = (plan: Testing.Faults.Plan) =>
    Effect.either(Effect.provide(Public.project.self(), visitor(plan)))

  live.each([
    { _tag: "Drop", when: "before" },
    { _tag: "Drop", when: "after" },
    { _tag: "Status", status: 503 },
    { _tag: "Latency", duration: "5 millis" }
  ] as const)("are survived by retries where the call may be repeated: %j", function* (fault) {
    expect(yield* read(Testing.Faults.first(2, fault))).toMatchObject({ _tag: "Right" })
  })

  live("end in typed errors where it may not", function* () {
    const failures = yield* Effect.all([
      read(Testing.Faults.every(1, { _tag: "Drop", when: "before" })),
      read(Testing.Faults.every(1, { _tag: "Status", status: 429, headers: { "retry-after": "3600" } })),
      read(Testing.Faults.first(1, { _tag: "Truncated" })),
      read(Testing.Faults.first(1, { _tag: "Malformed" }))
    ])
    expect(failures).toMatchObject([
      { left: { _tag: "NetworkError", reason: "Refused" } },
      { left: { _tag: "RateLimited", retryAfter: 3_600_000 } },
      { left: { _tag: "AnswerError", reason: "NotJson" } },
      { left: { _tag: "AnswerError", reason: "NotJson" } }
    ])
  })

  live("hit one operation alone where it is named", function* () {
    const plan = Testing.Faults.first(9, { _tag: "Status", status: 404 }, "boxes.list")
    const program = Effect.all([Public.project.self(), Effect.flip(Public.boxes.list())])
    const [, error] = yield* Effect.provide(program, visitor(plan))
    expect(error._tag).toBe("NotFound")
  })
})

describe("fixtures and arbitraries", () => {
  it("are valid by their schema, and the same for the same seed", () => {
    const isRequest = Schema.is(Schema.typeSchema(RequestAction))
    FastCheck.assert(
      FastCheck.property(Testing.arbitrary(RequestAction), (value) => isRequest(value)),
      { numRuns: 50 }
    )
    const fixture = Testing.fixture(RequestAction, { _id: "r1", status: "pending" })
    expect(isRequest(fixture)).toBe(true)
    expect(fixture).toMatchObject({ _id: "r1", status: "pending" })
    expect(Testing.fixture(RequestAction, { _id: "r1", status: "pending" })).toEqual(fixture)
  })

  it("refuse what the schema does not allow, by its field", () => {
    const Seat = Schema.Struct({ row: Schema.Int, name: Schema.String })
    const untyped: (set: object) => unknown = (set) => Testing.fixture(Seat, set)
    expect(() => untyped({ row: "1" })).toThrow(/\["row"\][\s\S]*Expected number/)
    expect(() => untyped({ rwo: 1 })).toThrow(/\["rwo"\][\s\S]*is unexpected/)
    expect(untyped({ row: 1 })).toMatchObject({ row: 1, name: expect.any(String) })
  })

  it("exist of schemas that are no records", () => {
    expect(Testing.fixture(Schema.Int)).toEqual(expect.any(Number))
    expect(Testing.fixture(Schema.Literal("a"))).toBe("a")
  })
})

describe("a scripted chat", () => {
  const address = { origin: "http://x.test", path: "/c", namespace: "/" }
  const handshake = { query: { token: "t" }, headers: {} }

  it("plays the platform's part", () => {
    const script = Testing.ChatScript.make()
    const heard: Array<unknown> = []
    const connection = script.socket.open(address, handshake, {
      onEvent: (event, payload) => heard.push([event, payload]),
      onTrouble: (trouble) => heard.push(trouble.reason)
    })
    const [peer] = script.peers
    expect(connection.connected()).toBe(true)
    connection.emit("chat", { text: "hi" }, (answer) => heard.push(["ack", answer]))
    peer?.heard[0]?.acknowledge({ _id: "m1" })
    peer?.say("chat", { _id: "m2" })
    peer?.end()
    connection.close()
    peer?.say("chat", { _id: "m3" })
    expect(heard).toEqual([["ack", { _id: "m1" }], ["chat", { _id: "m2" }], "Lost"])
    expect(peer?.isClosed()).toBe(true)
  })

  it("says what the wire makes of the test's own objects, which stay as they are", async () => {
    const script = Testing.ChatScript.make()
    const createdAt = new Date("2024-05-01T10:00:00Z")
    const message = Testing.fixture(Schema.Struct(Message.fields), { _id: "m1", text: "hello", createdAt })
    const plain = Object.freeze({ _id: "m2", createdAt: "2024-05-01T10:00:01Z" })
    await using admin = createAdminClient({
      ...publicConfig,
      projectId: "p1",
      sessionId: "s1",
      accessToken: `e30.${btoa('{"sub":"a1"}')}.any`,
      permissions: "off",
      chatSocket: script.socket
    })
    const heard: Array<Message> = []
    await admin.chat.open({
      history: false,
      answers: "strict",
      onMessage: (received) => heard.push(received)
    })
    script.peers[0]?.say("chat", Object.freeze(message))
    script.peers[0]?.say("chat", plain)
    expect(heard).toEqual([message, { ...plain, createdAt: new Date(plain.createdAt) }])
    expect(plain.createdAt).toBe("2024-05-01T10:00:01Z")
  })

  it("leaves a handshake open where it is told to", () => {
    const script = Testing.ChatScript.make({ accepts: false })
    const deaf = { onEvent: () => undefined, onTrouble: () => undefined }
    const connection = script.socket.open(address, handshake, deaf)
    expect(connection.connected()).toBe(false)
    script.peers[0]?.accept()
    expect(connection.connected()).toBe(true)
  })
})

describe("a token", () => {
  const sessionOf = (claims?: Testing.TokenClaims) =>
    Layer.provide(
      Admin.layer({
        baseUrl: "http://script.test",
        projectId: "p1",
        sessionId: "any",
        accessToken: Testing.token(claims)
      }),
      scripted(answer(Admin.requests.get, { json: { _id: "r1" } })).layer
    )

  effect("names its admin, and grants everything where nothing else is said", () =>
    Effect.gen(function* () {
      const identity = { id: "a7", email: "ada@example.test", fullName: "Ada Ž" }
      const me = yield* Effect.provide(Admin.onDemand.me, sessionOf(identity))
      expect(me).toMatchObject({
        _id: "a7",
        email: "ada@example.test",
        fullName: "Ada Ž",
        expiresAt: undefined
      })
      expect(yield* Effect.provide(Admin.requests.get({ id: "r1" }), sessionOf())).toMatchObject({
        _id: "r1"
      })
    })
  )

  effect("grants what the test says, and nothing else", () =>
    Effect.gen(function* () {
      const calls = Effect.zip(
        Admin.requests.get({ id: "r1" }),
        Effect.flip(Admin.requests.update({ id: "r1", payload: {} }))
      )
      const [request, refused] = yield* Effect.provide(
        calls,
        sessionOf({ permissions: { requests: { "*": 1 } } })
      )
      expect(request).toMatchObject({ _id: "r1" })
      expect(refused).toMatchObject({ _tag: "PermissionDenied", reason: "Grant" })
    })
  )
})
