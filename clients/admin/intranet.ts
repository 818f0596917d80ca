/** The intranet, for admins. */
import * as Intranet from "../../core/intranet/operations.js"
import { bind } from "./client.js"

export const holidayReport = /*#__PURE__*/ bind(Intranet.holidayReport)
