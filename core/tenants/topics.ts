/**
 * Conversation topics and action categories, for the projects that have them, and the spellings of action types.
 *
 * The specification (point 9) gives the labels, and says of the second project that Other is its only category, with
 * extra types. It does not assign the action types of point 3 to labels; here each of the home app's has the label that
 * its name suggests, and the rest Other. It says too that REDIRECTING_FRIEND and REQUEST_APARTMENT_LINK have misspelled
 * variants in the product, and does not give them; so the caller passes the table.
 */
import type { ActionCategory, ActionType, Aliases, Tenants, Topic } from "./model.js"
import { topics } from "./model.js"

const otherTypes = ["REQUEST_INVOICE", "REPLACE_APARTMENT", "REDIRECTING_FRIEND"] as const

const first: ReadonlyArray<ActionCategory> = [
  { label: "Maintenance", types: ["MAINTENANCE"] },
  { label: "Broker", types: ["BUY", "RENT", "SELL", "RENT_OUT", "EXCHANGE", "WAITING_LIST"] },
  { label: "Linking", types: ["REQUEST_APARTMENT_LINK"] },
  { label: "Other", types: otherTypes }
]

/**
 * The second project's extra types, each with the specification's words. Where point 3 has a type with this meaning
 * (VISIT, CHANGE_FILE), it is that one; the other names are made up.
 * @category constants
 */
export const extraTypes = /*#__PURE__*/ Object.freeze({
  VISIT: "Visit to the construction site",
  DESIGNER_MEETING: "Meeting with a designer about planning changes",
  ELECTRIC_AND_WET_POINTS: "Agreement on electric and wet points",
  PAYMENT_SCHEDULE_CHANGE: "Payment schedule change",
  CHANGE_FILE: "Change File"
} as const)

const second: ReadonlyArray<ActionCategory> = [
  { label: "Other", types: [...otherTypes, ...Object.keys(extraTypes)] }
]

/** Whether a project is configured: an undefined one is not, even if the configuration is undefined too. */
const is = (projectId: string, configured: unknown): boolean =>
  typeof configured === "string" && configured !== "" && projectId === configured

/** Lists of the caller's own: what is changed in them, nobody else sees. */
const copied = (categories: ReadonlyArray<ActionCategory>): ReadonlyArray<ActionCategory> =>
  categories.map(({ label, types }) => ({ label, types: [...types] }))

/** The topics of a project's conversations; none for other projects. @category getters */
export const topicsOf = (tenants: Tenants, projectId: string): ReadonlyArray<Topic> =>
  is(projectId, Object(tenants).topicsProjectId) ? [...topics] : []

/** The categories of a project's actions; none for other projects. @category getters */
export const categoriesOf = (tenants: Tenants, projectId: string): ReadonlyArray<ActionCategory> => {
  const ids: unknown = Object(tenants).categoriesProjectIds
  const [firstId, secondId] = Array.isArray(ids) ? ids : []
  if (is(projectId, firstId)) return copied(first)
  return is(projectId, secondId) ? copied(second) : []
}

/** An action type in its correct spelling; unknown ones stay unchanged. @category getters */
export const normalise = (type: string, aliases: Aliases = {}): string =>
  Object.hasOwn(aliases, type) ? (aliases[type] ?? type) : type

/** All spellings of an action type, the correct one first: the value for `typeIn`. @category getters */
export const spellings = (type: ActionType, aliases: Aliases = {}): ReadonlyArray<string> => [
  type,
  ...Object.keys(aliases).filter((spelling) => aliases[spelling] === type && spelling !== type)
]
