/** The words of requests: statuses and types as the specification names them, and their tones. */
import { generalTypes, homeAppTypes, statuses } from "../../../../core/requests/model.js"
import { categoriesOf } from "../../../../core/tenants/topics.js"
import { projectId, tenants } from "../../app/config.js"
import { type Tone, words } from "../../design/show.js"

const tones: Readonly<Record<string, Tone>> = {
  pending: "warn",
  confirmed: "info",
  rejected: "bad",
  reviewed: "accent",
  user_accepted: "good",
  user_rejected: "bad",
  archived: "calm"
}

export const toneOf = (status: string | null | undefined): Tone => tones[status ?? ""] ?? "calm"

export const statusChoices = statuses.map((status) => ({ value: status as string, label: words(status) }))

/** Types under the categories of this project, and those that stand under none. */
const categorised = new Set(categoriesOf(tenants, projectId).flatMap(({ types }) => types))

export const typeGroups: ReadonlyArray<{ readonly label: string; readonly types: ReadonlyArray<string> }> = [
  ...categoriesOf(tenants, projectId),
  { label: "General", types: [...generalTypes, ...homeAppTypes].filter((type) => !categorised.has(type)) }
]
