/** The intranet: charts of a company, and its people's holidays (specification, points 3 and 7). */

import * as Dates from "../kernel/codec/dates.js"
import * as Row from "../kernel/codec/row.js"
import { TimeId } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/** The kinds of absence. @category constants */
export const holidayTypes = /*#__PURE__*/ Object.freeze([
  "holiday",
  "family",
  "unpaid",
  "sick_day",
  "maternity",
  "day_off",
  "system",
  "bulletin"
] as const)

/** A kind of absence. @category schemas */
export type HolidayType = Entity.OpenLiteral<(typeof holidayTypes)[number]>
export const HolidayType: Schema.Schema<HolidayType, string> = /*#__PURE__*/ (() =>
  Entity.openLiteral(...holidayTypes))()

/** How holidays accrue: by the calendar year, or from the day on which work started. @category constants */
export const holidayAccrualTypes = /*#__PURE__*/ Object.freeze(["calendar", "start_of_work"] as const)

/** How holidays accrue. @category schemas */
export type HolidayAccrualType = Entity.OpenLiteral<(typeof holidayAccrualTypes)[number]>
export const HolidayAccrualType: Schema.Schema<HolidayAccrualType, string> = /*#__PURE__*/ (() =>
  Entity.openLiteral(...holidayAccrualTypes))()

/** The statuses of an absence, as far as they are assumed. @category constants */
export const holidayStatuses = /*#__PURE__*/ Object.freeze(["approved", "requested"] as const)

/**
 * One row of the holiday report: who is absent, for what reason, from which day to which. Both days are part of it,
 * and `days` is its length.
 * @category schemas
 */
export const HolidayReportLine = /*#__PURE__*/ Entity.make(
  {
    /** Kind of absence. */
    type: Entity.maybe(HolidayType),
    /** How holidays accrue. */
    accrualType: Entity.maybe(HolidayAccrualType)
  },
  () => ({
    /** Id of the absence. Assumed: the platform may differ. */
    _id: Entity.Id,
    /** Id of the person. Assumed: the platform may differ. */
    userId: Entity.Id,
    /** Full name of the person. Assumed: the platform may differ. */
    fullName: Schema.String,
    /** First day. Assumed: the platform may differ. */
    startDate: Dates.DateTime,
    /** Last day, which is part of it. Assumed: the platform may differ. */
    endDate: Dates.DateTime,
    /** Length in days. Assumed: the platform may differ. */
    days: Schema.Number,
    /** How far it is, such as `approved`, `requested`. Assumed: the platform may differ. */
    status: Entity.openLiteral(...holidayStatuses),
    ...Row.stamps
  })
)
export interface HolidayReportLine extends Schema.Schema.Type<typeof HolidayReportLine> {}

/**
 * The holidays of a person in one year, in days: how many they have, have taken, and have left.
 * @category schemas
 */
export const HolidayBalance = /*#__PURE__*/ Entity.make({}, () => ({
  /** The year. Assumed: the platform may differ. */
  year: Schema.Number,
  /** Days that a person has in it. Assumed: the platform may differ. */
  total: Schema.Number,
  /** Days that were taken. Assumed: the platform may differ. */
  used: Schema.Number,
  /** Days that are left. Assumed: the platform may differ. */
  left: Schema.Number,
  /** How they accrue. Assumed: the platform may differ. */
  accrualType: HolidayAccrualType
}))
export interface HolidayBalance extends Schema.Schema.Type<typeof HolidayBalance> {}

/** Whether an absence is possible. @category schemas */
export const HolidayAnswer = /*#__PURE__*/ Entity.make({}, () => ({
  /** Whether it can be asked for: enough days are left, and no other absence overlaps it. Assumed: the platform may differ. */
  isAllowed: Schema.Boolean,
  /** Its working days. Assumed: the platform may differ. */
  days: Schema.Number,
  /** Days that are left before it. Assumed: the platform may differ. */
  left: Schema.Number,
  /** Whether it overlaps an absence. Assumed: the platform may differ. */
  overlaps: Schema.Boolean
}))
export interface HolidayAnswer extends Schema.Schema.Type<typeof HolidayAnswer> {}

/** A unit of a chart, without those below it. @category schemas */
export const Position = /*#__PURE__*/ Entity.make({}, () => ({
  /** Id of the unit. Assumed: the platform may differ. */
  _id: Entity.Id,
  /** Name of the unit, or of the position. Assumed: the platform may differ. */
  title: Schema.String,
  /** Full name of who leads it, or has the position. Assumed: the platform may differ. */
  person: Schema.String
}))
export interface Position extends Schema.Schema.Type<typeof Position> {}

/** A unit of a chart, with those below it. @category schemas */
export interface Unit extends Position {
  /** The units below it. Assumed: the platform may differ. */
  readonly below?: ReadonlyArray<Unit> | null | undefined
}
export const Unit: Schema.Schema<Unit> = /*#__PURE__*/ Entity.make({}, () => ({
  ...Position.assumed,
  below: Schema.Array(Schema.suspend(() => Unit))
})).annotations({ identifier: "Unit" })

/** The kind of absence to report, `holiday` by default, the only filter that is known. @category schemas */
export const HolidayReport = /*#__PURE__*/ Entity.list(() => ({
  /** The kind of absence; `holiday` by default. */
  type: Schema.optional(Entity.literal(...holidayTypes))
}))
export interface HolidayReport extends Schema.Schema.Type<typeof HolidayReport> {}

const isDay = (value: unknown): value is Date | string =>
  typeof value === "string"
    ? Dates.parse(value) !== undefined ||
      (value.length === 10 && Dates.parse(`${value}T00:00Z`) !== undefined)
    : Schema.isDate(value) && Number.isFinite(value.getTime())

/**
 * A day: a `Date`, sent as its ISO date-time in UTC, or ISO text (`2024-05-01`, `2024-05-01T09:00:00Z`), sent
 * unchanged.
 */
const Day: Schema.Schema<Date | string> = /*#__PURE__*/ (() =>
  Schema.declare(isDay, {
    description: "a valid Date, or text that is an ISO 8601 date or date-time",
    jsonSchema: { type: "string" },
    [TimeId]: true
  }))()

/** The first and the last day of a possible absence. @category schemas */
export const HolidayCheck = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** First day of the holiday. */
    startDate: Day,
    /** Last day of the holiday. */
    endDate: Day
  }))()
export interface HolidayCheck extends Schema.Schema.Type<typeof HolidayCheck> {}
