/** Projects (specification, point 3). */

import { DateTime } from "../kernel/codec/dates.js"
import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/**
 * A provider that is connected to a project, such as one for payments or text messages. `providers.activate` and
 * `providers.deactivate` switch it. A project shows those of type `v2` alone.
 * @category schemas
 */
export const Provider = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.maybe(Entity.Id),
    /** Its name for people. */
    name: Entity.maybe(Schema.String),
    /** Version of its interface, such as `v1`, `v2`. */
    type: Entity.maybe(Entity.openLiteral("v1", "v2"))
  },
  () => ({
    /** Whether the project uses it. Assumed: the platform may differ. */
    isActive: Schema.Boolean,
    /** What it was switched with last. Assumed: the platform may differ. */
    settings: Entity.maybe(Schema.Unknown),
    ...Row.stamps
  })
)
export interface Provider extends Schema.Schema.Type<typeof Provider> {}

/** The type of the providers that a project shows. @category constants */
export const shownProviderType = "v2"

/** A project's providers: types other than v2 are dropped (specification, point 3). */
const ShownProviders = /*#__PURE__*/ (() =>
  Schema.transform(
    Schema.Array<Provider, Schema.Schema.Encoded<typeof Provider>>(Provider),
    Schema.Array<Provider, Provider>(Schema.typeSchema(Provider)),
    {
      // A tolerantly read answer may hold items of any kind.
      decode: (providers) => providers.filter((provider) => provider?.type === shownProviderType),
      encode: (providers) => providers
    }
  ))()

/** A project, as the platform answers it. Its fields are the specification's, and the kinds of some are assumed. @category schemas */
export const Project = /*#__PURE__*/ (() =>
  Entity.make(
    {
      /** Its id. */
      _id: Entity.Id,
      /** Its name for people. */
      name: Entity.maybe(Schema.String),
      /** Its providers of type `v2`; others are left out. */
      providers: Entity.maybe(ShownProviders),
      /** The key of its public and end users' clients. */
      api_key: Entity.maybe(Schema.String),
      /** The key of its servers. It is a secret: whoever has it acts for the project, and an answer that is printed shows it. */
      private_api_key: Entity.maybe(Schema.String),
      /** When it was made. */
      created: Entity.maybe(DateTime)
    },
    () => ({
      /** Ids of its users, who are its admins. Assumed: the platform may differ. */
      users: Schema.Array(Entity.Id),
      /** Ids of its content models, which the legacy service calls custom types. Assumed: the platform may differ. */
      custom_types: Schema.Array(Entity.Id),
      /** Ids of its files. Assumed: the platform may differ. */
      files: Schema.Array(Entity.Id),
      /** Codes of the languages of its content, such as `en`. Assumed: the platform may differ. */
      languages: Schema.Array(Schema.String),
      /** What its owner keeps with it, under names of their own. Assumed: the platform may differ. */
      metadata: Schema.Struct({}, { key: Schema.String, value: Schema.Unknown })
    })
  ))()
export interface Project extends Schema.Schema.Type<typeof Project> {}

/** What is changed of a project. Assumed: the platform may differ. @category schemas */
export const ProjectChange = /*#__PURE__*/ Row.change(
  () => Project,
  "api_key",
  "private_api_key",
  "created",
  "providers"
)
export type ProjectChange = Schema.Schema.Type<typeof ProjectChange>
