// A chat on a screen: open while it is observed, each message once, and what is sent pending, sent or failed.

import { Registry } from "@effect-rx/rx-react"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, test, vi } from "vitest"
import * as Admin from "../../../clients/admin/index.js"
import * as ChatScript from "../../../clients/testing/chat-script.js"
import { makeQueryClient } from "../../../ui/rx/index.js"
import * as Fake from "../../support/fake-transport.js"
import { makeChatSource, message, refused, setup } from "./chat-script.js"
import { observe, send as sendTo, token, turn, watch } from "./scripted.js"

describe("a connection", () => {
  test("is opened when somebody looks and closed when nobody does", async () => {
    const { counts, leave } = await setup()
    expect(counts()).toEqual({ opened: 1, closed: 0 })
    await leave()
    expect(counts()).toEqual({ opened: 1, closed: 1 })
  })

  test("is not opened by a glance", async () => {
    const { counts, open } = makeChatSource()
    const registry = Registry.make()
    expect(registry.get(makeQueryClient(Layer.empty).chat(open)).connection.status).toBe("connecting")
    await turn()
    expect(counts().opened).toBe(0)
  })

  test("is opened in a registry that was reset", async () => {
    const { counts, live, registry } = await setup()
    registry.reset()
    const { last } = await observe(registry, live)
    expect(counts()).toEqual({ opened: 2, closed: 1 })
    expect(last().connection.status).toBe("connecting")
  })

  test("is one for all who look", async () => {
    const { counts, live, registry } = await setup()
    await observe(registry, live)
    expect(counts().opened).toBe(1)
  })

  test("shows its states as they come", async () => {
    const { become, last } = await setup()
    expect(last().connection.status).toBe("connecting")
    await become({ status: "connected" })
    expect(last().connection.status).toBe("connected")
    await become({ status: "reconnecting", attempt: 1, trouble: { reason: "Lost", message: "gone" } })
    expect(last().connection).toMatchObject({ status: "reconnecting", attempt: 1 })
  })

  test("that failed says why, and is opened again by hand or when the network is back", async () => {
    const { actions, counts, fail, last, reconnect } = await setup()
    await fail(refused)
    expect(last().connection).toEqual({ status: "failed", error: refused })
    await reconnect.give()
    expect(counts().opened).toBe(2)
    // The line that is opened anew has the same end.
    expect(last().connection.status).toBe("failed")
    actions.reopen()
    await turn()
    expect(counts().opened).toBe(3)
  })

  test("is opened anew for the one who signs in, without what was said before", async () => {
    const line = makeChatSource()
    const client = makeQueryClient((_: string) => Layer.empty)
    const registry = Registry.make()
    const live = client.chat(line.open)
    const { last } = await observe(registry, live)
    expect(last().connection).toMatchObject({ status: "failed", error: { _tag: "CredentialsError" } })
    await client.session.actions(registry).signIn("ann")
    await line.say(message("1"))
    registry.set(live, { conversationId: "c1", text: "mine" })
    expect([last().messages.length, last().outgoing.length]).toEqual([1, 1])
    await client.session.actions(registry).signIn("ben")
    await turn()
    expect(line.counts()).toEqual({ opened: 2, closed: 1 })
    expect([last().messages.length, last().outgoing.length]).toEqual([0, 0])
  })

  test("that could not be opened says why", async () => {
    const client = makeQueryClient(Layer.empty)
    const { last } = await observe(Registry.make(), client.chat(Effect.fail(refused)))
    expect(last().connection).toEqual({ status: "failed", error: refused })
  })
})

describe("messages", () => {
  test("come in the order in which they were told, each once", async () => {
    const { say, texts } = await setup()
    await say(message("1"), message("2"))
    await say(message("2"), message("3"))
    expect(texts()).toEqual(["1", "2", "3"])
  })

  test("of the history stand before them", async () => {
    const { recall, say, texts } = await setup()
    await say(message("3"))
    await recall(message("1"), message("2"), message("3"))
    expect(texts()).toEqual(["1", "2", "3"])
  })

  test("that were changed since stand in their place with their new content", async () => {
    const { last, recall, say, texts, update } = await setup()
    await recall(message("1"))
    await say(message("2"), message("3"))
    const before = last().messages
    await update(message("2", { text: "edited", seen: true }), message("1", { text: "earlier" }))
    expect(texts()).toEqual(["1", "2", "3"])
    expect(last().messages.map(({ text }) => text)).toEqual(["earlier", "edited", "3"])
    expect(last().messages[1]).toEqual(message("2", { text: "edited", seen: true }))
    expect(last().messages).not.toBe(before)
  })

  test("that are held no more do not come back because they were changed", async () => {
    const { say, texts, update } = await setup({ keep: 2 })
    await say(message("1"), message("2"), message("3"))
    await update(message("1", { text: "edited" }))
    expect(texts()).toEqual(["2", "3"])
  })

  test("are held up to a bound, the oldest go first", async () => {
    const { say, texts } = await setup({ keep: 3 })
    await say(...["1", "2", "3", "4", "5"].map((id) => message(id)))
    expect(texts()).toEqual(["3", "4", "5"])
  })

  test("of one burst are shown at once", async () => {
    const { say, seen } = await setup()
    const before = seen.length
    await say(...Array.from({ length: 200 }, (_, index) => message(`${index}`)))
    expect(seen.length - before).toBeLessThanOrEqual(2)
  })
})

