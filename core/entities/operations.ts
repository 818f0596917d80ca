/** The calls on entities of project-defined kinds (specification, point 7). */
import { type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Level from "../permissions/level.js"
import { CreateEntity, EntityOfKind, ListEntities, ProjectEntity, UpdateEntity } from "./model.js"

/** Lists the entities of a kind; filters go into `query`. */
export const list: Operation<
  ListEntities,
  Page<ProjectEntity>,
  "admin",
  "read"
> = /*#__PURE__*/ Operation.make("entities.list", () => ({
  method: "GET",
  path: "project/{projectId}/entity/{kind}",
  audiences: ["admin"],
  input: ListEntities,
  success: page(ProjectEntity),
  requires: Level.Read
}))

/** Creates an entity of a kind. */
export const create: Operation<CreateEntity, ProjectEntity, "admin", "write"> = /*#__PURE__*/ Operation.make(
  "entities.create",
  () => ({
    method: "POST",
    path: "project/{projectId}/entity/{kind}",
    audiences: ["admin"],
    input: CreateEntity,
    success: ProjectEntity,
    requires: Level.Write
  })
)

/** Reads one entity of a kind. */
export const get: Operation<EntityOfKind, ProjectEntity, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "entities.get",
  () => ({
    method: "GET",
    path: "project/{projectId}/entity/{kind}/{id}",
    audiences: ["admin"],
    input: EntityOfKind,
    success: ProjectEntity,
    requires: Level.Read
  })
)

/** Changes an entity. */
export const update: Operation<UpdateEntity, ProjectEntity, "admin", "write"> = /*#__PURE__*/ Operation.make(
  "entities.update",
  () => ({
    method: "PUT",
    path: "project/{projectId}/entity/{kind}/{id}",
    audiences: ["admin"],
    input: UpdateEntity,
    success: ProjectEntity,
    requires: Level.Write
  })
)

/** Deletes an entity. */
export const remove: Operation<EntityOfKind, unknown, "admin", "write"> = /*#__PURE__*/ Operation.make(
  "entities.delete",
  () => ({
    method: "DELETE",
    path: "project/{projectId}/entity/{kind}/{id}",
    audiences: ["admin"],
    input: EntityOfKind,
    success: Entity.Anything,
    requires: Level.Write
  })
)
