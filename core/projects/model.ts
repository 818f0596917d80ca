/** Projects (specification, point 3). */

import { DateTime } from "../kernel/codec/dates.js"
import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/** A provider that is connected to a project. @category schemas */
export const Provider = Entity.open({
  _id: Entity.maybe(Entity.Id),
  name: Entity.maybe(Schema.String),
  type: Entity.maybe(Schema.String)
})
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

/** What a provider holds, as far as it is assumed: `type` is the version of its interface. @category schemas */
export const ProviderRow = /*#__PURE__*/ Row.row(() => ({
  ...Row.requiredFields(Provider),
  type: Schema.Literal("v1", "v2"),
  isActive: Schema.Boolean
}))
