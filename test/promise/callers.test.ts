// The clients in the form of one function: what a client object does, with the calls and functions that an app imports.

import { silent } from "@quartet/support/scripted-server.js"
import { Effect, Schema } from "effect"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as Admin from "../../clients/admin/index.js"
import * as EndUser from "../../clients/end-user/index.js"
import * as Private from "../../clients/private/index.js"
import { createAdmin, createOnboarding, signOut } from "../../clients/promise/admin.js"
import { openChat } from "../../clients/promise/chat.js"
import { bytes, createEndUser, download, signIn, text } from "../../clients/promise/end-user.js"
import { createPrivate } from "../../clients/promise/private.js"
import { createPublic, Errors, pages, run } from "../../clients/promise/public.js"
import * as Public from "../../clients/public/index.js"
import { ChatSocket } from "../../core/ports/chat-socket.js"
import { FakeSocket, told, wire } from "../core/chat/world.js"
import { ada, login, playAdmin, rejected, serve } from "./served.js"

const { server, targets } = await serve()
const baseUrl = server.url
const call = createPublic({ baseUrl, apiKey: "key-1" })
const asUser = createEndUser({ baseUrl, apiKey: "key-1", sessionId: "session-1" })
afterAll(() => Promise.all([call.close(), asUser.close()]))

const all = async <A>(items: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const collected: Array<A> = []
  for await (const item of items) collected.push(item)
  return collected
}

describe("a call", () => {
  test("answers what the client object's answers, and takes its options", async () => {
    server.play(({ json }) => json({ _id: "b1", createdAt: ada.since }))
    const { signal } = new AbortController()
    expect(await call(Public.boxes.get, { id: "b1" }, { signal })).toEqual({
      _id: "b1",
      createdAt: new Date(ada.since)
    })
    expect(targets()).toEqual(["GET /v1/box/b1"])
  })

  test("rejects with the typed error, or with the reason of its signal", async () => {
    server.play(({ json }) => json({}, 404))
    const missing = await rejected(call(Public.boxes.get, { id: "b1" }))
    expect(missing).toBeInstanceOf(Errors.NotFound)
    const controller = new AbortController()
    server.play(silent)
    const left = rejected(call(Public.boxes.get, { id: "b1" }, { signal: controller.signal }))
    controller.abort("enough")
    expect(await left).toBe("enough")
  })

  test("with a schema of the caller's own is held to it", async () => {
    server.play(({ json }) => json({ _id: 7 }))
    const mine = Public.boxes.get.as(Schema.Struct({ _id: Schema.String }))
    expect(await rejected(call(mine, { id: "b1" }))).toMatchObject({ tag: "AnswerError", field: "_id" })
  })

  test("is refused once the client is closed, and cancelled by its end", async () => {
    const another = createPrivate({ baseUrl, privateKey: "key-1", allowBrowser: true })
    server.play(silent)
    const running = rejected(another(Private.items.list))
    await server.exchange(0)
    await another[Symbol.asyncDispose]()
    expect(await running).toMatchObject({ name: "AbortError" })
    expect(await rejected(another(Private.items.list))).toMatchObject({ field: "client" })
  })
})

describe("beside its calls, a client has", () => {
  test("all pages of a list", async () => {
    server.play(({ json, target }) => json(target.includes("page=3") ? [] : [{ _id: target }]))
    expect(await all(pages(call, Public.boxes.list, {}, { limit: 1 }))).toHaveLength(2)
    expect(targets()).toEqual([1, 2, 3].map((page) => `GET /v1/box?page=${page}&limit=1`))
  })

  test("downloads as they come, as bytes and as text", async () => {
    server.play(({ response }) => response.end("Größe"))
    const input = { id: "f1" }
    const { files } = EndUser
    expect(Buffer.concat(await all(download(asUser, files.download, input))).toString()).toBe("Größe")
    expect(Buffer.from(await bytes(asUser, files.download, input)).toString()).toBe("Größe")
    expect(await text(asUser, files.download, input)).toBe("Größe")
  })

  test("what is read on demand, and whatever else is an Effect of the client", async () => {
    server.play(({ json }) => json({ _id: "p1" }))
    const { project } = Public.onDemand
    const [first, second] = await Promise.all([run(call, project.get), run(call, project.get)])
    expect(first).toEqual({ _id: "p1" })
    expect(second).toBe(first)
    await run(call, project.invalidate)
    await run(call, project.get)
    expect(targets()).toHaveLength(2)
  })

  test("a sign-in that makes it", async () => {
    server.play(({ json, target }) => json(target.endsWith("login") ? { sessionId: "s" } : { _id: "b1" }))
    const signedIn = await signIn({ baseUrl, apiKey: "key-1", ...login })
    expect(await signedIn(EndUser.boxes.get, { id: "b1" })).toEqual({ _id: "b1" })
    await signedIn.close()
  })
})

