// A chat on a screen: open while it is observed, each message once, and what is sent pending, sent or failed.

import { ChatScript } from "@quartet/sandbox/extend"
import { Input } from "@quartet/sdk"
import * as Admin from "@quartet/sdk/admin"
import {
  ChatError,
  type ChatEvent,
  fieldsOf,
  type Message,
  type Sendable,
  type Sent,
  type State
} from "@quartet/sdk/extend"
import { eventually } from "@quartet/support/eventually.js"
import * as Fake from "@quartet/support/fake-transport.js"
import { adminLayer, flush, flushed, makeResource, makeScreen, makeSignal } from "@quartet/support/react.js"
import { Effect, Exit, Layer, Mailbox, Subscribable, SubscriptionRef } from "effect"
import { describe, expect, test } from "vitest"
import { type ChatSource, type ChatStoreOptions, makeQueryClient } from "../../rx/index.js"

const message = (id: string, more: Partial<Message> = {}): Message => ({
  _id: id,
  conversationId: "c1",
  text: id,
  ...more
})
const refused = new ChatError({ operation: "chat.open", reason: "Refused", detail: "no" })

/** A chat whose other end is the test. */
const makeChatSource = () => {
  const events = Effect.runSync(Mailbox.make<ChatEvent, ChatError>())
  const history = Effect.runSync(Mailbox.make<ReadonlyArray<Message>, ChatError>())
  const state = Effect.runSync(SubscriptionRef.make<State>({ status: "connecting" }))
  const sent: Array<{
    readonly draft: ReturnType<typeof fieldsOf>
    readonly message: Sendable
    readonly settle: (end: Effect.Effect<Sent, ChatError>) => void
  }> = []
  const { acquire, counts } = makeResource()
  const source: ChatSource = {
    events: Mailbox.toStream(events),
    history: Mailbox.toStream(history),
    state: Subscribable.make({ get: SubscriptionRef.get(state), changes: state.changes }),
    send: (message) =>
      Effect.async((resume) => void sent.push({ draft: fieldsOf(message), message, settle: resume }))
  }
  const offer = (_tag: ChatEvent["_tag"]) =>
    flushed((...messages: ReadonlyArray<Message>) =>
      events.unsafeOfferAll(messages.map((message) => ({ _tag, message })))
    )
  return {
    open: Effect.as(acquire, source),
    counts,
    sent,
    say: offer("Message"),
    update: offer("Update"),
    recall: flushed((...messages: ReadonlyArray<Message>) => history.unsafeOffer(messages)),
    become: flushed((next: State) => Effect.runSync(SubscriptionRef.set(state, next))),
    fail: flushed(() => events.unsafeDone(Exit.fail(refused))),
    /** Ends the message that was sent last. */
    end: flushed((end: Effect.Effect<Sent, ChatError>) => sent.at(-1)?.settle(end))
  }
}

/** A chat on a screen. */
const setup = async (options: ChatStoreOptions = {}, source = makeChatSource()) => {
  const reconnect = makeSignal()
  const chat = makeQueryClient(Layer.empty, { reconnect: reconnect.signal }).chat(source.open, options)
  const screen = makeScreen()
  const shown = await screen.observe(chat)
  const actions = chat.actions(screen.registry)
  const ids = () => shown.last().messages.map(({ _id }) => _id)
  const marks = () => shown.last().outgoing.map(({ draft, status }) => `${draft.text} ${status}`)
  const send = async (text = "hello") => {
    const clientId = actions.send({ conversationId: "c1", text })
    await flush()
    return clientId
  }
  return { ...source, ...screen, ...shown, ...actions, actions, chat, reconnect, ids, marks, send }
}

