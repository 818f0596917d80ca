/** Providers that a project can switch on, and what two of them answer (specification, point 7). */
import * as Schema from "effect/Schema"
import * as Entity from "../kernel/operation/entity.js"

/** A provider of the client's project, and the body that some providers need to be switched. */
export const SwitchProvider = Schema.Struct({
  providerId: Entity.Id,
  payload: Schema.optional(Schema.Unknown)
})
export interface SwitchProvider extends Schema.Schema.Type<typeof SwitchProvider> {}

/** A customer of the authentication provider, with the fields that the provider gives. */
export const Customer = Entity.open({})
export interface Customer extends Schema.Schema.Type<typeof Customer> {}

/** A deal kept in Zoho, with the fields that Zoho gives. */
export const ZohoDeal = Entity.open({})
export interface ZohoDeal extends Schema.Schema.Type<typeof ZohoDeal> {}
