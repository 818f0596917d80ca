/** A project's providers, for admins. */
import * as Providers from "../../core/providers/operations.js"
import { bind } from "./client.js"

export const list = /*#__PURE__*/ bind(Providers.list)
export const activate = /*#__PURE__*/ bind(Providers.activate)
export const deactivate = /*#__PURE__*/ bind(Providers.deactivate)
export const authenticationCustomers = /*#__PURE__*/ bind(Providers.authenticationCustomers)
export const zohoDeals = /*#__PURE__*/ bind(Providers.zohoDeals)
