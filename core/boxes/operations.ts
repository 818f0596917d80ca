/** The calls on boxes, the same for visitors and end users (specification, point 7). */
import { type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import { Box, BoxContent } from "./model.js"

/** Lists boxes; filters go into `query`. */
export const list: Operation<
  Entity.List,
  Page<Box>,
  "public" | "endUser",
  "read"
> = /*#__PURE__*/ Operation.make("boxes.list", () => ({
  method: "GET",
  path: "v1/box",
  audiences: ["public", "endUser"],
  input: Entity.List,
  success: page(Box)
}))

/** Creates a box. */
export const create: Operation<
  Entity.WithBody<BoxContent>,
  Box,
  "public" | "endUser",
  "write"
> = /*#__PURE__*/ Operation.make("boxes.create", () => ({
  method: "POST",
  path: "v1/box",
  audiences: ["public", "endUser"],
  input: Entity.withBody(BoxContent),
  success: Box
}))

/** Reads one box. */
export const get: Operation<Entity.ById, Box, "public" | "endUser", "read"> = /*#__PURE__*/ Operation.make(
  "boxes.get",
  () => ({
    method: "GET",
    path: "v1/box/{id}",
    audiences: ["public", "endUser"],
    input: Entity.ById,
    success: Box
  })
)

/** Changes a box. */
export const update: Operation<
  Entity.ByIdWithBody<BoxContent>,
  Box,
  "public" | "endUser",
  "write"
> = /*#__PURE__*/ Operation.make("boxes.update", () => ({
  method: "PUT",
  path: "v1/box/{id}",
  audiences: ["public", "endUser"],
  input: Entity.byIdWithBody(BoxContent),
  success: Box
}))

/** Deletes a box. */
export const remove: Operation<Entity.ById, unknown, "public" | "endUser", "write"> =
  /*#__PURE__*/ Operation.make("boxes.delete", () => ({
    method: "DELETE",
    path: "v1/box/{id}",
    audiences: ["public", "endUser"],
    input: Entity.ById,
    success: Entity.Anything
  }))
