/** A small slice of the tests' own, so that the kernel is specified apart from what the platform happens to offer. */

import {
  type Audience,
  type Bytes,
  binary,
  Entity,
  Input,
  Levels as Level,
  Operation,
  page
} from "@quartet/sdk/extend"
import * as Schema from "effect/Schema"

const everyone: ReadonlyArray<Audience> = ["admin", "public", "private", "endUser"]

export const Thing = Entity.open({ _id: Entity.Id, name: Entity.maybe(Schema.String) })
export interface Thing extends Schema.Schema.Type<typeof Thing> {}

export const get = Operation.make("things.get", () => ({
  method: "GET",
  path: "things/{id}",
  audiences: everyone,
  input: Entity.ById,
  success: Thing,
  requires: Level.Read
}))

const ListThings = Entity.list(() => ({ typeIn: Schema.optional(Input.list(Schema.String)) }))

export const list = Operation.make("things.list", () => ({
  method: "GET",
  path: "things",
  audiences: everyone,
  input: ListThings,
  success: page(Thing),
  requires: Level.Read
}))

export const create = Operation.make("things.create", () => ({
  method: "POST",
  path: "things",
  audiences: everyone,
  input: Entity.WithPayload,
  success: Entity.Anything,
  requires: Level.Write
}))

/** A POST that changes nothing. */
export const search = Operation.make("things.search", () => ({
  method: "POST",
  path: "things/search",
  audiences: everyone,
  input: Entity.WithPayload,
  success: Entity.Anything,
  isReadOnly: true
}))

/** A call that sends no credentials. */
export const open = Operation.make("things.open", () => ({
  method: "GET",
  path: "things/open",
  audiences: everyone,
  input: Entity.Nothing,
  success: Entity.Anything,
  credentials: "none"
}))

export const download: Operation<Entity.ById, Bytes, Audience, "read"> = Operation.make(
  "things.download",
  () => ({
    method: "GET",
    path: "things/{id}/download",
    audiences: everyone,
    input: Entity.ById,
    success: binary
  })
)

export const adminOnly = Operation.make("things.adminOnly", () => ({
  method: "GET",
  path: "things/admin",
  audiences: ["admin"],
  input: Entity.Nothing,
  success: Entity.Anything
}))
