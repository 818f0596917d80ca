/** The signed-in end user, read on demand once (specification, point 1). */
import type { User } from "../../core/auth/model.js"
import * as Auth from "../../core/auth/operations.js"
import * as OnDemand from "../../core/kernel/session/on-demand.js"
import { Client } from "./client.js"

/** The signed-in end user. @category operations */
export const me: OnDemand.OnDemand<User, Client> = /*#__PURE__*/ OnDemand.make(Client, ({ dispatcher }) =>
  dispatcher.call(Auth.self, {})
)
