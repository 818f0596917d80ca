/** Converts a client with Effects to one with Promises: its slices and its other members. */
import type { Bindable } from "../../core/kernel/dispatch/dispatcher.js"
import { make as hold } from "../../core/onboarding/held.js"
import type { Onboarding } from "../../core/onboarding/model.js"
import type { Service as ChatSocket } from "../../core/ports/chat-socket.js"
import * as AdminClientModule from "../admin/client.js"
import * as AdminOnDemand from "../admin/on-demand.js"
import * as Tenants from "../admin/tenants.js"
import * as EndUserClientModule from "../end-user/client.js"
import * as EndUserOnDemand from "../end-user/on-demand.js"
import * as PrivateClientModule from "../private/client.js"
import * as PrivateOnDemand from "../private/on-demand.js"
import * as PublicClientModule from "../public/client.js"
import * as PublicOnDemand from "../public/on-demand.js"
import * as AdminCalls from "./calls/admin.js"
import * as EndUserCalls from "./calls/end-user.js"
import * as PrivateCalls from "./calls/private.js"
import * as PublicCalls from "./calls/public.js"
import { makeChats } from "./chat.js"
import { type Collections, makeCollections } from "./content.js"
import { type Methods, makeMethods } from "./methods.js"
import { makeOnDemand, type OnDemandMembers } from "./on-demand.js"
import { makeOnboarding, type PromiseOnboarding } from "./onboarding.js"
import type { Chats } from "./open-chat.js"
import { makeRunner, type Runner } from "./run.js"
import { makeSlices } from "./slices.js"

/** The members of every Promise client besides its slices. @category models */
export interface Closeable extends AsyncDisposable {
  /**
   * Cancels calls, loops over pages and downloads in flight, which reject with an AbortError, closes chats, whose loops
   * end, and refuses later calls.
   */
  readonly close: () => Promise<void>
}

/** The members of an admin client besides its slices. @category models */
export interface AdminExtras {
  readonly session: {
    /** Forgets the session, here and in the store, and closes its chats. The next call signs in again. */
    readonly signOut: () => Promise<void>
  }
  readonly chat: Chats
  readonly onboarding: PromiseOnboarding
  /** Conversation topics and action categories of the projects that have them. */
  readonly tenants: typeof Tenants
}

type Client<Calls, OnDemand> = Calls & Closeable & { readonly onDemand: OnDemandMembers<OnDemand> }

/** The client of project administrators. @category models */
export type AdminClient = Client<AdminCalls.Calls, typeof AdminOnDemand> & AdminExtras
/** The client of visitors. @category models */
export type PublicClient = Client<PublicCalls.Calls, typeof PublicOnDemand> & {
  readonly content: Collections
}
/** The client of servers. @category models */
export type PrivateClient = Client<PrivateCalls.Calls, typeof PrivateOnDemand>
/** The client of a signed-in end user. @category models */
export type EndUserClient = Client<EndUserCalls.Calls, typeof EndUserOnDemand>

/** The parts of this module's clients. */
interface Parts {
  readonly runner: Runner
  readonly methods: Methods
  readonly closeable: Closeable
}

const parts = ({ dispatcher }: Bindable): Parts => {
  const runner = makeRunner(dispatcher.lifetime)
  return {
    runner,
    methods: makeMethods(dispatcher, runner),
    closeable: { close: runner.close, [Symbol.asyncDispose]: runner.close }
  }
}

export const ofAdmins = (
  client: AdminClientModule.Service,
  chatSocket: ChatSocket | undefined,
  onboarding: Onboarding | undefined
): AdminClient => {
  const { closeable, methods, runner } = parts(client)
  return {
    ...makeSlices<AdminCalls.Calls>(AdminCalls.operations, methods),
    ...closeable,
    onDemand: makeOnDemand(AdminClientModule.Client, AdminOnDemand, client, runner),
    session: { signOut: () => runner.runEffect("session.signOut", client.session.signOut, undefined) },
    chat: makeChats(client, chatSocket, runner),
    onboarding: makeOnboarding(hold(onboarding), runner),
    tenants: Tenants
  }
}

export const ofVisitors = (client: Bindable): PublicClient => {
  const { closeable, methods, runner } = parts(client)
  const slices = makeSlices<PublicCalls.Calls>(PublicCalls.operations, methods)
  return {
    ...slices,
    ...closeable,
    onDemand: makeOnDemand(PublicClientModule.Client, PublicOnDemand, client, runner),
    content: { ...slices.content, ...makeCollections(methods) }
  }
}

export const ofServers = (client: Bindable): PrivateClient => {
  const { closeable, methods, runner } = parts(client)
  return {
    ...makeSlices<PrivateCalls.Calls>(PrivateCalls.operations, methods),
    ...closeable,
    onDemand: makeOnDemand(PrivateClientModule.Client, PrivateOnDemand, client, runner)
  }
}

export const ofEndUsers = (client: Bindable): EndUserClient => {
  const { closeable, methods, runner } = parts(client)
  return {
    ...makeSlices<EndUserCalls.Calls>(EndUserCalls.operations, methods),
    ...closeable,
    onDemand: makeOnDemand(EndUserClientModule.Client, EndUserOnDemand, client, runner)
  }
}
