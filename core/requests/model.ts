/** Request actions: requests by end users that admins answer (specification, points 3 and 4). */

import { Author } from "../chat/model.js"
import { DateTime } from "../kernel/codec/dates.js"
import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Filters from "../kernel/operation/filters.js"
import * as Schema from "../kernel/operation/schema.js"

/** The statuses of a request. The platform decides which changes are allowed. @category constants */
export const statuses = /*#__PURE__*/ Object.freeze([
  "pending",
  "confirmed",
  "rejected",
  "reviewed",
  "user_accepted",
  "user_rejected",
  "archived"
] as const)

/** The status of a request. @category schemas */
export type RequestStatus = Entity.OpenLiteral<(typeof statuses)[number]>
export const RequestStatus: Schema.Schema<RequestStatus, string> = /*#__PURE__*/ (() =>
  Entity.openLiteral(...statuses))()

/**
 * The statuses of requests by who acts next: `open` ones an admin answers, `waiting` ones have an answer that their end
 * user accepts or rejects, `closed` ones nobody acts on. Each status is in exactly one. Which statuses these are is
 * assumed: the specification does not say who acts next.
 * @category constants
 */
export const queues = /*#__PURE__*/ Object.freeze({
  /** An admin acts next. */
  open: /*#__PURE__*/ Object.freeze(["pending", "reviewed"] as const),
  /** The end user acts next. */
  waiting: /*#__PURE__*/ Object.freeze(["confirmed"] as const),
  /** Nobody acts on them. */
  closed: /*#__PURE__*/ Object.freeze(["rejected", "user_accepted", "user_rejected", "archived"] as const)
} satisfies Readonly<Record<string, ReadonlyArray<(typeof statuses)[number]>>>)

/** The name of a queue of requests. @category models */
export type Queue = keyof typeof queues

/** The queue of a request by its status. A status that is missing or not known is open, so that no request is overlooked. @category combinators */
export const queueOf = (status: string | null | undefined): Queue => {
  const isIn = (known: ReadonlyArray<string>): boolean => status != null && known.includes(status)
  return isIn(queues.closed) ? "closed" : isIn(queues.waiting) ? "waiting" : "open"
}

/** The types of requests: the general ones, and those of the home app. @category constants */
export const generalTypes = /*#__PURE__*/ Object.freeze([
  "VISIT",
  "CHANGE_FILE",
  "VACATION",
  "TRAINING"
] as const)
/** The request types of the home app. @category constants */
export const homeAppTypes = /*#__PURE__*/ Object.freeze([
  "MAINTENANCE",
  "BUY",
  "RENT",
  "SELL",
  "RENT_OUT",
  "EXCHANGE",
  "WAITING_LIST",
  "REQUEST_INVOICE",
  "REDIRECTING_FRIEND",
  "REPLACE_APARTMENT",
  "REQUEST_APARTMENT_LINK"
] as const)

/** The type of a request. @category schemas */
export type RequestType = Entity.OpenLiteral<(typeof generalTypes)[number] | (typeof homeAppTypes)[number]>
export const RequestType: Schema.Schema<RequestType, string> = /*#__PURE__*/ (() =>
  Entity.openLiteral(...generalTypes, ...homeAppTypes))()

/** The version of a request that a reader has seen. @category schemas */
export const Version: Schema.Schema<number> = /*#__PURE__*/ (() =>
  Schema.NonNegativeInt.annotations({
    description: "a whole number, at least 0"
  }))()

/**
 * A comment on a request by either side. `requests.addComment` adds one, and raises the version of the request.
 * @category schemas
 */
export const Comment = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.maybe(Entity.Id),
    /** What was written. */
    text: Entity.maybe(Schema.String),
    /** When it was written. */
    createdAt: Entity.maybe(DateTime)
  },
  () => ({
    /** Who wrote it. Assumed: the platform may differ. */
    author: Entity.named<Author, Author>(Author)
  })
)
export interface Comment extends Schema.Schema.Type<typeof Comment> {}

/**
 * A request by an end user that admins answer, such as for a visit or a repair, with its comments. `version` counts
 * its changes: `requests.markSeen` wants the one that was read, and answers a conflict for an older one (point 4 of
 * the specification).
 * @category schemas
 */
