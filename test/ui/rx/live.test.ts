// A chat on a screen: open while it is looked at, each message once, and every message on its way accounted for.
import { Registry } from "@effect-rx/rx-react"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Mailbox from "effect/Mailbox"
import * as Subscribable from "effect/Subscribable"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { describe, expect, test } from "vitest"
import { ChatError } from "../../../core/chat/errors.js"
import type { Draft, Message, Sent } from "../../../core/chat/model.js"
import type { State } from "../../../core/chat/state.js"
import { type Line, type LiveOptions, make } from "../../../ui/rx/index.js"
import { LiveId } from "../../../ui/rx/live.js"
import { makeSignal, turn, watch } from "./scripted.js"

const message = (id: string, more: Partial<Message> = {}): Message => ({
  _id: id,
  conversationId: "c1",
  text: id,
  ...more
})

/** A chat whose other end is the test. */
const makeLine = () => {
  const mailbox = Effect.runSync(Mailbox.make<Message, ChatError>())
  const history = Effect.runSync(Mailbox.make<ReadonlyArray<Message>, ChatError>())
  const state = Effect.runSync(SubscriptionRef.make<State>({ status: "connecting" }))
  const sent: Array<{
    readonly draft: Draft
    readonly settle: (sent: Effect.Effect<Sent, ChatError>) => void
  }> = []
  let opened = 0
  let closed = 0
  const line: Line = {
    messages: Mailbox.toStream(mailbox),
    history: Mailbox.toStream(history),
    state: Subscribable.make({ get: SubscriptionRef.get(state), changes: state.changes }),
    send: (draft) =>
      Effect.async((resume) => {
        sent.push({ draft, settle: resume })
      })
  }
  const open = Effect.acquireRelease(
    Effect.sync(() => {
      opened += 1
      return line
    }),
    () =>
      Effect.sync(() => {
        closed += 1
      })
  )
  return {
    open,
    sent,
    counts: () => ({ opened, closed }),
    say: async (...messages: ReadonlyArray<Message>) => {
      mailbox.unsafeOfferAll(messages)
      await turn()
    },
    recall: async (...messages: ReadonlyArray<Message>) => {
      history.unsafeOffer(messages)
      await turn()
    },
    become: async (next: State) => {
      Effect.runSync(SubscriptionRef.set(state, next))
      await turn()
    },
    fail: async (error: ChatError) => {
      mailbox.unsafeDone(Effect.runSync(Effect.exit(Effect.fail(error))))
      await turn()
    }
  }
}

const refused = new ChatError({ operation: "chat.open", reason: "Refused", detail: "no" })

const setup = async (options: LiveOptions = {}) => {
  const line = makeLine()
  const reconnect = makeSignal()
  const kit = make(Layer.empty, { reconnect: reconnect.signal })
  const live = kit.live(line.open, options)
  const registry = Registry.make()
  const seen = watch(registry, live)
  await turn()
  const texts = () => seen.last().messages.map(({ _id }) => _id)
  const marks = () => seen.last().outgoing.map(({ draft, status }) => `${draft.text} ${status}`)
  const actions = live[LiveId]
  const send = (text: string, conversationId = "c1") => actions.send(registry, { conversationId, text })
  return { ...line, ...seen, live, registry, reconnect, texts, marks, actions, send }
}

