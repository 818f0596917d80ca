/** Providers that a project can switch on, and the answers of two (specification, point 7). */

import { DateTime } from "../kernel/codec/dates.js"
import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/** A provider of the client's project, and the body that some providers need for the switch. @category schemas */
export const SwitchProvider = Schema.Struct({
  providerId: Entity.Id,
  payload: Schema.optional(Schema.Unknown)
})
export interface SwitchProvider extends Schema.Schema.Type<typeof SwitchProvider> {}

/** A customer of the authentication provider, with the provider's fields. @category schemas */
export const Customer = Entity.open({})
export interface Customer extends Schema.Schema.Type<typeof Customer> {}

/** A deal in Zoho, with Zoho's fields. @category schemas */
export const ZohoDeal = Entity.open({})
export interface ZohoDeal extends Schema.Schema.Type<typeof ZohoDeal> {}

/** What a deal of the CRM holds, as far as it is assumed. @category schemas */
export const DealRow = /*#__PURE__*/ Row.part(() => ({
  _id: Entity.Id,
  name: Schema.String,
  stage: Schema.String,
  amount: Schema.Number,
  currency: Schema.String,
  contact: Schema.String,
  closesAt: DateTime
}))
