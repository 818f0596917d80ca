/** Orders and their groups: all of them for admins, their own for end users. */

import { orderStatuses } from "@quartet/sdk/extend/models/orders"
import * as Orders from "@quartet/sdk/extend/operations/orders"
import * as Effect from "effect/Effect"
import type { AdminCaller, EndUserCaller } from "../platform/caller.js"
import { type Handler, handle } from "../platform/handler.js"
import { conflict, invalid } from "../platform/refusal.js"
import { csvOf } from "../state/csv.js"
import { changed, fieldsOf, optionalFieldsOf, textOf } from "../state/rows.js"
import { chosen, newest, select } from "../state/select.js"
import { subjects } from "../state/subjects.js"

const isVisible =
  (caller: AdminCaller | EndUserCaller) =>
  ({ userId }: { readonly userId: string }): boolean =>
    caller.audience === "admin" || userId === caller.user._id

const columns = ["_id", "number", "userId", "status", "type", "total", "currency", "createdAt"] as const

export const orders: ReadonlyArray<Handler> = [
  handle(Orders.adminSearch, ({ input, state }) => select(newest(state.orders.all()), input)),

  handle(Orders.search, ({ caller, input, state }) =>
    Effect.flatMap(optionalFieldsOf(input.payload), (fields) =>
      select(newest(state.orders.filter(isVisible(caller))), fields)
    )
  ),

  handle(Orders.get, ({ caller, input, state }) => state.orders.get(input.id, isVisible(caller))),

  handle(Orders.adminUpdate, ({ input, now, state }) =>
    Effect.gen(function* () {
      const fields = yield* fieldsOf(input.payload)
      const before = yield* state.orders.get(yield* textOf(fields, "_id"))
      if (fields.status !== undefined && !orderStatuses.some((known) => known === fields.status))
        return yield* invalid("status", `must be one of ${orderStatuses.join(", ")}`)
      return state.orders.put(yield* changed(subjects.orders, before, now, fields))
    })
  ),

  handle(Orders.update, ({ caller, input, now, state }) =>
    Effect.gen(function* () {
      const fields = yield* fieldsOf(input.payload)
      const before = yield* state.orders.get(yield* textOf(fields, "_id"), isVisible(caller))
      if (fields.status !== undefined && fields.status !== before.status) {
        if (fields.status !== "cancelled")
          return yield* invalid("status", "can only become cancelled, by an end user")
        if (before.status !== "new" && before.status !== "confirmed")
          return yield* conflict(`an order that is ${before.status} cannot be cancelled`)
      }
      return state.orders.put(yield* changed(subjects.orders, before, now, { ...fields, type: before.type }))
    })
  ),

  handle(Orders.listV2, ({ input, state }) => select(newest(state.orders.all()), input)),

  handle(Orders.exportCsvV2, ({ input, state }) =>
    Effect.map(chosen(newest(state.orders.all()), input), (rows) => csvOf("orders.csv", columns, rows))
  ),

  handle(Orders.getV2, ({ input, state }) => state.orders.get(input.id)),

  handle(Orders.getGroup, ({ caller, input, state }) => state.orderGroups.get(input.id, isVisible(caller))),

  handle(Orders.searchGroups, ({ caller, input, state }) =>
    Effect.flatMap(optionalFieldsOf(input.payload), (fields) =>
      select(newest(state.orderGroups.filter(isVisible(caller))), fields)
    )
  )
]
