/** The intranet: charts of a company, and its people's holidays (specification, points 3 and 7). */

import * as Dates from "../kernel/codec/dates.js"
import * as Row from "../kernel/codec/row.js"
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
export const HolidayType: Schema.Schema<HolidayType, string> = Entity.openLiteral(...holidayTypes)

/** How holidays accrue: by the calendar year, or from the day on which work started. @category constants */
export const holidayAccrualTypes = /*#__PURE__*/ Object.freeze(["calendar", "start_of_work"] as const)

/** How holidays accrue. @category schemas */
export type HolidayAccrualType = Entity.OpenLiteral<(typeof holidayAccrualTypes)[number]>
export const HolidayAccrualType: Schema.Schema<HolidayAccrualType, string> = Entity.openLiteral(
  ...holidayAccrualTypes
)

/** One row of the holiday report. @category schemas */
export const HolidayReportLine = Entity.open({
  type: Entity.maybe(HolidayType),
  accrualType: Entity.maybe(HolidayAccrualType)
})
export interface HolidayReportLine extends Schema.Schema.Type<typeof HolidayReportLine> {}

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
    : value instanceof Date && Number.isFinite(value.getTime())

/**
 * A day: a `Date`, sent as its ISO date-time in UTC, or ISO text (`2024-05-01`, `2024-05-01T09:00:00Z`), sent
 * unchanged.
 */
const Day: Schema.Schema<Date | string> = Schema.declare(isDay, {
  description: "a valid Date, or text that is an ISO 8601 date or date-time",
  jsonSchema: { type: "string" }
})

/** The first and the last day of a possible absence. @category schemas */
export const HolidayCheck = Schema.Struct({ startDate: Day, endDate: Day })
export interface HolidayCheck extends Schema.Schema.Type<typeof HolidayCheck> {}

/** What an absence holds, first and last day included, as far as it is assumed. @category schemas */
export const AbsenceRow = /*#__PURE__*/ Row.row(() => ({
  ...Row.requiredFields(HolidayReportLine),
  userId: Entity.Id,
  fullName: Schema.String,
  startDate: Dates.DateTime,
  endDate: Dates.DateTime,
  days: Schema.Number,
  status: Schema.String
}))
