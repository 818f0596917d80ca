/** Conversation topics and action categories of the projects that have them, and the platform's spellings. */
export type { ActionCategory, ActionType, Aliases, Tenants, Topic } from "../../core/tenants/model.js"
export { categoriesOf, extraTypes, normalise, spellings, topicsOf } from "../../core/tenants/topics.js"
