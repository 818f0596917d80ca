/** The intranet, for end users. */
import * as Intranet from "../../core/intranet/operations.js"
import { bind } from "./client.js"

export const orgChart = /*#__PURE__*/ bind(Intranet.orgChart)
export const managementChart = /*#__PURE__*/ bind(Intranet.managementChart)
export const holidayBalance = /*#__PURE__*/ bind(Intranet.holidayBalance)
export const holidayCheck = /*#__PURE__*/ bind(Intranet.holidayCheck)
