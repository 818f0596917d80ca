/** Statuses and types of requests as the specification names them, and their tones. */
import { generalTypes, homeAppTypes, statuses } from "../../../../core/requests/model.js"
import { categoriesOf } from "../../../../core/tenants/topics.js"
import { projectId, tenants } from "../../app/config.js"
import type { ChoiceGroup } from "../../design/field.js"
import { type Tone, words } from "../../design/show.js"

/** The tones of statuses. */
export const tones: Readonly<Record<string, Tone>> = {
  pending: "warn",
  confirmed: "info",
  rejected: "bad",
  reviewed: "accent",
  user_accepted: "good",
  user_rejected: "bad",
  archived: "calm"
}

export const statusChoices = statuses.map((status) => ({ value: status as string, label: words(status) }))

/** Types under the categories of this project, and those without a category. */
const categorised = new Set(categoriesOf(tenants, projectId).flatMap(({ types }) => types))

export const typeGroups: ReadonlyArray<ChoiceGroup<string>> = [
  ...categoriesOf(tenants, projectId),
  { label: "General", types: [...generalTypes, ...homeAppTypes].filter((type) => !categorised.has(type)) }
].map(({ label, types }) => ({
  label,
  choices: types.map((value) => ({ value, label: words(value) }))
}))
