/** Rows of the company: providers, entities of custom kinds, absences and the organisation. */
import * as Schema from "effect/Schema"
import * as Intranet from "@quartet/sdk/models/intranet"
import { DateTime, Entity } from "@quartet/sdk/extend"
import * as Projects from "@quartet/sdk/models/projects"
import { held, stamps } from "./fields.js"

/** `type` is the version of the provider's interface: v1 or v2. */
export const Provider = Entity.open({
  ...stamps,
  ...held(Projects.Provider),
  type: Schema.Literal("v1", "v2"),
  isActive: Schema.Boolean
})
export interface Provider extends Schema.Schema.Type<typeof Provider> {}

/** The kinds of the seeded entities. */
export const kinds = ["complex", "apartment"] as const

export const ProjectEntity = Entity.open({ ...stamps, kind: Schema.String })
export interface ProjectEntity extends Schema.Schema.Type<typeof ProjectEntity> {}

/** An absence of one of the people, first and last day included. */
export const Absence = Entity.open({
  ...stamps,
  ...held(Intranet.HolidayReportLine),
  userId: Entity.Id,
  fullName: Schema.String,
  startDate: DateTime,
  endDate: DateTime,
  days: Schema.Number,
  status: Schema.String
})
export interface Absence extends Schema.Schema.Type<typeof Absence> {}

export const Deal = Entity.open({
  _id: Entity.Id,
  name: Schema.String,
  stage: Schema.String,
  amount: Schema.Number,
  currency: Schema.String,
  contact: Schema.String,
  closesAt: DateTime
})
export interface Deal extends Schema.Schema.Type<typeof Deal> {}

/** A unit of the organisation with its subunits. */
export interface Unit {
  readonly _id: string
  readonly title: string
  readonly person: string
  readonly below: ReadonlyArray<Unit>
}
