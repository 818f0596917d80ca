/** Boxes: data that an app keeps about its visitors and users, by type (specification, point 3). */

import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

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
export const BoxType: Schema.Schema<BoxType, string> = /*#__PURE__*/ (() => Entity.openLiteral(...boxTypes))()

/** The content of a box, which an app decides: a quiz or a survey has these. @category schemas */
export const BoxData = /*#__PURE__*/ Entity.make({}, () => ({
  /** Points of a quiz. Assumed: the platform may differ. */
  score: Entity.maybe(Schema.Number),
  /** The answers that were chosen. Assumed: the platform may differ. */
  choices: Entity.maybe(Schema.Array(Schema.String))
}))
export interface BoxData extends Schema.Schema.Type<typeof BoxData> {}

/**
 * A box: data that an app keeps about its visitors and users, by type, such as the result of a quiz (point 3 of the
 * specification). The app decides what `data` holds.
 * @category schemas
 */
export const Box = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.Id,
    /** What kind of content it has. */
    type: Entity.maybe(BoxType)
  },
  () => ({
    /** Id of the end user whose it is; a visitor's has none. Assumed: the platform may differ. */
    userId: Entity.maybe(Entity.Id),
    /** Its content, by its type. Assumed: the platform may differ. */
    data: Entity.maybe<BoxData, BoxData>(BoxData),
    ...Row.stamps
  })
)
export interface Box extends Schema.Schema.Type<typeof Box> {}

/** The type of a box, and whatever the app keeps in it. @category schemas */
export const BoxContent = /*#__PURE__*/ Entity.ownBody(() => ({
  /** Kind of box. */
  type: Entity.maybe(BoxType),
  /** Its content, by its type. Assumed: the platform may differ. */
  data: Schema.optional(Schema.Unknown)
}))
export type BoxContent = Schema.Schema.Type<typeof BoxContent>
