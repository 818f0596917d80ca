/** The calls on content models, on the legacy service (specification, point 7). The project comes from the client. */
import { type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import { ModelChange, NewModel } from "../models/model.js"
import * as Level from "../permissions/level.js"
import { ContentModel } from "./model.js"

/** Lists the project's content models. */
export const list: Operation<
  Entity.Nothing,
  Page<ContentModel>,
  "admin",
  "read"
> = /*#__PURE__*/ Operation.make("contentModels.list", () => ({
  method: "GET",
  path: "project/{projectId}/customType",
  host: "legacy",
  audiences: ["admin"],
  input: Entity.Nothing,
  success: page(ContentModel),
  requires: Level.Read
}))

/** Creates a content model. */
export const create: Operation<
  Entity.WithBody<NewModel>,
  ContentModel,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("contentModels.create", () => ({
  method: "POST",
  path: "project/{projectId}/customType",
  host: "legacy",
  audiences: ["admin"],
  input: Entity.withBody(NewModel),
  success: ContentModel,
  requires: Level.Write
}))

/** Reads a content model. */
export const get: Operation<Entity.ById, ContentModel, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "contentModels.get",
  () => ({
    method: "GET",
    path: "project/{projectId}/customType/{id}",
    host: "legacy",
    audiences: ["admin"],
    input: Entity.ById,
    success: ContentModel,
    requires: Level.Read
  })
)

/** Changes a content model. */
export const update: Operation<
  Entity.ByIdWithBody<ModelChange>,
  ContentModel,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("contentModels.update", () => ({
  method: "PUT",
  path: "project/{projectId}/customType/{id}",
  host: "legacy",
  audiences: ["admin"],
  input: Entity.byIdWithBody(ModelChange),
  success: ContentModel,
  requires: Level.Write
}))

/** Deletes a content model. */
export const remove: Operation<Entity.ById, unknown, "admin", "write"> = /*#__PURE__*/ Operation.make(
  "contentModels.delete",
  () => ({
    method: "DELETE",
    path: "project/{projectId}/customType/{id}",
    host: "legacy",
    audiences: ["admin"],
    input: Entity.ById,
    success: Entity.Anything,
    requires: Level.Write
  })
)
