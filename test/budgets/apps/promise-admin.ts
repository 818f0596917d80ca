/** By Promises: twenty calls of administrators, as a program makes them. What they cost the type checker is budgeted. */
import { createAdminClient } from "@quartet/sdk/promise"

const id = "66a100000000000000000001"
const admin = createAdminClient({
  baseUrl: "https://api.example.com",
  projectId: "p1",
  sessionId: "s",
  accessToken: "t"
})

export const answers = await Promise.all([
  admin.requests.list({ statusIn: ["pending"] }),
  admin.requests.get({ id }),
  admin.requests.markSeen({ id, version: 1 }),
  admin.content.get({ id }),
  admin.content.update({ id, payload: {} }),
  admin.contentModels.list(),
  admin.contentModels.get({ id }),
  admin.conversations.list(),
  admin.conversations.messages({ id }),
  admin.entities.list({ kind: "page" }),
  admin.files.list(),
  admin.files.get({ id }),
  admin.items.search({}),
  admin.items.get({ id }),
  admin.models.get({ id }),
  admin.orders.search({}),
  admin.orders.get({ id }),
  admin.payments.list(),
  admin.roles.list(),
  admin.users.get({ id })
])
