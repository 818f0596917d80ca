/** Providers of the project, switched on and off, and the answers of two of them. */

import * as Providers from "@quartet/sdk/extend/operations/providers"
import * as Effect from "effect/Effect"
import { type Handler, handle } from "../platform/handler.js"
import type { Refusal } from "../platform/refusal.js"
import type { Provider } from "../state/entities.js"
import { optionalFieldsOf, type RowContext } from "../state/rows.js"
import { newest, paged, select } from "../state/select.js"

/** Switches a provider, and stores the settings in the body. */
const turn = (
  { now, state }: RowContext,
  id: string,
  payload: unknown,
  isActive: boolean
): Effect.Effect<Provider, Refusal> =>
  Effect.gen(function* () {
    const fields = yield* optionalFieldsOf(payload)
    const settings = Object.keys(fields).length === 0 ? {} : { settings: fields }
    return yield* state.providers.change(id, (provider) => ({
      ...provider,
      ...settings,
      isActive,
      updatedAt: now
    }))
  })

export const providers: ReadonlyArray<Handler> = [
  handle(Providers.list, ({ state }) => paged(state.providers.all(), { limit: 500 }), { bare: true }),

  handle(Providers.activate, (call) => turn(call, call.input.providerId, call.input.payload, true)),

  handle(Providers.deactivate, (call) => turn(call, call.input.providerId, call.input.payload, false)),

  handle(Providers.authenticationCustomers, ({ input, state }) => {
    const customers = newest(state.users.all()).map(({ _id, createdAt, email, fullName, phone, status }) => ({
      _id,
      email,
      name: fullName,
      phone: phone ?? null,
      status,
      createdAt
    }))
    return select(customers, input)
  }),

  handle(Providers.zohoDeals, ({ input, state }) => select(state.deals.all(), input))
]
