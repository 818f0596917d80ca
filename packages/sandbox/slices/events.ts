/** Events of the end user: only their own. */

import * as Events from "@quartet/sdk/extend/operations/events"
import * as Effect from "effect/Effect"
import type { EndUserCaller } from "../platform/caller.js"
import { type Handler, handle } from "../platform/handler.js"
import type { Event } from "../state/entities.js"
import { changed, fieldsOf } from "../state/rows.js"
import { select } from "../state/select.js"
import { subjects } from "../state/subjects.js"

const isOf =
  ({ user }: EndUserCaller) =>
  ({ userId }: Event): boolean =>
    userId === user._id

export const events: ReadonlyArray<Handler> = [
  handle(Events.list, ({ caller, input, state }) => {
    const visibleEvents = [...state.events.filter(isOf(caller))]
    return select(
      visibleEvents.sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime()),
      input
    )
  }),

  handle(Events.update, ({ caller, input, now, state }) =>
    Effect.gen(function* () {
      const before = yield* state.events.get(input.id, isOf(caller))
      const fields = yield* fieldsOf(input.payload)
      return state.events.put(yield* changed(subjects.events, before, now, fields))
    })
  ),

  handle(Events.remove, ({ caller, input, state }) =>
    Effect.asVoid(state.events.remove(input.id, isOf(caller)))
  )
]
