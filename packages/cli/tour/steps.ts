/** The steps of the tour: each of the four clients makes changes that the others then see. */

import { pages } from "@quartet/sdk"
import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user"
import type { Bindable, Chat, ChatSocket, Transport } from "@quartet/sdk/extend"
import * as Private from "@quartet/sdk/private"
import * as Public from "@quartet/sdk/public"
import * as Chunk from "effect/Chunk"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Places } from "./places.js"
import type { Step } from "./walk.js"

type Needs = Admin.Client | Public.Client | Private.Client | Transport | ChatSocket | Scope.Scope

/** Results of earlier steps for later ones. */
interface Memory {
  user?: { readonly client: Bindable; readonly id: string }
  request?: { readonly id: string; readonly version: number }
  conversationId?: string
  chats?: readonly [Chat, Chat]
  notice?: string
}

const missing = (what: string): Error => new Error(`there is no ${what}: an earlier step must have failed`)

const need = <A>(value: A | undefined, what: string): Effect.Effect<A, Error> =>
  value === undefined ? Effect.fail(missing(what)) : Effect.succeed(value)

const holds = (isSo: boolean, complaint: string): Effect.Effect<void, Error> =>
  isSo ? Effect.void : Effect.fail(new Error(complaint))

const quoted = (text: unknown): string => `“${String(text)}”`

/** Waits until a chat receives a message with this text. */
const hears = (chat: Chat, text: string): Effect.Effect<void, unknown> =>
  chat.messages.pipe(
    Stream.filter((message) => message.text === text),
    Stream.runHead,
    Effect.asVoid
  )

export const steps = (places: Places): ReadonlyArray<Step<Needs>> => {
  const memory: Memory = {}
  const mark = Math.random().toString(36).slice(2, 8)

  const asUser = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(need(memory.user, "signed-in end user"), ({ client }) =>
      Effect.provideService(effect, EndUser.Client, client)
    )

  return [
    {
      who: "visitor",
      what: "reads the project",
      run: Effect.map(Public.project.self(), (project) => quoted(project.name ?? project._id))
    },
    {
      who: "visitor",
      what: "searches the shop's items",
      run: Effect.map(Public.items.search({ payload: { limit: 3 } }), ({ items, paging }) => {
        const total = paging.total ?? items.length
        return `${total} items, the first is ${quoted(items[0]?.name ?? items[0]?._id)}`
      })
    },
    {
      who: "admin",
      what: "signs in, on the new and the legacy API",
      run: Effect.flatMap(Admin.Client, ({ session }) =>
        Effect.as(Effect.clockWith(session.getCredentials), `as ${places.admin.email}`)
      )
    },
    {
      who: "end user",
      what: "signs in with the project's key",
      run: Effect.gen(function* () {
        const client = yield* EndUser.signIn({
          ...places.user,
          baseUrl: places.baseUrl,
          apiKey: places.apiKey
        })
        const self = yield* Effect.provideService(EndUser.auth.self(), EndUser.Client, client)
        memory.user = { client, id: self._id }
        return `as ${self.email ?? self._id}`
      })
    },
    {
      who: "end user",
      what: "files a request",
      run: Effect.gen(function* () {
        const payload = { type: "MAINTENANCE", description: `The kitchen tap drips (${mark})` }
        const request = yield* asUser(EndUser.requests.create({ payload }))
        memory.request = { id: request._id, version: request.version ?? 0 }
        return `${request.type ?? "request"}, ${request.status ?? "filed"}`
      })
    },
    {
      who: "admin",
      what: "finds it among all pending ones",
      run: Effect.gen(function* () {
        const { id } = yield* need(memory.request, "request")
        const all = yield* Stream.runCollect(
          pages(Admin.requests.list, { statusIn: ["pending"] }, { limit: 50 })
        )
        yield* holds(
          Chunk.some(all, (entry) => entry._id === id),
          "the admin's list does not hold the new request"
        )
        return `one of ${Chunk.size(all)}`
      })
    },
    {
      who: "admin",
      what: "comments it and marks it seen",
      run: Effect.gen(function* () {
        const { id } = yield* need(memory.request, "request")
        const commented = yield* Admin.requests.addComment({ id, payload: { text: "We are on our way." } })
        const version = commented.version ?? 0
        yield* Admin.requests.markSeen({ id, version })
        memory.request = { id, version }
        return `at version ${version}`
      })
    },
    {
      who: "end user",
      what: "reads the comment",
      run: Effect.gen(function* () {
        const { id } = yield* need(memory.request, "request")
        const request = yield* asUser(EndUser.requests.get({ id }))
        const text = request.comments?.at(-1)?.text
        yield* holds(text === "We are on our way.", "the end user does not see the admin's comment")
        return quoted(text)
      })
    },
    {
      who: "admin",
      what: "opens the chat twice, over socket.io",
      run: Effect.gen(function* () {
        const { items } = yield* Admin.conversations.list()
        memory.conversationId = yield* need(items[0]?._id, "conversation")
        memory.chats = yield* Effect.all([Admin.chat.open(), Admin.chat.open()])
        return `${items.length} conversations, two connections`
      })
    },
    {
      who: "both",
      what: "hear each other in the chat",
      run: Effect.gen(function* () {
        const [here, there] = yield* need(memory.chats, "open chat")
        const conversationId = yield* need(memory.conversationId, "conversation")
        const say = (from: Chat, to: Chat, text: string) =>
          Effect.all(
            [hears(to, text), Effect.delay(from.send({ conversationId, text }), Duration.millis(20))],
            {
              concurrency: 2
            }
          )
        yield* say(here, there, `Hello (${mark})`)
        yield* say(there, here, `Hello back (${mark})`)
        yield* Effect.all([here.close, there.close])
        return "one message each way"
      })
    },
    {
      who: "server",
      what: "notifies the end user in the app",
      run: Effect.gen(function* () {
        const { id } = yield* need(memory.user, "signed-in end user")
        memory.notice = `Your plumber is booked (${mark})`
        yield* Private.notifications.sendInApp({ payload: { userId: id, title: memory.notice } })
        return quoted(memory.notice)
      })
    },
    {
      who: "end user",
      what: "reads it and marks it seen",
      run: Effect.gen(function* () {
        const { items } = yield* asUser(EndUser.notifications.list())
        const notice = items.find((entry) => entry.title === memory.notice)
        const { _id } = yield* need(notice, "such notification among the end user's")
        yield* asUser(EndUser.notifications.markSeen({ id: _id }))
        return `the newest of ${items.length}`
      })
    }
  ]
}
