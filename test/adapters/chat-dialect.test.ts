// The chat of a platform that speaks otherwise, over socket.io: where it is, how it is let in, and what its messages look like.
import { createServer } from "node:http"
import { eventually } from "@quartet/support/eventually.js"
import { listen } from "@quartet/support/servers.js"
import * as Either from "effect/Either"
import { Server, type Socket } from "socket.io"
import { expect, onTestFinished, test } from "vitest"
import { type AdminSessionConfig, createAdminClient } from "../../clients/promise/index.js"
import type { Message } from "../../core/chat/model.js"
import type { Problem } from "../../core/chat/state.js"
import { type ChatDialect, platform } from "../../core/kernel/dispatch/dialect.js"
import { own } from "../../core/permissions/own.js"
import * as Dialect from "../../core/platform/dialect.js"
import * as Platform from "../../core/platform/index.js"
import { tokenOf } from "../wire/platform.js"

const place = { path: "/live", namespace: "/desk" }
const events = { message: "message.created", history: "message.backlog", send: "message.create" }

/** This platform's form: a message stands at `data.message`, and calls its text otherwise. */
const toWire = ({ text, ...rest }: Record<string, unknown>) => ({
  data: { message: { ...rest, body: text } }
})
const message = (id: string, text: string) => toWire({ _id: id, conversationId: "c1", text })
const said = (id: string, text: string) => ({ _id: id, conversationId: "c1", text })

const spoken: ChatDialect = {
  url: undefined,
  ...place,
  events,
  read: (payload) => {
    const value: unknown = own(own(payload, "data"), "message")
    const text: unknown = own(value, "body")
    return text === undefined ? value : { ...Object(value), text, body: undefined }
  },
  write: (payload) => toWire(Object(payload)),
  secrets: () => [],
  historyIn: () => undefined,
  refusalIn: () => undefined,
  handshake: (token, headers) => ({
    query: { access: token },
    headers: { "x-desk": headers["x-api-key"] ?? "" }
  })
}

/** A platform whose calls are as the SDK assumes, and whose chat is another. */
const platformOf = (chat: ChatDialect) =>
  platform((around) => Either.map(Dialect.make({}, around), (dialect) => ({ ...dialect, chat })))

/** A server of such a chat, and a chat that is open on it. `acknowledge` answers what is sent, and `second` stands beside that. */
const open = async ({
  acknowledge = (payload: unknown): unknown => payload,
  second = [] as ReadonlyArray<unknown>,
  backlog = [] as unknown,
  chat = spoken,
  value = platformOf(chat),
  config: more = {} as Pick<AdminSessionConfig, "onDrift">,
  options = {} as Parameters<ReturnType<typeof createAdminClient>["chat"]["open"]>[0]
} = {}) => {
  const http = createServer()
  const io = new Server(http, { path: place.path })
  const { close, url } = await listen(http)
  const heard: Array<unknown> = []
  const handshakes: Array<Socket["handshake"]> = []
  io.of(place.namespace).on("connection", (socket) => {
    handshakes.push(socket.handshake)
    socket.emit(events.history, backlog)
    socket.on(events.send, (payload: unknown, answer: (...said: ReadonlyArray<unknown>) => void) => {
      heard.push(payload)
      answer(acknowledge(payload), ...second)
    })
  })
  onTestFinished(async () => {
    const closing = io.close()
    await close()
    await closing
  })
  const messages: Array<Message> = []
  const histories: Array<ReadonlyArray<Message>> = []
  const problems: Array<Problem> = []
  const config: AdminSessionConfig = {
    baseUrl: url,
    projectId: "p1",
    sessionId: "session-1",
    accessToken: tokenOf("admin-1"),
    apiKey: "key-1",
    logDrift: false,
    platform: value,
    ...more
  }
  const client = createAdminClient(config)
  onTestFinished(() => client.close())
  const opened = await client.chat.open({
    history: false,
    onMessage: (message) => void messages.push(message),
    onHistory: (history) => void histories.push(history),
    onProblem: (problem) => void problems.push(problem),
    ...options
  })
  return {
    opened,
    say: (...event: [string, unknown]) => io.of(place.namespace).emit(...event),
    ...{ handshakes, heard, histories, messages, problems }
  }
}

test("a chat is where its platform says, and is let in as that asks for it", async () => {
  const { handshakes, opened } = await open()
  expect(opened.state).toEqual({ status: "connected" })
  expect(handshakes[0]?.query).toMatchObject({ access: tokenOf("admin-1") })
  expect(handshakes[0]?.query).not.toHaveProperty("token")
  expect(handshakes[0]?.headers).toMatchObject({ "x-desk": "key-1" })
  expect(handshakes[0]?.headers).not.toHaveProperty("x-session-id")
})

