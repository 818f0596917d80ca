/** Entities of project-defined kinds (specification, point 7). */

import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/** An entity of a project-defined kind. @category schemas */
export const ProjectEntity = Entity.open({ _id: Entity.Id })
export interface ProjectEntity extends Schema.Schema.Type<typeof ProjectEntity> {}

/** A kind of entity, and a page of its list. @category schemas */
export const ListEntities = /*#__PURE__*/ Entity.list(() => ({ kind: Entity.Id }))
export interface ListEntities extends Schema.Schema.Type<typeof ListEntities> {}

/** A kind of entity, and the body of a new one. @category schemas */
export const CreateEntity = Schema.Struct({ kind: Entity.Id, payload: Schema.Unknown })
export interface CreateEntity extends Schema.Schema.Type<typeof CreateEntity> {}

/** One entity of a kind. @category schemas */
export const EntityOfKind = Schema.Struct({ kind: Entity.Id, id: Entity.Id })
export interface EntityOfKind extends Schema.Schema.Type<typeof EntityOfKind> {}

/** One entity of a kind, and its new body. @category schemas */
export const UpdateEntity = Schema.Struct({ kind: Entity.Id, id: Entity.Id, payload: Schema.Unknown })
export interface UpdateEntity extends Schema.Schema.Type<typeof UpdateEntity> {}

/** What an entity of a kind that the project defines holds, as far as it is assumed. @category schemas */
export const ProjectEntityRow = /*#__PURE__*/ Row.row(() => ({ kind: Schema.String }))
