/** Conversation topics and action categories of the projects that have them, and the platform's spellings. */
export { normalise, spellings } from "../../core/tenants/aliases.js"
export type { ActionCategory, ActionType, Aliases, Tenants, Topic } from "../../core/tenants/model.js"
export { categoriesOf, extraTypes, topicsOf } from "../../core/tenants/topics.js"
