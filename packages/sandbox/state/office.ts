/** Rows of the company: providers, entities of custom kinds, absences and the organisation. */
import type * as Schema from "effect/Schema"
import * as Entities from "@quartet/sdk/extend/models/entities"
import * as Intranet from "@quartet/sdk/extend/models/intranet"
import * as Projects from "@quartet/sdk/extend/models/projects"
import * as Providers from "@quartet/sdk/extend/models/providers"

export const Provider: typeof Projects.ProviderRow = Projects.ProviderRow
export interface Provider extends Schema.Schema.Type<typeof Provider> {}
export const ProjectEntity: typeof Entities.ProjectEntityRow = Entities.ProjectEntityRow
export interface ProjectEntity extends Schema.Schema.Type<typeof ProjectEntity> {}
export const Absence: typeof Intranet.AbsenceRow = Intranet.AbsenceRow
export interface Absence extends Schema.Schema.Type<typeof Absence> {}
export const Deal: typeof Providers.DealRow = Providers.DealRow
export interface Deal extends Schema.Schema.Type<typeof Deal> {}

/** The kinds of the seeded entities. */
export const kinds = ["complex", "apartment"] as const

/** A unit of the organisation with its subunits. */
export interface Unit {
  readonly _id: string
  readonly title: string
  readonly person: string
  readonly below: ReadonlyArray<Unit>
}
