/** The calls on events (specification, point 7). */
import { type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import { Event, EventChange } from "./model.js"

/** Lists the end user's events. */
export const list: Operation<Entity.List, Page<Event>, "endUser", "read"> = /*#__PURE__*/ Operation.make(
  "events.list",
  () => ({
    method: "GET",
    path: "event",
    audiences: ["endUser"],
    input: Entity.List,
    success: page(Event)
  })
)

/** Changes an event. */
export const update: Operation<
  Entity.ByIdWithBody<EventChange>,
  Event,
  "endUser",
  "write"
> = /*#__PURE__*/ Operation.make("events.update", () => ({
  method: "PUT",
  path: "event/{id}",
  audiences: ["endUser"],
  input: Entity.byIdWithBody(EventChange),
  success: Event
}))

/** Deletes an event. */
export const remove: Operation<Entity.ById, unknown, "endUser", "write"> = /*#__PURE__*/ Operation.make(
  "events.delete",
  () => ({
    method: "DELETE",
    path: "event/{id}",
    audiences: ["endUser"],
    input: Entity.ById,
    success: Entity.Anything
  })
)
