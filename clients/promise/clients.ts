/** Converts a client with Effects to one with Promises: its slices and its other members. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Admin from "../admin/client.js"
import * as AdminOnDemand from "../admin/on-demand.js"
import * as Tenants from "../admin/tenants.js"
import type * as EndUser from "../end-user/client.js"
import * as EndUserOnDemand from "../end-user/on-demand.js"
import type * as Private from "../private/client.js"
import * as PrivateOnDemand from "../private/on-demand.js"
import type * as Public from "../public/client.js"
import * as PublicOnDemand from "../public/on-demand.js"
import {
  type AdminCaller,
  type Check,
  type CheckArgs,
  can,
  check,
  createOnboarding,
  type Decision,
  type PromiseOnboarding,
  signOut
} from "./admin.js"
import { type Closeable, type HasParts, parts } from "./caller.js"
import * as AdminCalls from "./calls/admin.js"
import * as EndUserCalls from "./calls/end-user.js"
import * as PrivateCalls from "./calls/private.js"
import * as PublicCalls from "./calls/public.js"
import { type Collections, makeCollections } from "./content.js"
import type { EndUserCaller } from "./end-user.js"
import { makeMethods } from "./methods.js"
import { makeOnDemand, type OnDemandMembers } from "./on-demand.js"
import type { Chats } from "./open-chat.js"
import { signalOf } from "./options.js"
import type { PrivateCaller } from "./private.js"
import type { PublicCaller } from "./public.js"
import { rejection } from "./rejection.js"
import { makeSlices } from "./slices.js"

/** The members of an admin client besides its slices. @category models */
export interface AdminExtras {
  /** The admin's session: sign out, and ask whether the access token permits a call. */
  readonly session: {
    /** Forgets the session, here and in the store, and closes its chats. The next call signs in again. */
    readonly signOut: () => Promise<void>
    /**
     * Whether the access token permits a call, or an action on a resource at a level (`Write` by default):
     * `can(admin.requests.markSeen)`, `can("requests", "markSeen", Level.Read, { reading: "asBuilt" })`. Signs in if
     * necessary, and sends nothing else. Early feedback: the platform decides.
     */
    readonly can: Check<Promise<boolean>>
    /** The same with what was looked for and which grant was found. */
    readonly check: Check<Promise<Decision>>
  }
  /** The chat of admins: it brings new messages of conversations as they are written, and sends. End users have none here. */
  readonly chat: Chats
  /** A new project's tasks, documents, prices and figures, held locally: nothing is sent. */
  readonly onboarding: PromiseOnboarding
  /** Conversation topics and action categories of the projects that have them. */
  readonly tenants: typeof Tenants
}

type Client<Id, Calls, OnDemand> = Calls &
  Closeable &
  HasParts<Id> & {
    /** What the client reads once, when it is first asked for, and keeps. */
    readonly onDemand: OnDemandMembers<OnDemand>
  }

/** The client of project administrators. @category models */
export type AdminClient = Client<Admin.Client, AdminCalls.Calls, typeof AdminOnDemand> & AdminExtras
/** The client of visitors. It has no chat: admins alone do. @category models */
export type PublicClient = Client<Public.Client, PublicCalls.Calls, typeof PublicOnDemand> & {
  /** A project's content: its entries, and collections of one content model as your own type. */
  readonly content: Collections
}
/** The client of servers. It has no chat: admins alone do. @category models */
export type PrivateClient = Client<Private.Client, PrivateCalls.Calls, typeof PrivateOnDemand>
/** The client of a signed-in end user. It has no chat: admins alone do, and read what end users write. @category models */
export type EndUserClient = Client<EndUser.Client, EndUserCalls.Calls, typeof EndUserOnDemand>

/** Makes the chat of one client. Its code is loaded by the first chat. */
const makeChats = (admin: AdminCaller[typeof parts]): Chats => ({
  open: (options, cancellable) =>
    Either.match(signalOf("chat.open", cancellable), {
      onLeft: rejection,
      onRight: (signal) => {
        const opened = Effect.flatMap(
          Effect.promise(() => import("./open-chat.js")),
          ({ opening }) => opening(admin, options, signal)
        )
        return admin.runner.runEffect("chat.open", opened, signal)
      }
    })
})

export const ofAdmins = (caller: AdminCaller): AdminClient => {
  const ownParts = caller[parts]
  const onboarding = createOnboarding(caller)
  return {
    ...makeSlices<AdminCalls.Calls>(AdminCalls.operations, makeMethods(ownParts)),
    ...caller,
    // What a derived client goes through of the onboarding, this one has gone through too.
    [parts]: { ...ownParts, remake: (...args) => ({ ...ofAdmins(ownParts.derive(...args)), onboarding }) },
    onDemand: makeOnDemand(AdminOnDemand, ownParts),
    session: {
      signOut: () => signOut(caller),
      can: (...args: CheckArgs) => can(caller, ...args),
      check: (...args: CheckArgs) => check(caller, ...args)
    },
    chat: makeChats(ownParts),
    onboarding,
    tenants: Tenants
  }
}

export const ofVisitors = (caller: PublicCaller): PublicClient => {
  const ownParts = caller[parts]
  const methods = makeMethods(ownParts)
  const slices = makeSlices<PublicCalls.Calls>(PublicCalls.operations, methods)
  return {
    ...slices,
    ...caller,
    [parts]: { ...ownParts, remake: (...args) => ofVisitors(ownParts.derive(...args)) },
    onDemand: makeOnDemand(PublicOnDemand, ownParts),
    content: { ...slices.content, ...makeCollections(methods) }
  }
}

export const ofServers = (caller: PrivateCaller): PrivateClient => {
  const ownParts = caller[parts]
  return {
    ...makeSlices<PrivateCalls.Calls>(PrivateCalls.operations, makeMethods(ownParts)),
    ...caller,
    [parts]: { ...ownParts, remake: (...args) => ofServers(ownParts.derive(...args)) },
    onDemand: makeOnDemand(PrivateOnDemand, ownParts)
  }
}

export const ofEndUsers = (caller: EndUserCaller): EndUserClient => {
  const ownParts = caller[parts]
  return {
    ...makeSlices<EndUserCalls.Calls>(EndUserCalls.operations, makeMethods(ownParts)),
    ...caller,
    [parts]: { ...ownParts, remake: (...args) => ofEndUsers(ownParts.derive(...args)) },
    onDemand: makeOnDemand(EndUserOnDemand, ownParts)
  }
}
