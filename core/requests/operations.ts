/** The calls on request actions (specification, point 7). */
import { type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Level from "../permissions/level.js"
import {
  Confirmation,
  ListRequests,
  MarkSeen,
  NewComment,
  NewRequest,
  RequestAction,
  RequestChange,
  Review
} from "./model.js"

/** Files a request. The platform defines the body: type, data, and fields of the project. */
export const create: Operation<
  Entity.WithBody<NewRequest>,
  RequestAction,
  "admin" | "endUser",
  "write"
> = /*#__PURE__*/ Operation.make("requests.create", () => ({
  method: "POST",
  path: "request-action",
  audiences: ["admin", "endUser"],
  input: Entity.withBody(NewRequest),
  success: RequestAction,
  requires: Level.Write
}))

/** Lists requests: an admin sees the project's and filters them, an end user sees their own. */
export const list: Operation<
  ListRequests,
  Page<RequestAction>,
  "admin" | "endUser",
  "read"
> = /*#__PURE__*/ Operation.make("requests.list", () => ({
  method: "GET",
  path: "request-action",
  audiences: ["admin", "endUser"],
  input: ListRequests,
  success: page(RequestAction),
  requires: Level.Read
}))

/** Reads one request with its comments. */
export const get: Operation<Entity.ById, RequestAction, "admin" | "endUser", "read"> =
  /*#__PURE__*/ Operation.make("requests.get", () => ({
    method: "GET",
    path: "request-action/{id}",
    audiences: ["admin", "endUser"],
    input: Entity.ById,
    success: RequestAction,
    requires: Level.Read
  }))

/** Changes a request, including its status. */
export const update: Operation<
  Entity.ByIdWithBody<RequestChange>,
  RequestAction,
  "admin" | "endUser",
  "write"
> = /*#__PURE__*/ Operation.make("requests.update", () => ({
  method: "PUT",
  path: "request-action/{id}",
  audiences: ["admin", "endUser"],
  input: Entity.byIdWithBody(RequestChange),
  success: RequestAction,
  requires: Level.Write
}))

/** Withdraws a request. */
export const remove: Operation<Entity.ById, unknown, "endUser", "write"> = /*#__PURE__*/ Operation.make(
  "requests.delete",
  () => ({
    method: "DELETE",
    path: "request-action/{id}",
    audiences: ["endUser"],
    input: Entity.ById,
    success: Entity.Anything
  })
)

/** Adds a comment; either side may. */
export const addComment: Operation<
  Entity.ByIdWithBody<NewComment>,
  RequestAction,
  "admin" | "endUser",
  "write"
> = /*#__PURE__*/ Operation.make("requests.addComment", () => ({
  method: "POST",
  path: "request-action/{id}/add-comment",
  audiences: ["admin", "endUser"],
  input: Entity.byIdWithBody(NewComment),
  success: RequestAction,
  requires: Level.Write
}))

/** Marks a request as seen at the version that the caller has read. */
export const markSeen: Operation<MarkSeen, RequestAction, "admin" | "endUser", "write"> =
  /*#__PURE__*/ Operation.make("requests.markSeen", () => ({
    method: "PUT",
    path: "request-action/{id}/seen",
    audiences: ["admin", "endUser"],
    input: MarkSeen,
    success: RequestAction,
    requires: Level.Write
  }))

/** Responds to an answered request. */
export const review: Operation<Review, RequestAction, "endUser", "write"> = /*#__PURE__*/ Operation.make(
  "requests.review",
  () => ({
    method: "POST",
    path: "request-action/{id}/review",
    audiences: ["endUser"],
    input: Review,
    success: RequestAction
  })
)

/** Confirms a request or its review. The body holds the request's id. */
export const confirm: Operation<
  Entity.WithBody<Confirmation>,
  RequestAction,
  "endUser",
  "write"
> = /*#__PURE__*/ Operation.make("requests.confirm", () => ({
  method: "POST",
  path: "request-action/confirm",
  audiences: ["endUser"],
  input: Entity.withBody(Confirmation),
  success: RequestAction
}))
