/** Projects (specification, point 3). */

import { DateTime } from "../kernel/codec/dates.js"
import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/** A provider that is connected to a project. @category schemas */
export const Provider = /*#__PURE__*/ Entity.make(
  {
    _id: Entity.maybe(Entity.Id),
    /** Its name for people. */
    name: Entity.maybe(Schema.String),
    /** Version of its interface: `v1` or `v2`. */
    type: Entity.maybe(Schema.String)
  },
  () => ({
    /** Whether the project uses it. Assumed. */
    isActive: Schema.Boolean,
    /** What it was switched with last. Assumed. */
    settings: Entity.maybe(Schema.Unknown),
    ...Row.stamps
  })
)
export interface Provider extends Schema.Schema.Type<typeof Provider> {}

/** The type of the providers that a project shows. @category constants */
export const shownProviderType = "v2"

/** A project's providers: types other than v2 are dropped (specification, point 3). */
const ShownProviders = Schema.transform(Schema.Array(Provider), Schema.Array(Schema.typeSchema(Provider)), {
  // A tolerantly read answer may hold items of any kind.
  decode: (providers) => providers.filter((provider) => provider?.type === shownProviderType),
  encode: (providers) => providers
})

/** A project, as the platform answers it. @category schemas */
export const Project = Entity.open({
  _id: Entity.Id,
  name: Entity.maybe(Schema.String),
  users: Entity.maybe(Schema.Unknown),
  custom_types: Entity.maybe(Schema.Unknown),
  files: Entity.maybe(Schema.Unknown),
  languages: Entity.maybe(Schema.Unknown),
  providers: Entity.maybe(ShownProviders),
  api_key: Entity.maybe(Schema.String),
  private_api_key: Entity.maybe(Schema.String),
  created: Entity.maybe(DateTime),
  metadata: Entity.maybe(Schema.Unknown)
})
export interface Project extends Schema.Schema.Type<typeof Project> {}

/** What is changed of a project. Assumed. @category schemas */
export const ProjectChange = /*#__PURE__*/ Row.change(
  () => ({ known: Project.fields, assumed: {} }),
  "api_key",
  "private_api_key",
  "created",
  "providers"
)
export type ProjectChange = Schema.Schema.Type<typeof ProjectChange>