test("a chat's own address goes before that of its platform", async () => {
  const { opened } = await open({
    chat: { ...spoken, path: "/nowhere", namespace: "/nobody" },
    options: { address: place }
  })
  expect(opened.state).toEqual({ status: "connected" })
})

test("a message is read where its platform puts it, under the names of the SDK", async () => {
  const { messages, say } = await open()
  say(events.message, message("m1", "hello"))
  await eventually(() => expect(messages).toEqual([expect.objectContaining(said("m1", "hello"))]))
})

test.each([
  ["each as an event has it", [message("m1", "one"), message("m2", "two")]],
  ["in a list with a name", { messages: [message("m1", "one"), message("m2", "two")] }],
  ["each as it is", [said("m1", "one"), said("m2", "two")]],
  ["where a message stands", { data: { message: { messages: [said("m1", "one"), said("m2", "two")] } } }]
])("a history holds messages %s", async (_, backlog) => {
  const { histories } = await open({ backlog })
  await eventually(() =>
    expect(histories).toEqual([
      [expect.objectContaining(said("m1", "one")), expect.objectContaining(said("m2", "two"))]
    ])
  )
})

test("a message is sent as the platform takes it, and read of its acknowledgement", async () => {
  const acknowledge = (payload: unknown) => {
    const { message } = Object(own(payload, "data"))
    return { ok: true, data: { message: { ...message, _id: "m7" } } }
  }
  const { heard, opened } = await open({ acknowledge })
  const sent = await opened.send({ conversationId: "c1", text: "hello", clientId: "mine-1" })
  expect(heard).toEqual([toWire({ conversationId: "c1", text: "hello", clientId: "mine-1" })])
  expect(sent).toMatchObject({ clientId: "mine-1", message: said("m7", "hello") })
})

test.each([
  ["beside the message's place", { error: { message: "too long" } }],
  ["at the message's place", { data: { message: { error: "too long" } } }]
])("an acknowledgement with an error %s is a refusal", async (_, answer) => {
  const { opened } = await open({ acknowledge: () => answer })
  await expect(opened.send({ conversationId: "c1", text: "hello" })).rejects.toMatchObject({
    _tag: "ChatError",
    reason: "Rejected",
    detail: expect.stringContaining("too long")
  })
})

const refusing = (text: string) => ({
  _tag: "ChatError",
  reason: "Rejected",
  detail: `the platform refused the message: ${text}`
})

test.each<readonly [unknown, string]>([
  [{ error: { code: "too_long", detail: "too long" } }, "too long"],
  [{ errors: [{ title: "too long", status: "422" }] }, "too long"],
  [{ code: "too_long", message: "too long" }, "too long"],
  [{ status: "error", message: "too long" }, "too long"],
  [{ type: "about:blank", title: "Unprocessable", detail: "too long", status: 422 }, "too long"],
  [{ statusCode: 422, message: "too long" }, "too long"],
  [{ ok: false, reason: "too long" }, "too long"],
  [{ success: false }, "no reason given"],
  [false, "no reason given"]
])("an acknowledgement as %j is a refusal without a word of its platform", async (answer, text) => {
  const { opened } = await open({
    acknowledge: () => answer,
    value: Platform.make({ chat: { ...place, events } })
  })
  await expect(opened.send({ conversationId: "c1", text: "hello" })).rejects.toMatchObject(refusing(text))
})

test.each([
  { status: "stored" },
  { status: 201, message: "stored" },
  { ok: true, error: null, errors: [] },
  { code: "OK", message: "stored" },
  { code: 0, message: "stored" },
  ...["queued", "received", "delivered", "done"].map((code) => ({ code, message: "thank you" })),
  { _id: "m1", conversationId: "c1", text: "hello", status: "failed" }
])("an acknowledgement as %j is none", async (answer) => {
  const { opened } = await open({
    acknowledge: () => answer,
    value: Platform.make({ chat: { ...place, events } })
  })
  expect(await opened.send({ conversationId: "c1", text: "hello", clientId: "mine-1" })).toMatchObject({
    clientId: "mine-1"
  })
})

test.each([
  [{ _id: "m7", conversationId: "c1", text: "hello" }, null],
  [null, { _id: "m7", conversationId: "c1", text: "hello" }]
])("an acknowledgement of two values, %j and %j, is the one that is there", async (first, second) => {
  const value = Platform.make({ chat: { ...place, events } })
  const { opened } = await open({ acknowledge: () => first, second: [second], value })
  expect(await opened.send({ conversationId: "c1", text: "hello" })).toMatchObject({ message: { _id: "m7" } })
})

