/** Conversations and their messages, as admins read them. New messages go through the chat. */

import * as Conversations from "@quartet/sdk/extend/operations/conversations"
import * as Effect from "effect/Effect"
import { type Handler, handle } from "../platform/handler.js"
import { changed, fieldsOf } from "../state/rows.js"
import { select } from "../state/select.js"
import { subjects } from "../state/subjects.js"

export const conversations: ReadonlyArray<Handler> = [
  handle(Conversations.list, ({ input, state }) => {
    const latest = [...state.conversations.all()].sort(
      (a, b) => b.updatedAt.getTime() - a.updatedAt.getTime()
    )
    return select(latest, input)
  }),

  handle(Conversations.update, ({ input, now, state }) =>
    Effect.gen(function* () {
      const before = yield* state.conversations.get(input.id)
      const fields = yield* fieldsOf(input.payload)
      return state.conversations.put(yield* changed(subjects.conversations, before, now, fields))
    })
  ),

  handle(Conversations.messages, ({ input, state }) =>
    Effect.gen(function* () {
      const { id, ...query } = input
      yield* state.conversations.get(id)
      return yield* select(
        state.messages.filter((message) => message.conversationId === id),
        query
      )
    })
  ),

  handle(Conversations.markSeen, ({ input, state }) =>
    state.messages.change(
      input.messageId,
      (message) => ({ ...message, seen: true }),
      (message) => message.conversationId === input.id
    )
  )
]
