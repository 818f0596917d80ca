/** The handlers of all operations, slice by slice. The sandbox's routes are derived from the operations that they name. */
import type { Handler } from "../platform/handler.js"
import { auth } from "./auth.js"
import { boxes } from "./boxes.js"
import { content } from "./content.js"
import { conversations } from "./conversations.js"
import { entities } from "./entities.js"
import { events } from "./events.js"
import { files } from "./files.js"
import { intranet } from "./intranet.js"
import { items } from "./items.js"
import { contentModels, models } from "./models.js"
import { notifications } from "./notifications.js"
import { orders } from "./orders.js"
import { payments } from "./payments.js"
import { profiles } from "./profiles.js"
import { projects } from "./projects.js"
import { providers } from "./providers.js"
import { rates } from "./rates.js"
import { requests } from "./requests.js"
import { permissions, roles } from "./roles.js"
import { admins, preferences, users } from "./users.js"
import { visitorContent } from "./visitor-content.js"

export const slices: ReadonlyArray<Handler> = [
  ...auth,
  ...projects,
  ...providers,
  ...entities,
  ...requests,
  ...notifications,
  ...intranet,
  ...items,
  ...orders,
  ...profiles,
  ...contentModels,
  ...content,
  ...visitorContent,
  ...conversations,
  ...payments,
  ...files,
  ...users,
  ...admins,
  ...preferences,
  ...roles,
  ...permissions,
  ...models,
  ...boxes,
  ...events,
  ...rates
]
