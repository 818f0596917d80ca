/** By Promises, with the client as one function: the same twenty calls. What they cost the type checker is budgeted. */
import * as content from "@quartet/sdk/admin/content"
import * as contentModels from "@quartet/sdk/admin/content-models"
import * as conversations from "@quartet/sdk/admin/conversations"
import * as entities from "@quartet/sdk/admin/entities"
import * as files from "@quartet/sdk/admin/files"
import * as items from "@quartet/sdk/admin/items"
import * as models from "@quartet/sdk/admin/models"
import * as orders from "@quartet/sdk/admin/orders"
import * as payments from "@quartet/sdk/admin/payments"
import * as requests from "@quartet/sdk/admin/requests"
import * as roles from "@quartet/sdk/admin/roles"
import * as users from "@quartet/sdk/admin/users"
import { createAdmin } from "@quartet/sdk/promise/admin"

const id = "66a100000000000000000001"
const call = createAdmin({
  baseUrl: "https://api.example.com",
  projectId: "p1",
  sessionId: "s",
  accessToken: "t"
})

export const answers = await Promise.all([
  call(requests.list, { statusIn: ["pending"] }),
  call(requests.get, { id }),
  call(requests.markSeen, { id, version: 1 }),
  call(content.get, { id }),
  call(content.update, { id, payload: {} }),
  call(contentModels.list),
  call(contentModels.get, { id }),
  call(conversations.list),
  call(conversations.messages, { id }),
  call(entities.list, { kind: "page" }),
  call(files.list),
  call(files.get, { id }),
  call(items.search, {}),
  call(items.get, { id }),
  call(models.get, { id }),
  call(orders.search, {}),
  call(orders.get, { id }),
  call(payments.list),
  call(roles.list),
  call(users.get, { id })
])
