/** Ready jobs that notify an audience: one notification for each of its members. */

import type * as Admin from "@quartet/sdk/admin/client"
import * as AdminNotifications from "@quartet/sdk/admin/notifications"
import * as Users from "@quartet/sdk/admin/users"
import { type Audience, type Call, type CallError, type Page, type Paged, pages } from "@quartet/sdk/extend"
import type { Sending } from "@quartet/sdk/extend/models/notifications"
import type * as Private from "@quartet/sdk/private/client"
import * as PrivateNotifications from "@quartet/sdk/private/notifications"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { ItemContext, Source, UnknownContext } from "./definition.js"
import { totalOf } from "./export.js"
import * as Identify from "./identify.js"
import type { Work } from "./import.js"
import { type Job, make } from "./job.js"

/** What a run of a notification is about: another campaign is another run. @category schemas */
export const CampaignInput = Schema.Struct({ campaign: Schema.NonEmptyString })
export interface CampaignInput extends Schema.Schema.Type<typeof CampaignInput> {}

/** What a notification does. @category models */
export interface NotifyOptions<A, AE, SE, SR, E, R, UR> extends Work {
  /** The members, in an order that a run which goes on finds again. What stands here is kept until it was notified: ids are enough. */
  readonly audience: (input: CampaignInput, skip: number) => Source<A, SE, SR>
  /** How many members there are, where that is known sooner than by reading them: see `Fleet.job`. */
  readonly count?: (input: CampaignInput) => Effect.Effect<number, unknown, SR>
  /** How a member is kept; plain JSON by default. */
  readonly member?: Schema.Schema<A, AE>
  /** The write for one member, usually one call with the context's `idempotencyKey`. */
  readonly send: (member: A, context: ItemContext<CampaignInput>) => Effect.Effect<unknown, E, R>
  /**
   * Whether a member whose answer was lost was notified. By default they are listed as unknown, and nobody is notified twice;
   * `Fleet.sendAgain` is for a platform that honours idempotency keys.
   */
  readonly onUnknown?: (
    member: A,
    context: UnknownContext<CampaignInput>
  ) => Effect.Effect<Option.Option<unknown>, unknown, UR>
}

/**
 * A job that notifies an audience: `greet.start({ campaign: "spring" })`.
 * @category constructors
 */
export const notifyJob = <A, AE = A, SE = never, SR = never, E = never, R = never, UR = never>(
  name: string,
  options: NotifyOptions<A, AE, SE, SR, E, R, UR>
): Job<CampaignInput, SR | R | UR> => {
  const { audience, member, onUnknown = Identify.leaveUnknown, send, ...work } = options
  return make(name, {
    ...work,
    ...(member === undefined ? {} : { item: member }),
    input: CampaignInput,
    key: ({ campaign }) => campaign,
    source: audience,
    each: (user: A, context): Effect.Effect<unknown, unknown, R> => send(user, context),
    onUnknown: (user: A, context): Effect.Effect<Option.Option<unknown>, unknown, UR> =>
      onUnknown(user, context)
  })
}

/**
 * The ids of a list's entries, for an audience. Ask for an order in which what is there keeps its place, such as `{ query: { sort: "createdAt" } }` where the
 * platform sorts by it: a run that goes on reads the list again from its beginning, and drops as many entries as it had.
 * @category combinators
 */
export const idsOf = <I, A extends { readonly _id: string }, Aud extends Audience, R>(
  list: Call<I, Page<A>, Aud, R>,
  input: NoInfer<Paged<I>>
): Stream.Stream<string, CallError, R> => Stream.map(pages(list, input), ({ _id }) => _id)

/** What the ready notifications take beside their payload. @category models */
export interface NotifyUsers<SE, SR> extends Work {
  readonly name?: string
  /** The ids of the users; all users of the project by default, the oldest first. */
  readonly audience?: (input: CampaignInput, skip: number) => Source<string, SE, SR>
  /** How many of them there are, where that is known sooner than by reading them: see `Fleet.job`. */
  readonly count?: (input: CampaignInput) => Effect.Effect<number, unknown, SR>
  /** The body for a user, such as `{ userId, title, body }`; `Input.raw` passes what else the platform takes. */
  readonly payload: (userId: string, input: CampaignInput) => Sending
  /** See `Fleet.sendAgain`. */
  readonly onUnknown?: () => Effect.Effect<Option.Option<never>, unknown>
}

const oldestFirst = { query: { sort: "createdAt" } }

const everybody = (): Stream.Stream<string, CallError, Admin.Client> => idsOf(Users.list, oldestFirst)

/**
 * Notifies users one by one with the admin's `notifications.send`.
 * @category constructors
 */
export const notifyUsers = <SE = CallError, SR = Admin.Client>(
  options: NotifyUsers<SE, SR>
): Job<CampaignInput, SR | Admin.Client> => {
  const {
    audience,
    count = audience === undefined ? () => totalOf(Users.list, oldestFirst) : undefined,
    name = "notifyUsers",
    payload,
    ...others
  } = options
  return notifyJob<string, string, SE | CallError, SR | Admin.Client, CallError, Admin.Client, never>(name, {
    ...others,
    ...(count === undefined ? {} : { count }),
    audience: audience ?? everybody,
    send: (userId, { idempotencyKey, input }) =>
      AdminNotifications.send({ payload: payload(userId, input) }, { idempotencyKey })
  })
}

/**
 * Notifies users one by one from a server: on their devices with `notifications.pushToUsers`, or inside of the app with
 * `notifications.sendInApp`. The private client has no list of users, so the audience is given.
 * @category constructors
 */
export const notifyFromServer = <SE, SR>(
  options: NotifyUsers<SE, SR> &
    Required<Pick<NotifyUsers<SE, SR>, "audience">> & { readonly by: "push" | "inApp" }
): Job<CampaignInput, SR | Private.Client> => {
  const { by, name = `notifyFromServer.${by}`, payload, ...others } = options
  const call = by === "push" ? PrivateNotifications.pushToUsers : PrivateNotifications.sendInApp
  return notifyJob<string, string, SE, SR, CallError, Private.Client, never>(name, {
    ...others,
    send: (userId, { idempotencyKey, input }) => call({ payload: payload(userId, input) }, { idempotencyKey })
  })
}
