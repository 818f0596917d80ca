/** Projects (specification, point 3). */

import { DateTime } from "../kernel/codec/dates.js"
import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/** A provider that is connected to a project. @category schemas */
export const Provider = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
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
  /** Its id. */
  _id: Entity.Id,
  /** Its name for people. */
  name: Entity.maybe(Schema.String),
  /** Its users, as the platform answers them. */
  users: Entity.maybe(Schema.Unknown),
  /** Types of its own, as the platform answers them. */
  custom_types: Entity.maybe(Schema.Unknown),
  /** Its files, as the platform answers them. */
  files: Entity.maybe(Schema.Unknown),
  /** The languages of its content. */
  languages: Entity.maybe(Schema.Unknown),
  /** Its providers of type `v2`; others are left out. */
  providers: Entity.maybe(ShownProviders),
  /** The key of its public and end users' clients. */
  api_key: Entity.maybe(Schema.String),
  /** The key of its servers. It is a secret, and never printed. */
  private_api_key: Entity.maybe(Schema.String),
  /** When it was made. */
  created: Entity.maybe(DateTime),
  /** What its owner keeps with it. */
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
