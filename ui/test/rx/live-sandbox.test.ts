// The chat over real sockets and real HTTP: what it tells stands in the lists that the platform would answer now.

import { accounts } from "@quartet/sandbox"
import * as SocketChat from "@quartet/sdk/adapters/socket"
import * as UndiciTransport from "@quartet/sdk/adapters/undici"
import * as Admin from "@quartet/sdk/admin"
import { eventually } from "@quartet/support/eventually.js"
import { answerOf, makeScreen } from "@quartet/support/react.js"
import { servedSandbox } from "@quartet/support/sandboxes.js"
import { Effect, Layer } from "effect"
import { expect, test } from "vitest"
import { entities, live, makeQueryClient, outdates } from "../../rx/index.js"

const served = servedSandbox()

const adminLayer = () => {
  const { admin: account, apiKey, projectId } = accounts
  const admin = Admin.layer({ baseUrl: served().url, projectId, apiKey, ...account })
  return Layer.merge(Layer.provide(admin, UndiciTransport.layer), SocketChat.layer)
}

test("what is said, seen and said during an outage is in the lists without their being asked", async () => {
  const { control, hub } = served()
  const [talk] = control.state.conversations.all()
  if (talk === undefined) throw new Error("there is no conversation")
  const { _id: id, userId } = talk
  const client = makeQueryClient(adminLayer(), { staleTime: 1_000_000 })
  const chat = client.chat(Admin.chat.open())
  const { conversations } = Admin
  const events = live(
    client,
    chat,
    entities(conversations.messages, (message, list) =>
      message.conversationId === list.id ? "end" : "none"
    ),
    outdates(conversations.list)
  )
  const { registry, watch } = makeScreen()
  const messages = watch(client.query(conversations.messages, { id }))
  const pages = watch(client.infiniteQuery(conversations.messages, { id }, { limit: 50 }))
  const talks = watch(client.query(conversations.list))
  const shown = watch(chat)
  watch(events)
  const messageReads = () =>
    control.log().filter(({ operation }) => operation === "conversations.messages").length
  const say = (text: string) => Effect.runPromise(hub.sayAs(userId, { conversationId: id, text }))
  const last = () => answerOf(messages.last()).items.at(-1)
  /** Everything that shows the message, once the sockets have brought it. */
  const isShown = (text: string) =>
    eventually(() => {
      expect(last()?.text).toBe(text)
      expect(answerOf(pages.last()).items.at(-1)?.text).toBe(text)
      expect(answerOf(talks.last()).items[0]).toMatchObject({ _id: id, lastMessage: text })
      expect(shown.last().messages.at(-1)?.text).toBe(text)
    })

  await eventually(() => expect(shown.last().connection.status).toBe("connected"))
  await eventually(() => expect(messageReads()).toBe(4))
  await say("Is the lift repaired?")
  await isShown("Is the lift repaired?")
  registry.set(chat, { conversationId: id, text: "It is." })
  await isShown("It is.")
  expect(last()?.createdAt).toBeInstanceOf(Date)
  expect(messageReads()).toBe(4)

  const { _id: messageId = "" } = last() ?? {}
  await Effect.runPromise(conversations.markSeen({ id, messageId }).pipe(Effect.provide(adminLayer())))
  await eventually(() => {
    expect(last()?.seen).toBe(true)
    expect(answerOf(pages.last()).items.at(-1)?.seen).toBe(true)
    expect(shown.last().messages.at(-1)?.seen).toBe(true)
  })
  expect(messageReads()).toBe(4)

  hub.disconnectAll()
  await say("Thank you!")
  await isShown("Thank you!")
  const truth = control.state.messages.filter(({ conversationId }) => conversationId === id)
  const ids = truth.map(({ _id }) => _id)
  expect(answerOf(messages.last()).items.map(({ _id }) => _id)).toEqual(ids)
  expect(answerOf(pages.last()).items.map(({ _id }) => _id)).toEqual(ids)
  registry.dispose()
})
