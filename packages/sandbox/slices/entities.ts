/** Entities of project-defined kinds. A kind exists as soon as it has an entity. */

import * as Entities from "@quartet/sdk/extend/operations/entities"
import * as Effect from "effect/Effect"
import { type Handler, handle } from "../platform/handler.js"
import { ProjectEntity } from "../state/entities.js"
import { changed, created, fieldsOf } from "../state/rows.js"
import { select } from "../state/select.js"
import { subjects } from "../state/subjects.js"

const isOf =
  (kind: string) =>
  (entity: ProjectEntity): boolean =>
    entity.kind === kind

export const entities: ReadonlyArray<Handler> = [
  handle(Entities.list, ({ input, state }) => {
    const { kind, ...query } = input
    return select(state.entities.part(kind), query)
  }),

  handle(
    Entities.create,
    ({ input, now, state }) =>
      Effect.gen(function* () {
        const values = yield* fieldsOf(input.payload)
        const fixed = { kind: input.kind }
        return state.entities.put(yield* created(ProjectEntity, { now, state }, { values, fixed }))
      }),
    { status: 201 }
  ),

  handle(Entities.get, ({ input, state }) => state.entities.get(input.id, isOf(input.kind))),

  handle(Entities.update, ({ input, now, state }) =>
    Effect.gen(function* () {
      const before = yield* state.entities.get(input.id, isOf(input.kind))
      const fields = yield* fieldsOf(input.payload)
      return state.entities.put(yield* changed(subjects.entities, before, now, fields))
    })
  ),

  handle(Entities.remove, ({ input, state }) =>
    Effect.asVoid(state.entities.remove(input.id, isOf(input.kind)))
  )
]