test("the admin's own chat: what the platform says is shown, and what is sent is acknowledged", async () => {
  const script = ChatScript.make()
  const admin = Admin.layer({
    baseUrl: "https://api.example.com",
    projectId: "p1",
    apiKey: "k",
    sessionId: "s1",
    accessToken: token()
  })
  const client = makeQueryClient(
    Layer.merge(Layer.provide(admin, Fake.make([Fake.json(200, [])]).layer), script.layer)
  )
  const live = client.chat(Admin.chat.open())
  const registry = Registry.make()
  const { last, leave } = watch(registry, live)
  await vi.waitFor(() => expect(last().connection.status).toBe("connected"))
  const [peer] = script.peers
  peer?.say("chat", { _id: "m1", conversationId: "c1", text: "hello", createdAt: "2024-05-01T10:00:00.000Z" })
  await vi.waitFor(() => expect(last().messages).toHaveLength(1))
  expect(last().messages[0]?.createdAt).toEqual(new Date("2024-05-01T10:00:00.000Z"))
  peer?.say("chat", {
    _id: "m1",
    conversationId: "c1",
    text: "hello!",
    createdAt: "2024-05-01T10:00:00.000Z"
  })
  await vi.waitFor(() => expect(last().messages.map(({ text }) => text)).toEqual(["hello!"]))
  registry.set(live, { conversationId: "c1", text: "good day" })
  await vi.waitFor(() => expect(peer?.heard).toHaveLength(1))
  expect(last().outgoing).toMatchObject([{ status: "pending", draft: { text: "good day" } }])
  peer?.heard[0]?.acknowledge({ _id: "m2", conversationId: "c1", text: "good day" })
  await vi.waitFor(() => expect(last().messages.map(({ _id }) => _id)).toEqual(["m1", "m2"]))
  expect(last().outgoing).toEqual([])
  leave()
  await vi.waitFor(() => expect(peer?.isClosed()).toBe(true))
})

describe("sending", () => {
  test("a message is pending at once, and gone when the platform has told it", async () => {
    const { marks, say, send, sent } = await setup()
    const clientId = await send("hello")
    expect(marks()).toEqual(["hello pending"])
    expect(sent[0]?.draft).toEqual({ conversationId: "c1", text: "hello", clientId })
    await say(message("m1", { clientId }))
    expect(marks()).toEqual([])
  })

  test("the platform's answer puts the message among the others, its echo not twice", async () => {
    const { marks, say, send, sent, texts } = await setup()
    const clientId = await send("hello")
    sent[0]?.settle(Effect.succeed({ clientId, message: message("m1", { clientId }) }))
    await turn()
    expect([marks(), texts()]).toEqual([[], ["m1"]])
    await say(message("m1", { clientId }))
    expect(texts()).toEqual(["m1"])
  })

  test("a bare yes marks it as sent until the message is told", async () => {
    const { marks, send, sent } = await setup()
    const clientId = await send("hello")
    sent[0]?.settle(Effect.succeed({ clientId, message: undefined }))
    await turn()
    expect(marks()).toEqual(["hello sent"])
  })

  test("a message that failed stays, can be sent again under its id, and can be dropped", async () => {
    const { actions, last, marks, send, sent } = await setup()
    const clientId = await send("hello")
    sent[0]?.settle(Effect.fail(refused))
    await turn()
    expect(last().outgoing[0]).toMatchObject({ status: "failed", error: refused, clientId })
    actions.retry(clientId)
    await turn()
    expect(marks()).toEqual(["hello pending"])
    expect(sent[1]?.draft.clientId).toBe(clientId)
    sent[1]?.settle(Effect.fail(refused))
    await turn()
    actions.discard(clientId)
    expect(marks()).toEqual([])
  })

  test("a message that is pending can be neither sent again nor dropped", async () => {
    const { actions, marks, send, sent } = await setup()
    const clientId = await send("hello")
    actions.retry(clientId)
    actions.discard(clientId)
    await turn()
    expect([marks(), sent.length]).toEqual([["hello pending"], 1])
  })

  test("messages that are written before the chat is open go out in their order", async () => {
    const line = makeChatSource()
    const registry = Registry.make()
    const client = makeQueryClient(Layer.empty)
    const live = client.chat(Effect.zipRight(Effect.yieldNow(), line.open))
    watch(registry, live)
    registry.set(live, { conversationId: "c1", text: "one" })
    await sendTo(registry, live, { conversationId: "c1", text: "two" })
    expect(line.sent.map(({ draft }) => draft.text)).toEqual(["one", "two"])
  })

  test("without a chat that is open, a message fails at once", async () => {
    const { fail, last, send } = await setup()
    await fail(refused)
    await send("hello")
    expect(last().outgoing[0]).toMatchObject({ status: "failed", error: { reason: "Closed" } })
  })

  test("ids are never the same", async () => {
    const { actions } = await setup()
    const ids = Array.from({ length: 100 }, () => actions.send({ conversationId: "c1", text: "x" }))
    expect(new Set(ids).size).toBe(100)
  })
})
