/** Boxes: a visitor sees those that belong to nobody, an end user their own. */

import * as Boxes from "@quartet/sdk/extend/operations/boxes"
import * as Effect from "effect/Effect"
import type { EndUserCaller, PublicCaller } from "../platform/caller.js"
import { type Handler, handle } from "../platform/handler.js"
import { Box } from "../state/entities.js"
import { changed, created, fieldsOf } from "../state/rows.js"
import { newest, select } from "../state/select.js"
import { subjects } from "../state/subjects.js"

const ownerOf = (caller: EndUserCaller | PublicCaller): string | null =>
  caller.audience === "endUser" ? caller.user._id : null

const isVisible =
  (caller: EndUserCaller | PublicCaller) =>
  (box: Box): boolean =>
    (box.userId ?? null) === ownerOf(caller)

export const boxes: ReadonlyArray<Handler> = [
  handle(Boxes.list, ({ caller, input, state }) =>
    select(newest(state.boxes.filter(isVisible(caller))), input)
  ),

  handle(
    Boxes.create,
    ({ caller, input, now, state }) =>
      Effect.gen(function* () {
        const values = yield* fieldsOf(input.payload)
        const fixed = { userId: ownerOf(caller) }
        return state.boxes.put(yield* created(Box, { now, state }, { values, fixed }))
      }),
    { status: 201 }
  ),

  handle(Boxes.get, ({ caller, input, state }) => state.boxes.get(input.id, isVisible(caller))),

  handle(Boxes.update, ({ caller, input, now, state }) =>
    Effect.gen(function* () {
      const before = yield* state.boxes.get(input.id, isVisible(caller))
      const fields = yield* fieldsOf(input.payload)
      return state.boxes.put(yield* changed(subjects.boxes, before, now, fields))
    })
  ),

  handle(Boxes.remove, ({ caller, input, state }) =>
    Effect.asVoid(state.boxes.remove(input.id, isVisible(caller)))
  )
]
