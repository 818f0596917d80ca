/** The calls of the intranet (specification, point 7). */
import { type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Level from "../permissions/level.js"
import { HolidayCheck, HolidayReport, HolidayReportLine } from "./model.js"

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
export const orgChart: Operation<Entity.Nothing, unknown, "endUser", "read"> = /*#__PURE__*/ Operation.make(
  "intranet.orgChart",
  () => ({
    method: "GET",
    path: "intranet/orgChart",
    audiences: ["endUser"],
    input: Entity.Nothing,
    success: Entity.Anything
  })
)

/** Reads the chart of the management; its shape is not specified. */
export const managementChart: Operation<Entity.Nothing, unknown, "endUser", "read"> =
  /*#__PURE__*/ Operation.make("intranet.managementChart", () => ({
    method: "GET",
    path: "intranet/managementChart",
    audiences: ["endUser"],
    input: Entity.Nothing,
    success: Entity.Anything
  }))

/** Reads the end user's remaining holidays; its shape is not specified. */
export const holidayBalance: Operation<Entity.Nothing, unknown, "endUser", "read"> =
  /*#__PURE__*/ Operation.make("intranet.holidayBalance", () => ({
    method: "GET",
    path: "intranet/holiday/balance",
    audiences: ["endUser"],
    input: Entity.Nothing,
    success: Entity.Anything
  }))

/** Asks whether the end user may be absent from one day to another; the answer's shape is not specified. */
export const holidayCheck: Operation<HolidayCheck, unknown, "endUser", "read"> = /*#__PURE__*/ Operation.make(
  "intranet.holidayCheck",
  () => ({
    method: "GET",
    path: "intranet/holiday/check",
    audiences: ["endUser"],
    input: HolidayCheck,
    success: Entity.Anything
  })
)
