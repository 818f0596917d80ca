/** The calls on CMS models and their fields (specification, point 7). */
import { type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Level from "../permissions/level.js"
import { ByField, Model, ModelChange, NewField, NewModel, UpdateField } from "./model.js"

/** Lists CMS models. */
export const list: Operation<Entity.List, Page<Model>, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "models.list",
  () => ({
    method: "GET",
    path: "cms/model",
    audiences: ["admin"],
    input: Entity.List,
    success: page(Model),
    requires: Level.Read
  })
)

/** Creates a CMS model. */
export const create: Operation<
  Entity.WithBody<NewModel>,
  Model,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("models.create", () => ({
  method: "POST",
  path: "cms/model",
  audiences: ["admin"],
  input: Entity.withBody(NewModel),
  success: Model,
  requires: Level.Write
}))

/** Reads a CMS model with its fields. */
export const get: Operation<Entity.ById, Model, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "models.get",
  () => ({
    method: "GET",
    path: "cms/model/{id}",
    audiences: ["admin"],
    input: Entity.ById,
    success: Model,
    requires: Level.Read
  })
)

/** Changes a CMS model. */
export const update: Operation<
  Entity.ByIdWithBody<ModelChange>,
  Model,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("models.update", () => ({
  method: "PUT",
  path: "cms/model/{id}",
  audiences: ["admin"],
  input: Entity.byIdWithBody(ModelChange),
  success: Model,
  requires: Level.Write
}))

/** Deletes a CMS model. */
export const remove: Operation<Entity.ById, unknown, "admin", "write"> = /*#__PURE__*/ Operation.make(
  "models.delete",
  () => ({
    method: "DELETE",
    path: "cms/model/{id}",
    audiences: ["admin"],
    input: Entity.ById,
    success: Entity.Anything,
    requires: Level.Write
  })
)

/** Adds a field to a CMS model. */
export const addField: Operation<
  Entity.ByIdWithBody<NewField>,
  Model,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("models.addField", () => ({
  method: "POST",
  path: "cms/model/{id}/field",
  audiences: ["admin"],
  input: Entity.byIdWithBody(NewField),
  success: Model,
  requires: Level.Write
}))

/** Changes a field of a CMS model. */
export const updateField: Operation<UpdateField, Model, "admin", "write"> = /*#__PURE__*/ Operation.make(
  "models.updateField",
  () => ({
    method: "PUT",
    path: "cms/model/{id}/field/{fieldId}",
    audiences: ["admin"],
    input: UpdateField,
    success: Model,
    requires: Level.Write
  })
)

/** Removes a field from a CMS model. */
export const deleteField: Operation<ByField, unknown, "admin", "write"> = /*#__PURE__*/ Operation.make(
  "models.deleteField",
  () => ({
    method: "DELETE",
    path: "cms/model/{id}/field/{fieldId}",
    audiences: ["admin"],
    input: ByField,
    success: Entity.Anything,
    requires: Level.Write
  })
)
