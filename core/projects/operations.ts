/** The calls on projects (specification, point 7). */
import { type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Level from "../permissions/level.js"
import { Project, ProjectChange } from "./model.js"

/** Lists the projects that the admin may see. */
export const list: Operation<Entity.List, Page<Project>, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "projects.list",
  () => ({
    method: "GET",
    path: "projects",
    audiences: ["admin"],
    input: Entity.List,
    success: page(Project),
    requires: Level.Read
  })
)

/** Reads a project by its id. */
export const get: Operation<Entity.ById, Project, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "projects.get",
  () => ({
    method: "GET",
    path: "project/{id}",
    host: "legacy",
    audiences: ["admin"],
    input: Entity.ById,
    success: Project,
    requires: Level.Read
  })
)

/** Changes a project. */
export const update: Operation<
  Entity.ByIdWithBody<ProjectChange>,
  Project,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("projects.update", () => ({
  method: "PUT",
  path: "project/{id}/updateProject",
  host: "legacy",
  audiences: ["admin"],
  input: Entity.byIdWithBody(ProjectChange),
  success: Project,
  requires: Level.Write
}))

/** Reads the project of the key. */
export const self: Operation<Entity.Nothing, Project, "public" | "private", "read"> =
  /*#__PURE__*/ Operation.make("project.self", () => ({
    method: "GET",
    path: "project/self",
    audiences: ["public", "private"],
    input: Entity.Nothing,
    success: Project
  }))
