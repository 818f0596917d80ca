/** The calls on a project's providers (specification, point 7). */
import { type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Level from "../permissions/level.js"
import { Provider } from "../projects/model.js"
import { Customer, SwitchProvider, ZohoDeal } from "./model.js"

/** Lists the providers of the client's project. */
export const list: Operation<Entity.Nothing, Page<Provider>, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "providers.list",
  () => ({
    method: "GET",
    path: "project/{projectId}/provider",
    audiences: ["admin"],
    input: Entity.Nothing,
    success: page(Provider),
    requires: Level.Read
  })
)

/** Switches a provider on. */
export const activate: Operation<SwitchProvider, Provider, "admin", "write"> = /*#__PURE__*/ Operation.make(
  "providers.activate",
  () => ({
    method: "POST",
    path: "project/{projectId}/provider/{providerId}/activate",
    audiences: ["admin"],
    input: SwitchProvider,
    success: Provider,
    requires: Level.Write
  })
)

/** Switches a provider off. */
export const deactivate: Operation<SwitchProvider, Provider, "admin", "write"> = /*#__PURE__*/ Operation.make(
  "providers.deactivate",
  () => ({
    method: "POST",
    path: "project/{projectId}/provider/{providerId}/deactivate",
    audiences: ["admin"],
    input: SwitchProvider,
    success: Provider,
    requires: Level.Write
  })
)

/** Lists the customers of the authentication provider. */
export const authenticationCustomers: Operation<
  Entity.List,
  Page<Customer>,
  "admin",
  "read"
> = /*#__PURE__*/ Operation.make("providers.authenticationCustomers", () => ({
  method: "GET",
  path: "provider/authentication/customers",
  audiences: ["admin"],
  input: Entity.List,
  success: page(Customer),
  requires: Level.Read
}))

/** Lists the deals in Zoho. */
export const zohoDeals: Operation<
  Entity.List,
  Page<ZohoDeal>,
  "admin",
  "read"
> = /*#__PURE__*/ Operation.make("providers.zohoDeals", () => ({
  method: "GET",
  path: "provider/zohodeals",
  audiences: ["admin"],
  input: Entity.List,
  success: page(ZohoDeal),
  requires: Level.Read
}))
