/** The calls of the intranet (specification, point 7). */
import { type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Level from "../permissions/level.js"
import {
  HolidayAnswer,
  HolidayBalance,
  HolidayCheck,
  HolidayReport,
  HolidayReportLine,
  Unit
} from "./model.js"

/** Reports absences of one kind, holidays by default. */
export const holidayReport: Operation<
  HolidayReport,
  Page<HolidayReportLine>,
  "admin",
  "read"
> = /*#__PURE__*/ Operation.make("intranet.holidayReport", () => ({
  method: "GET",
  path: "intranet/holiday/report",
  audiences: ["admin"],
  input: HolidayReport,
  defaults: { type: "holiday" },
  success: page(HolidayReportLine),
  requires: Level.Read
}))

/** Reads the chart of the organisation; its shape is not specified. */
export const orgChart: Operation<
  Entity.Nothing,
  Entity.Guess<Unit>,
  "endUser",
  "read"
> = /*#__PURE__*/ Operation.make("intranet.orgChart", () => ({
  method: "GET",
  path: "intranet/orgChart",
  audiences: ["endUser"],
  input: Entity.Nothing,
  success: Entity.guess(Unit)
}))

/** Reads the chart of the management; its shape is not specified. */
export const managementChart: Operation<
  Entity.Nothing,
  Entity.Guess<Unit>,
  "endUser",
  "read"
> = /*#__PURE__*/ Operation.make("intranet.managementChart", () => ({
  method: "GET",
  path: "intranet/managementChart",
  audiences: ["endUser"],
  input: Entity.Nothing,
  success: Entity.guess(Unit)
}))

/** Reads the end user's remaining holidays; its shape is not specified. */
export const holidayBalance: Operation<
  Entity.Nothing,
  Entity.Guess<HolidayBalance>,
  "endUser",
  "read"
> = /*#__PURE__*/ Operation.make("intranet.holidayBalance", () => ({
  method: "GET",
  path: "intranet/holiday/balance",
  audiences: ["endUser"],
  input: Entity.Nothing,
  success: Entity.guess(HolidayBalance)
}))

/** Asks whether the end user may be absent from one day to another; the answer's shape is not specified. */
export const holidayCheck: Operation<
  HolidayCheck,
  Entity.Guess<HolidayAnswer>,
  "endUser",
  "read"
> = /*#__PURE__*/ Operation.make("intranet.holidayCheck", () => ({
  method: "GET",
  path: "intranet/holiday/check",
  audiences: ["endUser"],
  input: HolidayCheck,
  success: Entity.guess(HolidayAnswer)
}))