export const RequestAction = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.Id,
    /** What is asked for. */
    type: Entity.maybe(RequestType),
    /** How far it is. */
    status: Entity.maybe(RequestStatus),
    /** Counts its changes: `markSeen` wants the one that was read. */
    version: Entity.maybe(Schema.Number),
    /** What both sides wrote, oldest first. */
    comments: Entity.maybe(Schema.Array<Comment, Schema.Schema.Encoded<typeof Comment>>(Comment))
  },
  () => ({
    /** Id of the end user who filed it, or for whom it was filed. Assumed: the platform may differ. */
    userId: Entity.Id,
    /** What it is about, in a few words. Assumed: the platform may differ. */
    title: Schema.String,
    /** What it is about, at length. Assumed: the platform may differ. */
    description: Entity.maybe(Schema.String),
    /** What the project asks for of a request of this type, under names of its own. Assumed: the platform may differ. */
    data: Entity.maybe(Schema.Struct({}, { key: Schema.String, value: Schema.Unknown })),
    /** What the end user said of the answer, as `review` sent it. Assumed: the platform may differ. */
    review: Entity.maybe(Schema.Unknown),
    /** The last version that an admin has seen; 0 for none. Assumed: the platform may differ. */
    seenByAdmin: Schema.Number,
    /** The last version that the end user has seen; 0 for none. Assumed: the platform may differ. */
    seenByUser: Schema.Number,
    ...Row.stamps
  })
)
export interface RequestAction extends Schema.Schema.Type<typeof RequestAction> {}

/** Filters of the admin's list. Lists are sent joined by commas, and omitted if empty. @category schemas */
export const ListRequests = /*#__PURE__*/ Entity.list(() =>
  Filters.named(Entity.literal(...generalTypes, ...homeAppTypes), Entity.literal(...statuses))
)
export interface ListRequests extends Schema.Schema.Type<typeof ListRequests> {}

/** A request, and the version of it that the caller has read. @category schemas */
export const MarkSeen = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Id of the request. */
    id: Entity.Id,
    /** The version that was read: that of the request as it was answered. */
    version: Version
  }))()
export interface MarkSeen extends Schema.Schema.Type<typeof MarkSeen> {}

/** What an end user says of an answer, under names that the project chooses, such as `rating`. @category schemas */
export const ReviewFields = /*#__PURE__*/ Entity.ownData(() => ({}))
export type ReviewFields = Schema.Schema.Type<typeof ReviewFields>

/** The end user's review of an answered request; its body is optional. @category schemas */
export const Review = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Id of the request. */
    id: Entity.Id,
    /** What the end user says of the answer. */
    payload: Schema.optional(ReviewFields)
  }))()
export interface Review extends Schema.Schema.Type<typeof Review> {}

/** What a request is filed with; an admin names whose it is. Assumed: the platform may differ. @category schemas */
export const NewRequest = /*#__PURE__*/ Entity.body(() => ({
  /** What is asked for. */
  type: RequestType,
  /** What it is about, in a few words. */
  title: Schema.optional(Schema.String),
  /** What it is about, at length. */
  description: Schema.optional(Schema.String),
  /** What the project asks for of a request of this type. */
  data: Schema.optional(Schema.Unknown),
  /** Id of the end user for whom an admin files it. */
  userId: Schema.optional(Entity.Id)
}))
export type NewRequest = Schema.Schema.Type<typeof NewRequest>

/** What is said about a request. Assumed: the platform may differ. @category schemas */
export const NewComment = /*#__PURE__*/ Entity.body(() => ({
  /** What is written. */
  text: Schema.NonEmptyString
}))
export type NewComment = Schema.Schema.Type<typeof NewComment>

/** An end user's answer to a request; the body holds its id. Assumed: the platform may differ. @category schemas */
export const Confirmation = /*#__PURE__*/ Entity.body(() => ({
  /** Id of the request. */
  id: Entity.Id,
  /** Whether the end user accepts the answer. */
  accepted: Schema.optional(Schema.Boolean)
}))
export type Confirmation = Schema.Schema.Type<typeof Confirmation>

/** What is changed of a request. Assumed: the platform may differ. @category schemas */
export const RequestChange = /*#__PURE__*/ Row.change(
  () => RequestAction,
  "userId",
  "comments",
  "review",
  "seenByAdmin",
  "seenByUser"
)
export type RequestChange = Schema.Schema.Type<typeof RequestChange>
