/** Entities of project-defined kinds (specification, point 7). */

import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/**
 * An entity of a kind that the project has defined, such as `apartment`. All fields beside `_id` and `kind` are the
 * project's own: narrow the answer with a schema of yours, `entities.get.as(Apartment)`.
 * @category schemas
 */
export const ProjectEntity = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.Id
  },
  () => ({
    /** Its kind, in words of the project, such as `apartment`. Assumed: the platform may differ. */
    kind: Schema.String,
    ...Row.stamps
  })
)
export interface ProjectEntity extends Schema.Schema.Type<typeof ProjectEntity> {}

/** A kind of entity, and a page of its list. @category schemas */
export const ListEntities = /*#__PURE__*/ Entity.list(() => ({
  /** Kind of entity, in words of the project. */
  kind: Entity.Id
}))
export interface ListEntities extends Schema.Schema.Type<typeof ListEntities> {}

/** The fields of an entity, which the project has defined. @category schemas */
export const EntityFields = /*#__PURE__*/ Entity.ownData(() => ({}))
export type EntityFields = Schema.Schema.Type<typeof EntityFields>

/** A kind of entity, and the body of a new one. @category schemas */
export const CreateEntity = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Kind of entity, in words of the project. */
    kind: Entity.Id,
    /** The entity's fields. */
    payload: EntityFields
  }))()
export interface CreateEntity extends Schema.Schema.Type<typeof CreateEntity> {}

/** One entity of a kind. @category schemas */
export const EntityOfKind = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Kind of entity, in words of the project. */
    kind: Entity.Id,
    /** Id of the entity. */
    id: Entity.Id
  }))()
export interface EntityOfKind extends Schema.Schema.Type<typeof EntityOfKind> {}

/** One entity of a kind, and its new body. @category schemas */
export const UpdateEntity = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Kind of entity, in words of the project. */
    kind: Entity.Id,
    /** Id of the entity. */
    id: Entity.Id,
    /** The fields that change. */
    payload: EntityFields
  }))()
export interface UpdateEntity extends Schema.Schema.Type<typeof UpdateEntity> {}
