/** A chat whose other end is the test. */
import { Registry } from "@effect-rx/rx-react"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Mailbox from "effect/Mailbox"
import * as Subscribable from "effect/Subscribable"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { ChatError } from "../../../core/chat/errors.js"
import type { ChatEvent, Draft, Message, Sent } from "../../../core/chat/model.js"
import type { State } from "../../../core/chat/state.js"
import { type ChatSource, type ChatStoreOptions, makeQueryClient } from "../../../ui/rx/index.js"
import { makeSignal, turn, watch } from "./scripted.js"

/** A message of the conversation c1. */
export const message = (id: string, more: Partial<Message> = {}): Message => ({
  _id: id,
  conversationId: "c1",
  text: id,
  ...more
})

/** Makes a line, and the means to speak on it. */
export const makeChatSource = () => {
  const mailbox = Effect.runSync(Mailbox.make<ChatEvent, ChatError>())
  const history = Effect.runSync(Mailbox.make<ReadonlyArray<Message>, ChatError>())
  const state = Effect.runSync(SubscriptionRef.make<State>({ status: "connecting" }))
  const sent: Array<{
    readonly draft: Draft
    readonly settle: (sent: Effect.Effect<Sent, ChatError>) => void
  }> = []
  let opened = 0
  let closed = 0
  const line: ChatSource = {
    events: Mailbox.toStream(mailbox),
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
      mailbox.unsafeOfferAll(messages.map((message) => ({ _tag: "Message", message })))
      await turn()
    },
    update: async (...messages: ReadonlyArray<Message>) => {
      mailbox.unsafeOfferAll(messages.map((message) => ({ _tag: "Update", message })))
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

export const refused = new ChatError({ operation: "chat.open", reason: "Refused", detail: "no" })

/** A chat on a screen. */
export const setup = async (options: ChatStoreOptions = {}) => {
  const line = makeChatSource()
  const reconnect = makeSignal()
  const client = makeQueryClient(Layer.empty, { reconnect: reconnect.signal })
  const live = client.chat(line.open, options)
  const registry = Registry.make()
  const seen = watch(registry, live)
  await turn()
  const texts = () => seen.last().messages.map(({ _id }) => _id)
  const marks = () => seen.last().outgoing.map(({ draft, status }) => `${draft.text} ${status}`)
  const actions = live.actions(registry)
  const send = async (text: string) => {
    const clientId = actions.send({ conversationId: "c1", text })
    await turn()
    return clientId
  }
  return { ...line, ...seen, live, registry, reconnect, texts, marks, actions, send }
}
