/** The clients under torture: all four audiences over one transport, each group with budgets of its own. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { accounts } from "../../adapters/sandbox/accounts.js"
import * as Admin from "../../clients/admin/index.js"
import * as EndUser from "../../clients/end-user/index.js"
import * as Private from "../../clients/private/index.js"
import { createPublicClient, type PublicClient } from "../../clients/promise/index.js"
import * as Public from "../../clients/public/index.js"
import type { Bindable } from "../../core/kernel/dispatch/dispatcher.js"
import type { Policy } from "../../core/kernel/dispatch/retry.js"
import { type Opened, openTransport, over, type TransportName } from "../support/transports.js"

export type { TransportName }

export const transportNames: ReadonlyArray<TransportName> = ["undici", "fetch"]

/** A transport and what ends it. */
export interface Way extends Opened {
  readonly name: TransportName
}

/** A transport as users make it: undici with its own agent, fetch with Node's. */
export const openWay = (name: TransportName, connections = 64): Way => ({
  name,
  ...openTransport(name, connections)
})

/** One client of each audience, and a visitor's without Effect. */
export interface Group {
  readonly way: TransportName
  readonly admin: Admin.Service
  readonly visitor: Bindable
  readonly endUser: Bindable
  readonly server: Bindable
  readonly promised: PublicClient
}

/** Corrupted answers drift from what is declared, as they have to: the table is not to drown in it. */
export const quiet = { logDrift: false }

/** An admin's client. Nothing is sent before its first call. */
export const makeAdmin = (
  way: Way,
  baseUrl: string,
  policy: Partial<Policy>,
  signInCooldown?: number
): Admin.Service =>
  over(
    way.transport,
    Admin.make({
      baseUrl,
      projectId: accounts.projectId,
      apiKey: accounts.apiKey,
      ...accounts.admin,
      ...quiet,
      policy,
      ...(signInCooldown === undefined ? {} : { signInCooldown })
    })
  )

/** Signs an admin in, before the faults begin: calls that wait for a sign-in are the matter of one line alone. */
export const signIn = (admin: Admin.Service): Promise<unknown> =>
  Effect.runPromise(Effect.provideService(Admin.requests.list({ limit: 1 }), Admin.Client, admin))

export const makeVisitor = (way: Way, baseUrl: string, policy: Partial<Policy>): Bindable =>
  over(way.transport, Public.make({ baseUrl, apiKey: accounts.apiKey, ...quiet, policy }))

/** The session of a seeded end user, from a sign-in past all faults. */
export const endUserSession = async (way: Way, directUrl: string): Promise<string> => {
  const visitor = makeVisitor(way, directUrl, {})
  const signIn = Effect.provideService(Public.auth.login(accounts.endUsers.ana), Public.Client, visitor)
  const { sessionId } = await Effect.runPromise(signIn)
  return sessionId ?? ""
}

/** Makes the clients of one group, all of which call `baseUrl`. */
export const makeGroup = (way: Way, baseUrl: string, sessionId: string, policy: Partial<Policy>): Group => ({
  way: way.name,
  admin: makeAdmin(way, baseUrl, policy),
  visitor: makeVisitor(way, baseUrl, policy),
  endUser: over(
    way.transport,
    EndUser.make({ baseUrl, apiKey: accounts.apiKey, sessionId, ...quiet, policy })
  ),
  server: over(way.transport, Private.make({ baseUrl, privateKey: accounts.privateKey, ...quiet, policy })),
  promised: createPublicClient({
    baseUrl,
    apiKey: accounts.apiKey,
    onDrift: () => undefined,
    policy,
    transport: way.transport
  })
})

/** Runs a call of a group's admin, visitor, end user or server. */
const as =
  <Id, S>(tag: Context.Tag<Id, S>, of: (group: Group) => S) =>
  <A, E>(call: Effect.Effect<A, E, Id>) =>
  (group: Group): Effect.Effect<A, E> =>
    Effect.provideService(call, tag, of(group))
export const asAdmin = as(Admin.Client, ({ admin }) => admin)
export const asVisitor = as(Public.Client, ({ visitor }) => visitor)
export const asEndUser = as(EndUser.Client, ({ endUser }) => endUser)
export const asServer = as(Private.Client, ({ server }) => server)
