/** Boxes: data that an app keeps about its visitors and users, by type (specification, point 3). */

import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import type * as Schema from "../kernel/operation/schema.js"

/** The types of boxes. @category constants */
export const boxTypes = /*#__PURE__*/ Object.freeze([
  "QUIZ_RESULT",
  "SURVEY_RESULT",
  "INTRANET_RESPONSIBILITIES",
  "M2_WEB_PROPERTY_WISHLIST",
  "ALCHEMY_ELEMENT_IMAGES"
] as const)

/** The type of a box. @category schemas */
export type BoxType = Entity.OpenLiteral<(typeof boxTypes)[number]>
export const BoxType: Schema.Schema<BoxType, string> = Entity.openLiteral(...boxTypes)

/** A box with its content. @category schemas */
export const Box = Entity.open({ _id: Entity.Id, type: Entity.maybe(BoxType) })
export interface Box extends Schema.Schema.Type<typeof Box> {}

/** What a box holds, as far as it is assumed; a visitor's has no `userId`. @category schemas */
export const BoxRow = /*#__PURE__*/ Row.row(() => ({
  ...Box.fields,
  ...Row.stamps,
  userId: Entity.maybe(Entity.Id)
}))