describe("a connection", () => {
  test("is opened once for all who look, not by a glance, and closed when nobody does", async () => {
    const { chat, counts, leave, observe, registry } = await setup()
    const secondObserver = await observe(chat)
    expect(counts).toEqual({ built: 1, released: 0 })
    await leave()
    await secondObserver.leave()
    expect(counts).toEqual({ built: 1, released: 1 })
    expect(registry.get(chat).connection.status).toBe("connecting")
    await flush()
    expect(counts.built).toBe(1)
  })

  test("is opened in a registry that was reset", async () => {
    const { chat, counts, observe, registry } = await setup()
    registry.reset()
    const { last } = await observe(chat)
    expect(counts).toEqual({ built: 2, released: 1 })
    expect(last().connection.status).toBe("connecting")
  })

  test("shows its states as they come", async () => {
    const { become, last } = await setup()
    const trouble = { reason: "Lost", message: "gone" } as const
    for (const state of [{ status: "connected" }, { status: "reconnecting", attempt: 1, trouble }] as const) {
      await become(state)
      expect(last().connection).toEqual(state)
    }
  })

  test("that failed says why, and is opened again by hand or when the network is back", async () => {
    const { counts, fail, last, reconnect, reopen } = await setup()
    await fail()
    expect(last().connection).toEqual({ status: "failed", error: refused })
    await reconnect.give()
    expect(counts.built).toBe(2)
    // The chat that is opened again has the same end.
    expect(last().connection.status).toBe("failed")
    reopen()
    await flush()
    expect(counts.built).toBe(3)
  })

  test("is opened again for the one who signs in, without what was received before", async () => {
    const { counts, open, say } = makeChatSource()
    const client = makeQueryClient((_: string) => Layer.empty)
    const { observe, registry } = makeScreen()
    const chat = client.chat(open)
    const { last } = await observe(chat)
    expect(last().connection).toMatchObject({ status: "failed", error: { _tag: "CredentialsError" } })
    await client.session.actions(registry).signIn("ann")
    await say(message("1"))
    registry.set(chat, { conversationId: "c1", text: "mine" })
    const lengths = () => [last().messages.length, last().outgoing.length]
    expect(lengths()).toEqual([1, 1])
    await client.session.actions(registry).signIn("ben")
    await flush()
    expect([counts, lengths()]).toEqual([{ built: 2, released: 1 }, [0, 0]])
  })

  test("that could not be opened says why", async () => {
    const client = makeQueryClient(Layer.empty)
    const { last } = await makeScreen().observe(client.chat(Effect.fail(refused)))
    expect(last().connection).toEqual({ status: "failed", error: refused })
  })
})