describe("an admin's client has besides", () => {
  const make = (more = {}) => createAdmin({ baseUrl, projectId: "p1", apiKey: "key-1", ...login, ...more })

  test("a sign-out, after which the next call signs in", async () => {
    server.play(playAdmin)
    await using admin = make()
    await admin(Admin.projects.get, { id: "p1" })
    await signOut(admin)
    await admin(Admin.projects.get, { id: "p1" })
    expect(targets().filter((target) => target.startsWith("POST"))).toHaveLength(4)
  })

  test("the onboarding of its configuration", async () => {
    await using admin = make()
    const [task] = await createOnboarding(admin).tasks()
    expect(await createOnboarding(admin).complete(task?.id ?? "")).toMatchObject({ isCompleted: true })
  })

  test("a chat, which closes with it", async () => {
    server.play(playAdmin)
    const socket = new FakeSocket()
    const admin = make({ chatSocket: Effect.runSync(Effect.provide(ChatSocket, socket.layer)) })
    const chat = await openChat(admin, { history: false, policy: { poll: 1 } })
    socket.last.say("chat", wire(1))
    const heard = all(chat.messages)
    await admin.close()
    expect(await heard).toEqual([told(1)])
    expect(socket.open).toBe(0)
  })
})

describe("a program without types", () => {
  beforeAll(() => server.play(({ json }) => json({})))
  const untyped = async (work: (...args: ReadonlyArray<never>) => unknown, ...args: ReadonlyArray<unknown>) =>
    work(...(args as ReadonlyArray<never>))
  const drain = (...args: ReadonlyArray<never>) => all(Reflect.apply(pages, undefined, args))

  const { boxes } = Public
  test.each<[string, () => Promise<unknown>, object]>([
    ["no call", () => untyped(call), { operation: "call", field: "call" }],
    ["a slice", () => untyped(call, boxes), { operation: "call", field: "call" }],
    [
      "another client's call",
      () => untyped(call, Admin.requests.list),
      { operation: "requests.list", field: "call", rule: "belongs to another client than this one" }
    ],
    [
      "a download in place of a call",
      () => untyped(asUser, EndUser.files.download, { id: "f1" }),
      { field: "call", rule: "is a download: use download, bytes or text" }
    ],
    [
      "a call in place of a download",
      () => untyped(bytes, call, boxes.list),
      { field: "call", rule: "is not a download" }
    ],
    ["a list without pages", () => untyped(drain, call, Public.project.self), { field: "page" }],
    [
      "no client",
      () => untyped(text, undefined, EndUser.files.download),
      { operation: "text", field: "client" }
    ],
    ...(
      [
        ["a visitor's client to a sign-out", signOut, "session.signOut"],
        ["a visitor's client to the onboarding", async () => createOnboarding(call as never), "onboarding"],
        ["a visitor's client to a chat", openChat, "chat.open"]
      ] as const
    ).map(([name, work, operation]): [string, () => Promise<unknown>, object] => [
      name,
      () => untyped(work, call),
      { operation, field: "client", rule: "must be a client, as createAdmin returns" }
    ]),
    ["no Effect", () => untyped(run, call, "canary"), { operation: "run", field: "effect" }],
    ["null as an input", () => untyped(call, boxes.list, null), { operation: "boxes.list", field: "input" }],
    ["null to its pages", () => untyped(drain, call, boxes.list, null), { field: "input" }],
    ["null to a download", () => untyped(text, asUser, EndUser.files.download, null), { field: "input" }],
    ["a wrong input", () => untyped(call, boxes.get, { id: true }), { operation: "boxes.get", field: "id" }],
    [
      "a misspelt option",
      () => untyped(call, boxes.list, {}, { signl: 1 }),
      { field: "signl", rule: 'is not an option (did you mean "signal"?)' }
    ],
    ["a signal that is none", () => untyped(call, boxes.list, {}, { signal: 1 }), { field: "signal" }]
  ])("that passes %s gets an InputError, and nothing is sent", async (_, work, fields) => {
    const error = await rejected(work())
    expect(error).toBeInstanceOf(Errors.InputError)
    expect(error).toMatchObject({ tag: "InputError", ...fields })
    expect(targets()).toEqual([])
  })
})
