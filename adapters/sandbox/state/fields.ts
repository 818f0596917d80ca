/** Derives a sandbox row from the model of a call's answer: the same fields, all present. */
import * as Schema from "effect/Schema"
import { DateTime } from "../../../core/kernel/codec/dates.js"
import * as Entity from "../../../core/kernel/operation/entity.js"

/** Fields that the platform sets and no caller can. */
export const stamps = { _id: Entity.Id, createdAt: DateTime, updatedAt: DateTime }

type Held<Fields> = {
  readonly [K in keyof Fields]: Fields[K] extends Schema.optional<Schema.NullOr<infer S>> ? S : Fields[K]
}

/** The fields of a model in a row: optional and nullable ones are always present. */
export const held = <Fields extends Schema.Struct.Fields>({
  fields
}: {
  readonly fields: Fields
}): Held<Fields> =>
  // The type above states the result of this loop for each name.
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const [inner, other]: ReadonlyArray<unknown> = Object(Object(field).from).members ?? []
      return [name, other === Schema.Null ? inner : field]
    })
  ) as Held<Fields>