describe("messages", () => {
  test("come in the order in which they were received, each once, and history before them", async () => {
    const { ids, recall, say } = await setup()
    await say(message("2"), message("3"))
    await say(message("3"), message("4"))
    expect(ids()).toEqual(["2", "3", "4"])
    await recall(message("1"), message("2"), message("3"))
    expect(ids()).toEqual(["1", "2", "3", "4"])
  })

  test("that were changed since stand in their place with their new content", async () => {
    const { last, recall, say, update } = await setup()
    await recall(message("1"))
    await say(message("2"), message("3"))
    const before = last().messages
    const changed = [message("1", { text: "earlier" }), message("2", { text: "edited", seen: true })] as const
    await update(changed[1], changed[0])
    expect(last().messages).toEqual([...changed, message("3")])
    expect(last().messages).not.toBe(before)
  })

  test("are held up to a bound, the oldest go first, and do not come back because they were changed", async () => {
    const { ids, say, update } = await setup({ keep: 3 })
    await say(...["1", "2", "3", "4", "5"].map((id) => message(id)))
    expect(ids()).toEqual(["3", "4", "5"])
    await update(message("1", { text: "edited" }))
    expect(ids()).toEqual(["3", "4", "5"])
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
  const rest = Fake.make([Fake.json(200, [])])
  const chat = makeQueryClient(Layer.merge(adminLayer(rest, undefined, { apiKey: "k" }), script.layer)).chat(
    Admin.chat.open()
  )
  const { registry, watch } = makeScreen()
  const { last, leave } = watch(chat)
  await eventually(() => expect(last().connection.status).toBe("connected"))
  const [peer] = script.peers
  const createdAt = "2024-05-01T10:00:00.000Z"
  for (const text of ["hello", "hello!"]) {
    peer?.say("chat", { _id: "m1", conversationId: "c1", text, createdAt })
    const shown = { text, createdAt: new Date(createdAt) }
    await eventually(() => expect(last().messages).toMatchObject([shown]))
  }
  registry.set(chat, { conversationId: "c1", text: "good day" })
  await eventually(() => expect(peer?.heard).toHaveLength(1))
  expect(last().outgoing).toMatchObject([{ status: "pending", draft: { text: "good day" } }])
  peer?.heard[0]?.acknowledge({ _id: "m2", conversationId: "c1", text: "good day" })
  await eventually(() => expect(last().messages.map(({ _id }) => _id)).toEqual(["m1", "m2"]))
  expect(last().outgoing).toEqual([])
  leave()
  await eventually(() => expect(peer?.isClosed()).toBe(true))
})

describe("sending", () => {
  test("a message is pending at once, and gone when the platform has sent it back", async () => {
    const { marks, say, send, sent } = await setup()
    const clientId = await send()
    expect(marks()).toEqual(["hello pending"])
    expect(sent[0]?.draft).toEqual({ conversationId: "c1", text: "hello", clientId })
    await say(message("m1", { clientId }))
    expect(marks()).toEqual([])
  })

  test("the platform's answer puts the message among the others, its echo not twice", async () => {
    const { end, ids, marks, say, send } = await setup()
    const clientId = await send()
    await end(Effect.succeed({ clientId, message: message("m1", { clientId }) }))
    expect([marks(), ids()]).toEqual([[], ["m1"]])
    await say(message("m1", { clientId }))
    expect(ids()).toEqual(["m1"])
  })

  test("a bare acknowledgement marks it as sent until the message is received", async () => {
    const { end, last, retry, send } = await setup()
    const clientId = await send()
    await end(Effect.fail(refused))
    retry(clientId)
    await flush()
    await end(Effect.succeed({ clientId, message: undefined }))
    expect(last().outgoing).toMatchObject([{ clientId, status: "sent", error: undefined }])
  })

  test("a message that failed, and not one that is pending, can be sent again under its id, or dropped", async () => {
    const { discard, end, last, marks, retry, send, sent } = await setup()
    const clientId = await send()
    retry(clientId)
    discard(clientId)
    await flush()
    expect([marks(), sent.length]).toEqual([["hello pending"], 1])
    await end(Effect.fail(refused))
    expect(last().outgoing).toMatchObject([{ status: "failed", error: refused, clientId }])
    retry(clientId)
    await flush()
    expect([marks(), sent[1]?.draft.clientId]).toEqual([["hello pending"], clientId])
    await end(Effect.fail(refused))
    discard(clientId)
    expect(marks()).toEqual([])
  })

  test("messages that are written before the chat is open go out in their order", async () => {
    const { open, sent } = makeChatSource()
    const { registry, watch } = makeScreen()
    const chat = makeQueryClient(Layer.empty).chat(Effect.zipRight(Effect.yieldNow(), open))
    watch(chat)
    for (const text of ["one", "two"]) registry.set(chat, { conversationId: "c1", text })
    await flush()
    expect(sent.map(({ draft }) => draft.text)).toEqual(["one", "two"])
  })

  test("without a chat that is open, a message fails at once", async () => {
    const { fail, last, send } = await setup()
    await fail()
    await send()
    expect(last().outgoing).toMatchObject([{ status: "failed", error: { reason: "Closed" } }])
  })

  test("what is no draft is refused by name, and not shown", async () => {
    const { chat, last, registry } = await setup()
    const { send } = chat.actions(registry)
    for (const draft of [undefined, null, "hello"] as ReadonlyArray<unknown>)
      expect(() => send(draft as Sendable)).toThrow('chat.send: the field "message" must be an object')
    expect(last().outgoing).toEqual([])
  })

  test("a message with fields of its own goes through Input.raw, and again under the same id", async () => {
    const { actions, end, last, retry, sent } = await setup()
    const clientId = actions.send(Input.raw({ conversationId: "c1", body: "hello" }))
    await flush()
    const fields = { conversationId: "c1", body: "hello" }
    expect(last().outgoing).toMatchObject([{ clientId, draft: fields, status: "pending" }])
    await end(Effect.fail(refused))
    retry(clientId)
    await flush()
    expect(sent.map(({ message }) => message)).toEqual(Array(2).fill(Input.raw({ ...fields, clientId })))
  })

  test("ids are never the same", async () => {
    const { send } = await setup()
    const ids = await Promise.all(Array.from({ length: 100 }, () => send()))
    expect(new Set(ids).size).toBe(100)
  })
})
