/**
 * Conversation topics and action categories, for the projects that have them.
 *
 * The specification (point 9) gives the labels, and says of the second project that Other is its only category, with
 * extra types. It does not say which of the action types of point 3 stand under which label; each of the home app's
 * stands here under the one that its name tells of, and the rest under Other.
 */
import type { ActionCategory, Tenants, Topic } from "./model.js"
import { topics } from "./model.js"

const other = ["REQUEST_INVOICE", "REPLACE_APARTMENT", "REDIRECTING_FRIEND"] as const

const first: ReadonlyArray<ActionCategory> = [
  { label: "Maintenance", types: ["MAINTENANCE"] },
  { label: "Broker", types: ["BUY", "RENT", "SELL", "RENT_OUT", "EXCHANGE", "WAITING_LIST"] },
  { label: "Linking", types: ["REQUEST_APARTMENT_LINK"] },
  { label: "Other", types: other }
]

/**
 * The second project's extra types, and what each is in the specification's words. Where point 3 names a type that
 * says the same (VISIT, CHANGE_FILE) it is that one; the names of the others are the project's own.
 */
export const extraTypes = {
  VISIT: "Visit to the construction site",
  DESIGNER_MEETING: "Meeting with a designer about planning changes",
  ELECTRIC_AND_WET_POINTS: "Agreement on electric and wet points",
  PAYMENT_SCHEDULE_CHANGE: "Payment schedule change",
  CHANGE_FILE: "Change File"
} as const

const second: ReadonlyArray<ActionCategory> = [
  { label: "Other", types: [...other, ...Object.keys(extraTypes)] }
]

/** Whether a project is one that is configured: nothing is not, even where nothing is configured. */
const is = (projectId: string, configured: unknown): boolean =>
  typeof configured === "string" && configured !== "" && projectId === configured

/** The topics of a project's conversations; none where the project is not the configured one. */
export const topicsOf = (tenants: Tenants, projectId: string): ReadonlyArray<Topic> =>
  is(projectId, Object(tenants).topicsProjectId) ? topics : []

/** The categories of a project's actions; none where the project is not one of the two configured. */
export const categoriesOf = (tenants: Tenants, projectId: string): ReadonlyArray<ActionCategory> => {
  const ids: unknown = Object(tenants).categoriesProjectIds
  const [one, two] = Array.isArray(ids) ? ids : []
  if (is(projectId, one)) return first
  return is(projectId, two) ? second : []
}
