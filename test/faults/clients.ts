/** The clients under torture: all four audiences over one transport, each group with budgets of its own. */

import { accounts } from "@quartet/sandbox"
import { openTransport, over, type TransportName } from "@quartet/support/transports.js"
import { type Context, Effect } from "effect"
import * as Admin from "../../clients/admin/index.js"
import * as EndUser from "../../clients/end-user/index.js"
import * as Private from "../../clients/private/index.js"
import { createPublicClient } from "../../clients/promise/index.js"
import * as Public from "../../clients/public/index.js"
import type { Bindable } from "../../core/kernel/dispatch/dispatcher.js"
import type { Policy } from "../../core/kernel/dispatch/retry.js"

export type { TransportName }

export const transportNames: ReadonlyArray<TransportName> = ["undici", "fetch"]

/** A transport as users make it: undici with its own agent, fetch with Node's. */
export const openWay = (name: TransportName, connections = 64) => ({
  name,
  ...openTransport(name, connections)
})
export type Way = ReturnType<typeof openWay>

/** Corrupted answers drift from what is declared, as they have to: the table is not to drown in it. */
export const quiet = { logDrift: false }

const common = { apiKey: accounts.apiKey, ...quiet }

export const makeAdmin = (
  way: Way,
  baseUrl: string,
  policy: Partial<Policy>,
  signInCooldown = 5_000
): Admin.Service => {
  const { admin, projectId } = accounts
  return over(way.transport, Admin.make({ ...common, ...admin, projectId, baseUrl, policy, signInCooldown }))
}

/** Signs an admin in, before the faults begin: calls that wait for a sign-in are the matter of one scenario alone. */
export const signIn = (admin: Admin.Service): Promise<unknown> =>
  Effect.runPromise(asAdmin(Admin.requests.list({ limit: 1 }))({ admin }))

export const makeVisitor = (way: Way, baseUrl: string, policy: Partial<Policy>): Bindable =>
  over(way.transport, Public.make({ ...common, baseUrl, policy }))

/** The session of a seeded end user, from a sign-in past all faults. */
export const endUserSession = async (way: Way, directUrl: string): Promise<string> => {
  const visitor = makeVisitor(way, directUrl, {})
  const { sessionId } = await Effect.runPromise(
    asVisitor(Public.auth.login(accounts.endUsers.ana))({ visitor })
  )
  return String(sessionId ?? "")
}

/** One client of each audience, and a visitor's without Effect. */
export const makeGroup = (way: Way, baseUrl: string, sessionId: string, policy: Partial<Policy>) => {
  const { apiKey, privateKey } = accounts
  const { transport } = way
  return {
    way: way.name,
    admin: makeAdmin(way, baseUrl, policy),
    visitor: makeVisitor(way, baseUrl, policy),
    endUser: over(transport, EndUser.make({ ...common, baseUrl, sessionId, policy })),
    server: over(transport, Private.make({ ...quiet, baseUrl, privateKey, policy })),
    promised: createPublicClient({ baseUrl, apiKey, ...quiet, policy, transport })
  }
}
export type Group = ReturnType<typeof makeGroup>

/** Runs a call of one client of a group. */
const as =
  <Id, Name extends "admin" | "visitor" | "endUser" | "server">(
    tag: Context.Tag<Id, Group[Name]>,
    name: Name
  ) =>
  <A, E>(call: Effect.Effect<A, E, Id>) =>
  (group: Pick<Group, Name>): Effect.Effect<A, E> =>
    Effect.provideService(call, tag, group[name])
export const asAdmin = as(Admin.Client, "admin")
export const asVisitor = as(Public.Client, "visitor")
export const asEndUser = as(EndUser.Client, "endUser")
export const asServer = as(Private.Client, "server")