describe("a connection", () => {
  test("is opened when somebody looks and closed when nobody does", async () => {
    const { counts, leave } = await setup()
    expect(counts()).toEqual({ opened: 1, closed: 0 })
    leave()
    await turn()
    expect(counts()).toEqual({ opened: 1, closed: 1 })
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
    const { actions, counts, fail, last, reconnect, registry } = await setup()
    await fail(refused)
    expect(last().connection).toEqual({ status: "failed", error: refused })
    reconnect.give()
    await turn()
    expect(counts().opened).toBe(2)
    // The line that is opened anew has the same end.
    expect(last().connection.status).toBe("failed")
    actions.reopen(registry)
    await turn()
    expect(counts().opened).toBe(3)
  })

  test("is opened anew for the one who signs in, without what was said before", async () => {
    const line = makeLine()
    const kit = make((_: string) => Layer.empty)
    const registry = Registry.make()
    const live = kit.live(line.open)
    const { last } = watch(registry, live)
    await turn()
    expect(last().connection).toMatchObject({ status: "failed", error: { _tag: "CredentialsError" } })
    await kit.session.signIn(registry, "ann")
    await line.say(message("1"))
    registry.set(live, { conversationId: "c1", text: "mine" })
    expect([last().messages.length, last().outgoing.length]).toEqual([1, 1])
    await kit.session.signIn(registry, "ben")
    await turn()
    expect(line.counts()).toEqual({ opened: 2, closed: 1 })
    expect([last().messages.length, last().outgoing.length]).toEqual([0, 0])
  })

  test("that could not be opened says why", async () => {
    const kit = make(Layer.empty)
    const { last } = watch(Registry.make(), kit.live(Effect.fail(refused)))
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

describe("sending", () => {
  test("a message is pending at once, and gone when the platform has told it", async () => {
    const { marks, say, send, sent } = await setup()
    const clientId = send("hello")
    expect(marks()).toEqual(["hello pending"])
    await turn()
    expect(sent[0]?.draft).toEqual({ conversationId: "c1", text: "hello", clientId })
    await say(message("m1", { clientId }))
    expect(marks()).toEqual([])
  })

  test("the platform's answer puts the message among the others, its echo not twice", async () => {
    const { marks, say, send, sent, texts } = await setup()
    const clientId = send("hello")
    await turn()
    sent[0]?.settle(Effect.succeed({ clientId, message: message("m1", { clientId }) }))
    await turn()
    expect([marks(), texts()]).toEqual([[], ["m1"]])
    await say(message("m1", { clientId }))
    expect(texts()).toEqual(["m1"])
  })

  test("a bare yes marks it as sent until the message is told", async () => {
    const { marks, send, sent } = await setup()
    const clientId = send("hello")
    await turn()
    sent[0]?.settle(Effect.succeed({ clientId, message: undefined }))
    await turn()
    expect(marks()).toEqual(["hello sent"])
  })

  test("a message that failed stays, can be sent again under its id, and can be dropped", async () => {
    const { actions, last, marks, registry, send, sent } = await setup()
    const clientId = send("hello")
    await turn()
    sent[0]?.settle(Effect.fail(refused))
    await turn()
    expect(last().outgoing[0]).toMatchObject({ status: "failed", error: refused, clientId })
    actions.retry(registry, clientId)
    await turn()
    expect(marks()).toEqual(["hello pending"])
    expect(sent[1]?.draft.clientId).toBe(clientId)
    sent[1]?.settle(Effect.fail(refused))
    await turn()
    actions.discard(registry, clientId)
    expect(marks()).toEqual([])
  })

  test("a message that is pending can be neither sent again nor dropped", async () => {
    const { actions, marks, registry, send, sent } = await setup()
    const clientId = send("hello")
    await turn()
    actions.retry(registry, clientId)
    actions.discard(registry, clientId)
    await turn()
    expect([marks(), sent.length]).toEqual([["hello pending"], 1])
  })

  test("messages that are written before the chat is open go out in their order", async () => {
    const line = makeLine()
    const registry = Registry.make()
    const kit = make(Layer.empty)
    const live = kit.live(Effect.zipRight(Effect.yieldNow(), line.open))
    watch(registry, live)
    registry.set(live, { conversationId: "c1", text: "one" })
    registry.set(live, { conversationId: "c1", text: "two" })
    await turn()
    expect(line.sent.map(({ draft }) => draft.text)).toEqual(["one", "two"])
  })

  test("without a chat that is open, a message fails at once", async () => {
    const { fail, last, send } = await setup()
    await fail(refused)
    send("hello")
    await turn()
    expect(last().outgoing[0]).toMatchObject({ status: "failed", error: { reason: "Closed" } })
  })

  test("ids are never the same", async () => {
    const { send } = await setup()
    expect(new Set(Array.from({ length: 100 }, () => send("x"))).size).toBe(100)
  })
})