test.each<readonly [unknown, unknown]>([
  [true, "ok"],
  ["ok", 200]
])("an acknowledgement of %j and more has the message wherever it stands", async (first, second) => {
  const value = Platform.make({ chat: { ...place, events } })
  const message = { _id: "m7", conversationId: "c1", text: "hello" }
  const { opened } = await open({ acknowledge: () => first, second: [second, message], value })
  expect(await opened.send({ conversationId: "c1", text: "hello" })).toMatchObject({ message: { _id: "m7" } })
})

test.each<readonly [unknown, unknown]>([
  [false, "too long"],
  [403, "too long"],
  ["error", { error: { message: "too long" } }]
])("an acknowledgement of %j and %j is a refusal", async (first, second) => {
  const value = Platform.make({ chat: { ...place, events } })
  const { opened } = await open({ acknowledge: () => first, second: [second], value })
  await expect(opened.send({ conversationId: "c1", text: "hello" })).rejects.toMatchObject(
    refusing("too long")
  )
})

test("what refuses an acknowledgement of several values is said by their places", async () => {
  const value = Platform.make({ chat: { ...place, events, refusal: "1.fault" } })
  const { opened } = await open({ acknowledge: () => "done", second: [{ fault: "too long" }], value })
  await expect(opened.send({ conversationId: "c1", text: "hello" })).rejects.toMatchObject(
    refusing("too long")
  )
})

test.each<readonly [string | ((said: unknown) => unknown), unknown, unknown]>([
  ["0.fault", { fault: "too long" }, null],
  ["0", "too long", null],
  ["0", "too long", undefined],
  ["1", null, "too long"],
  ["fault", null, { fault: "too long" }],
  [(said) => own(said, "fault"), null, { fault: "too long" }]
])("what refuses may stand at %s of %j and %j", async (refusal, first, second) => {
  const value = Platform.make({ chat: { ...place, events, refusal } })
  const { opened } = await open({ acknowledge: () => first, second: [second], value })
  await expect(opened.send({ conversationId: "c1", text: "hello" })).rejects.toMatchObject(
    refusing("too long")
  )
})

test.each<readonly [unknown, unknown]>([
  [null, { fault: "too long" }],
  [{ fault: "too long" }, null],
  [false, { fault: "too long" }]
])("what refuses by errors may be one of %j and %j", async (first, second) => {
  const value = Platform.make({ chat: { ...place, events }, errors: { message: "fault" } })
  const { opened } = await open({ acknowledge: () => first, second: [second], value })
  await expect(opened.send({ conversationId: "c1", text: "hello" })).rejects.toMatchObject(
    refusing("too long")
  )
})

test("a list beside null is no refusal where the first value would say one", async () => {
  const value = Platform.make({ chat: { ...place, events, refusal: "0" } })
  const { opened } = await open({ acknowledge: () => null, second: [["stored"]], value })
  expect(await opened.send({ conversationId: "c1", text: "hello", clientId: "mine-1" })).toMatchObject({
    clientId: "mine-1"
  })
})

test.each<readonly [string, string, () => unknown]>([
  ["throws", "threw a TypeError", () => Reflect.apply(Number.prototype.toFixed, "", [])],
  ["answers a Promise", "answered a Promise", () => Promise.resolve("too long")]
])("of a function of the chat that %s, drift says which one it was", async (_, did, refusal) => {
  const value = Platform.make({ chat: { ...place, events, refusal } })
  const drifts: Array<unknown> = []
  const { opened } = await open({ value, config: { onDrift: (drift) => void drifts.push(drift) } })
  await opened.send({ conversationId: "c1", text: "hello" })
  expect(drifts).toContainEqual(
    expect.objectContaining({
      expected: "what chat.refusal of the platform answers",
      came: `a function that ${did}`
    })
  )
})

test.each<readonly [string, Platform.Definition, unknown, string]>([
  ["its chat", { chat: { refusal: "fault.reason" } }, { fault: { reason: "too long" } }, "too long"],
  [
    "a function of its chat",
    { chat: { refusal: (said) => own(said, "verdict") === "no" } },
    { verdict: "no" },
    "no reason given"
  ],
  ["its errors", { errors: { message: "fault.words" } }, { fault: { words: "too long" } }, "too long"],
  [
    "the status of its errors",
    {
      errors: {
        message: "message",
        status: ({ body }) => (own(body, "kind") === "problem" ? 422 : undefined)
      }
    },
    { kind: "problem", message: "too long" },
    "too long"
  ]
])("what an acknowledgement refuses is said by %s", async (_, { chat, ...rest }, answer, text) => {
  const value = Platform.make({ ...rest, chat: { ...chat, ...place, events } })
  const { opened } = await open({ acknowledge: () => answer, value })
  await expect(opened.send({ conversationId: "c1", text: "hello" })).rejects.toMatchObject(refusing(text))
})

