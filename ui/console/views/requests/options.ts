/** Statuses and types of requests as the specification names them. */
import { generalTypes, homeAppTypes, statuses } from "../../../../core/requests/model.js"
import { categoriesOf } from "../../../../core/tenants/topics.js"
import { projectId, tenants } from "../../app/config.js"
import { words } from "../../design/show.js"

const choice = (value: string) => ({ value, label: words(value) })

export const statusChoices = statuses.map(choice)

const categories = categoriesOf(tenants, projectId)
const categorised = new Set(categories.flatMap(({ types }) => types))

/** Types under the categories of this project, and those without a category. */
export const typeGroups = [
  ...categories,
  { label: "General", types: [...generalTypes, ...homeAppTypes].filter((type) => !categorised.has(type)) }
].map(({ label, types }) => ({ label, choices: types.map(choice) }))
