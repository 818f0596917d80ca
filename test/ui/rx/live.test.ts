// A chat on a screen: open while it is looked at, and each message once.
import { Registry } from "@effect-rx/rx-react"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, test, vi } from "vitest"
import * as Admin from "../../../clients/admin/index.js"
import * as ChatScript from "../../../clients/testing/chat-script.js"
import { makeQueryClient } from "../../../ui/rx/index.js"
import * as Fake from "../../support/fake-transport.js"
import { makeLine, message, refused, setup } from "./line.js"
import { token, turn, watch } from "./scripted.js"

describe("a connection", () => {
  test("is opened when somebody looks and closed when nobody does", async () => {
    const { counts, leave } = await setup()
    expect(counts()).toEqual({ opened: 1, closed: 0 })
    leave()
    await turn()
    expect(counts()).toEqual({ opened: 1, closed: 1 })
  })

  test("is not opened by a glance", async () => {
    const { counts, open } = makeLine()
    const registry = Registry.make()
    expect(registry.get(makeQueryClient(Layer.empty).chat(open)).connection.status).toBe("connecting")
    await turn()
    expect(counts().opened).toBe(0)
  })

  test("is opened in a registry that was reset", async () => {
    const { counts, live, registry } = await setup()
    registry.reset()
    const { last } = watch(registry, live)
    await turn()
    expect(counts()).toEqual({ opened: 2, closed: 1 })
    expect(last().connection.status).toBe("connecting")
  })

  test("is one for all who look", async () => {
    const { counts, live, registry } = await setup()
    watch(registry, live)
    await turn()
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
    reconnect.give()
    await turn()
    expect(counts().opened).toBe(2)
    // The line that is opened anew has the same end.
    expect(last().connection.status).toBe("failed")
    actions.reopen()
    await turn()
    expect(counts().opened).toBe(3)
  })

  test("is opened anew for the one who signs in, without what was said before", async () => {
    const line = makeLine()
    const client = makeQueryClient((_: string) => Layer.empty)
    const registry = Registry.make()
    const live = client.chat(line.open)
    const { last } = watch(registry, live)
    await turn()
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
    const { last } = watch(Registry.make(), client.chat(Effect.fail(refused)))
    await turn()
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
