/** Providers that a project can switch on, and the answers of two (specification, point 7). */

import { DateTime } from "../kernel/codec/dates.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/** The settings of a provider, under names of its own. @category schemas */
export const ProviderSettings = /*#__PURE__*/ Entity.ownData(() => ({}))
export type ProviderSettings = Schema.Schema.Type<typeof ProviderSettings>

/** A provider of the client's project, and the body that some providers need for the switch. @category schemas */
export const SwitchProvider = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Id of the provider. */
    providerId: Entity.Id,
    /** What it is switched with. */
    payload: Schema.optional(ProviderSettings)
  }))()
export interface SwitchProvider extends Schema.Schema.Type<typeof SwitchProvider> {}

/**
 * A customer of the authentication provider, with the provider's fields as the platform passes them on.
 * @category schemas
 */
export const Customer = /*#__PURE__*/ Entity.make({}, () => ({
  /** Id of the customer. Assumed: the platform may differ. */
  _id: Entity.Id,
  /** E-mail address. Assumed: the platform may differ. */
  email: Schema.String,
  /** Full name. Assumed: the platform may differ. */
  name: Schema.String,
  /** Telephone number, with the code of its country. Assumed: the platform may differ. */
  phone: Entity.maybe(Schema.String),
  /** State of the account, such as `active`. Assumed: the platform may differ. */
  status: Entity.openLiteral("active"),
  /** When the customer signed up. Assumed: the platform may differ. */
  createdAt: DateTime
}))
export interface Customer extends Schema.Schema.Type<typeof Customer> {}

/**
 * A deal in Zoho, whose fields the platform passes on: what is sold to whom, how far it is, and its value in whole
 * units of `currency`.
 * @category schemas
 */
export const ZohoDeal = /*#__PURE__*/ Entity.make({}, () => ({
  /** Id of the deal. Assumed: the platform may differ. */
  _id: Entity.Id,
  /** What is sold. Assumed: the platform may differ. */
  name: Schema.String,
  /** How far it is, such as `Proposal`, `Closed won`. Assumed: the platform may differ. */
  stage: Schema.String,
  /** Its value, in whole units of `currency`, not cents: read it with `readNumber`. Assumed: the platform may differ. */
  amount: Schema.Number,
  /** Code of its currency, such as `USD` (ISO 4217). Assumed: the platform may differ. */
  currency: Schema.String,
  /** Full name of the buyer. Assumed: the platform may differ. */
  contact: Schema.String,
  /** When it is expected to be closed. Assumed: the platform may differ. */
  closesAt: DateTime
}))
export interface ZohoDeal extends Schema.Schema.Type<typeof ZohoDeal> {}