test("a platform that says what a refusal is says of all others that they are none", async () => {
  const value = Platform.make({ chat: { ...place, events, refusal: "fault.reason" } })
  const { opened } = await open({ acknowledge: () => ({ status: "error", fault: { reason: null } }), value })
  expect(await opened.send({ conversationId: "c1", text: "hello", clientId: "mine-1" })).toMatchObject({
    clientId: "mine-1"
  })
})

test("a refusal shows no credential that it repeats", async () => {
  const value = Platform.make({ chat: { ...place, events, refusal: "fault" } })
  const { opened } = await open({ acknowledge: () => ({ fault: "no session session-1" }), value })
  await expect(opened.send({ conversationId: "c1", text: "hello" })).rejects.toMatchObject(
    refusing("no session •••")
  )
})

test("a credential that its function cannot write is not left out of the handshake: nothing connects", async () => {
  const write = (value: string): string => (value === "credential" ? value : "é")
  const value = Platform.make({
    chat: { ...place, events },
    credentials: { session: { header: "x-session", write } }
  })
  await expect(open({ value })).rejects.toMatchObject({
    _tag: "ChatError",
    detail: expect.stringContaining(
      "credentials.session.write of the platform answered what no header can hold"
    )
  })
})

test("an acknowledgement that says nothing accepts the message", async () => {
  const { opened } = await open({ acknowledge: () => undefined })
  expect(await opened.send({ conversationId: "c1", text: "hello", clientId: "mine-1" })).toEqual({
    clientId: "mine-1",
    message: undefined
  })
})

test.each<readonly [string, Partial<ChatDialect>]>([
  ["holds no message at its place", {}],
  ["its platform's value fails for", { read: () => expect.unreachable("a value that throws") }]
])("an event that %s is reported, and the next one comes in", async (_, more) => {
  const read: ChatDialect["read"] = (payload) =>
    own(payload, "type") === "typing" ? (more.read ?? spoken.read)(payload) : spoken.read(payload)
  const { messages, problems, say } = await open({ chat: { ...spoken, read } })
  say(events.message, { type: "typing", userId: "u1" })
  say(events.message, message("m1", "hello"))
  await eventually(() => expect(messages).toHaveLength(1))
  expect(problems).toEqual([{ _tag: "Malformed", event: "chat", field: "", rule: "must be an object" }])
})

test("the value of a platform says all of it", async () => {
  const value = Platform.make({
    credentials: { apiKey: { header: "x-desk" } },
    entities: { fields: { text: "body" } },
    chat: { ...place, events, message: "data.message", wrap: "data.message", token: "access" }
  })
  const acknowledge = (payload: unknown) => ({ status: "stored", ...Object(payload) })
  const { handshakes, heard, messages, opened, say } = await open({ value, acknowledge })
  expect(handshakes[0]).toMatchObject({
    query: { access: tokenOf("admin-1") },
    headers: { "x-desk": "key-1", "x-session-id": "session-1" }
  })
  say(events.message, message("m1", "hello"))
  await eventually(() => expect(messages).toEqual([expect.objectContaining(said("m1", "hello"))]))
  const draft = { conversationId: "c1", text: "good day", clientId: "mine-1" }
  expect(await opened.send(draft)).toMatchObject({ clientId: "mine-1", message: draft })
  expect(heard).toEqual([toWire(draft)])
})

test("fixed headers and the project are in the handshake, where the platform has them", async () => {
  const value = Platform.make({
    credentials: {
      headers: { "X-Client": "desk", "X-Gate-Token": "the-gate-token" },
      project: { header: "X-Project" }
    },
    chat: { ...place, events }
  })
  const { handshakes, opened } = await open({
    value,
    acknowledge: () => ({ error: "not by the-gate-token" })
  })
  await expect(opened.send({ conversationId: "c1", text: "hello" })).rejects.toMatchObject(
    refusing("not by •••")
  )
  expect(handshakes[0]?.headers).toMatchObject({ "x-client": "desk", "x-project": "p1" })
  const { handshakes: others } = await open({
    value: Platform.make({ credentials: { project: { query: "tenant" } }, chat: { ...place, events } })
  })
  expect(others[0]?.query).toMatchObject({ tenant: "p1", token: tokenOf("admin-1") })
})

test("a history is read where the platform says that it stands", async () => {
  const value = Platform.make({ chat: { ...place, events, history: "backlog.rows" } })
  const backlog = { people: [{ _id: "u1" }], backlog: { rows: [said("m1", "one")], more: [] } }
  const { histories } = await open({ value, backlog })
  await eventually(() => expect(histories).toEqual([[expect.objectContaining(said("m1", "one"))]]))
})
