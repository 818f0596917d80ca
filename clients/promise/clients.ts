/** Converts a client with Effects to one with Promises: its slices and its other members. */
import type { Bindable } from "../../core/kernel/dispatch/dispatcher.js"
import { make as hold } from "../../core/onboarding/held.js"
import type { Onboarding } from "../../core/onboarding/model.js"
import type { Service as ChatSocket } from "../../core/ports/chat-socket.js"
import * as Admin from "../admin/index.js"
import * as EndUser from "../end-user/index.js"
import * as Private from "../private/index.js"
import * as Public from "../public/index.js"
import { makeChats } from "./chat.js"
import { type Collections, makeCollections } from "./content.js"
import { type Methods, makeMethods } from "./methods.js"
import { makeOnDemand, type OnDemandMembers } from "./on-demand.js"
import { makeOnboarding, type PromiseOnboarding } from "./onboarding.js"
import type { Chats } from "./open-chat.js"
import { makeRunner, type Runner } from "./run.js"
import { type Calls, makeSlices, type Slices } from "./slices.js"

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
  readonly tenants: typeof Admin.tenants
}

type Client<Module extends { readonly onDemand: object }> = Slices<Module> &
  Closeable & { readonly onDemand: OnDemandMembers<Module["onDemand"]> }

/** The client of project administrators. @category models */
export type AdminClient = Client<typeof Admin> & AdminExtras
/** The client of visitors. @category models */
export type PublicClient = Client<typeof Public> & {
  readonly content: Calls<typeof Public.content> & Collections
}
/** The client of servers. @category models */
export type PrivateClient = Client<typeof Private>
/** The client of a signed-in end user. @category models */
export type EndUserClient = Client<typeof EndUser>

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
  client: Admin.Service,
  chatSocket: ChatSocket | undefined,
  onboarding: Onboarding | undefined
): AdminClient => {
  const { closeable, methods, runner } = parts(client)
  return {
    ...makeSlices(Admin, methods),
    ...closeable,
    onDemand: makeOnDemand(Admin, client, runner),
    session: { signOut: () => runner.runEffect("session.signOut", client.session.signOut, undefined) },
    chat: makeChats(client, chatSocket, runner),
    onboarding: makeOnboarding(hold(onboarding), runner),
    tenants: Admin.tenants
  }
}

export const ofVisitors = (client: Bindable): PublicClient => {
  const { closeable, methods, runner } = parts(client)
  const slices = makeSlices(Public, methods)
  return {
    ...slices,
    ...closeable,
    onDemand: makeOnDemand(Public, client, runner),
    content: { ...slices.content, ...makeCollections(methods) }
  }
}

export const ofServers = (client: Bindable): PrivateClient => {
  const { closeable, methods, runner } = parts(client)
  return {
    ...makeSlices(Private, methods),
    ...closeable,
    onDemand: makeOnDemand(Private, client, runner)
  }
}

export const ofEndUsers = (client: Bindable): EndUserClient => {
  const { closeable, methods, runner } = parts(client)
  return {
    ...makeSlices(EndUser, methods),
    ...closeable,
    onDemand: makeOnDemand(EndUser, client, runner)
  }
}
