/** By Effect: twenty calls of administrators, as a program makes them. What they cost the type checker is budgeted. */
import { Admin } from "@quartet/sdk"
import { layer } from "@quartet/sdk/adapters/fetch"
import * as Effect from "effect/Effect"

const id = "66a100000000000000000001"
const admin = Admin.layer({
  baseUrl: "https://api.example.com",
  projectId: "p1",
  sessionId: "s",
  accessToken: "t"
})

const program = Effect.all([
  Admin.requests.list({ statusIn: ["pending"] }),
  Admin.requests.get({ id }),
  Admin.requests.markSeen({ id, version: 1 }),
  Admin.content.get({ id }),
  Admin.content.update({ id, payload: {} }),
  Admin.contentModels.list(),
  Admin.contentModels.get({ id }),
  Admin.conversations.list(),
  Admin.conversations.messages({ id }),
  Admin.entities.list({ kind: "page" }),
  Admin.files.list(),
  Admin.files.get({ id }),
  Admin.items.search({}),
  Admin.items.get({ id }),
  Admin.models.get({ id }),
  Admin.orders.search({}),
  Admin.orders.get({ id }),
  Admin.payments.list(),
  Admin.roles.list(),
  Admin.users.get({ id })
])
export const answers = await Effect.runPromise(program.pipe(Effect.provide(admin), Effect.provide(layer)))
