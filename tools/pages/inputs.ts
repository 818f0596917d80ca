/**
 * What the samples of a call are given: ids of the rows that a fresh sandbox holds, and bodies that it takes, so that each
 * sample succeeds against `npx @quartet/cli sandbox` as it stands.
 */

import { accounts } from "@quartet/sandbox"
import { State } from "@quartet/sandbox/extend"
import type { Described } from "../../clients/description/described.js"
import { sliceOf } from "../../core/kernel/operation/operation.js"

/** The input of a call: one flat object. */
export type Input = Readonly<Record<string, unknown>>

/** A row of the sandbox, with the fields by which one is chosen. */
interface Row extends Readonly<Record<string, unknown>> {
  readonly _id: string
}

interface Rows {
  all(): ReadonlyArray<object>
}

const state = State.make(1)

/** The first row that has these fields. */
const row = (rows: Rows, fields: Readonly<Record<string, unknown>> = {}): Row => {
  // Every table holds rows with an id.
  const match = (rows.all() as ReadonlyArray<Row>).find((candidate) =>
    Object.entries(fields).every(([name, value]) => candidate[name] === value)
  )
  if (match === undefined) throw new Error(`the sandbox has no row with ${JSON.stringify(fields)}`)
  return match
}

const [ana, beka] = [accounts.endUsers.ana, accounts.endUsers.beka].map(({ email }) =>
  row(state.users, { email })
) as [Row, Row]
const mine = { userId: ana._id }
const viewer = row(state.admins, { email: accounts.viewer.email })
const model = row(state.models, { apiId: "news" })
const entry = row(state.entries, { modelId: model._id })
const [role, permission] = [row(state.roles, { name: "Editor" }), row(state.permissions)]
const [conversation, apartment] = [row(state.conversations), row(state.entities, { kind: "apartment" })]
const message = row(state.messages, { conversationId: conversation._id })
const order = row(state.orders, { ...mine, status: "new" })
const request = row(state.requests, { ...mine, status: "pending" })
const payment = row(state.transactions, { status: "succeeded" })
const box = row(state.boxes, mine)

/** The rows that the calls of a slice are about; under its client first, that client's. */
const subjects: Readonly<Record<string, Row>> = {
  admins: viewer,
  "public.boxes": row(state.boxes, { userId: null }),
  boxes: box,
  cms: entry,
  content: entry,
  contentModels: model,
  conversations: conversation,
  entities: apartment,
  events: row(state.events, mine),
  files: row(state.files, { isPrivate: false }),
  items: row(state.items),
  models: model,
  notifications: row(state.notifications, mine),
  orderGroups: row(state.orderGroups, mine),
  orders: order,
  ordersV2: order,
  payments: payment,
  permissions: permission,
  profile: beka,
  profiles: ana,
  projects: { _id: accounts.projectId },
  requests: request,
  roles: role,
  users: beka
}

/** The fields of paths that name something other than the slice's row. */
const named: Input = {
  key: "theme",
  kind: "apartment",
  apiId: "news",
  currency: "USD",
  messageId: message._id,
  permissionId: (role.permissions as ReadonlyArray<string>)[0],
  providerId: row(state.providers)._id,
  fieldId: (model.fields as ReadonlyArray<Row>)[0]?._id
}

const file = new File([], "picture.png", { type: "image/png" })

/** What is given beside the path; of a call that stands here under its client first, to that client. */
const sampleInputs: Readonly<Record<string, Input>> = {
  "admins.create": { payload: { email: "nino@example.com", password: "a-long-password", fullName: "Nino" } },
  "admins.update": { payload: { fullName: "Nino Beridze" } },
  "auth.legacyLogin": accounts.admin,
  "admin.auth.login": accounts.admin,
  "auth.login": accounts.endUsers.ana,
  "auth.signup": { payload: { email: "nino@example.com", password: "a-long-password", fullName: "Nino" } },
  "auth.update": { payload: { city: "Tbilisi" } },
  "auth.updatePassword": { oldPassword: accounts.endUsers.ana.password, newPassword: "a-long-password" },
  "boxes.create": { payload: { type: "QUIZ_RESULT", data: { score: 7 } } },
  "boxes.update": { payload: { data: { score: 8 } } },
  "content.create": { id: model._id, payload: { title: "We have moved" } },
  "content.list": { lang: "en", sort: [{ k: "title", v: "asc" }] },
  "content.listV2": { search: [{ k: "title", v: "a" }] },
  "content.paginated": { limit: 10 },
  "content.reorder": { payload: { ids: [entry._id] } },
  "content.translate": { key: "greeting", text: "Hello" },
  "content.update": { payload: { title: "We have moved" } },
  "contentModels.create": { payload: { apiId: "events", name: "Events" } },
  "contentModels.update": { payload: { name: "Latest news" } },
  "conversations.update": { payload: { topic: "A flat by the park" } },
  "entities.create": { payload: { name: "Flat 12", floor: 3 } },
  "entities.update": { payload: { floor: 4 } },
  "events.update": { payload: { title: "Viewing of the flat" } },
  "public.files.upload": { form: "applications", file },
  "files.upload": { file },
  "images.upload": { file },
  "intranet.holidayCheck": { startDate: "2026-07-01", endDate: "2026-07-14" },
  "intranet.holidayReport": { type: "holiday" },
  "items.search": { statusIn: ["available"], limit: 10 },
  "public.items.search": { payload: { limit: 10 } },
  "models.addField": { payload: { apiId: "subtitle", name: "Subtitle", type: "TEXT" } },
  "models.create": { payload: { apiId: "events", name: "Events" } },
  "models.update": { payload: { name: "Latest news" } },
  "models.updateField": { payload: { name: "Headline" } },
  "notifications.pushToUsers": { payload: { userIds: [ana._id], title: "Your flat is ready" } },
  "notifications.send": { payload: { userId: ana._id, channel: "PUSH", title: "Your flat is ready" } },
  "notifications.sendInApp": { payload: { userId: ana._id, title: "Your flat is ready" } },
  "notifications.sendSms": { to: "+995555123456", body: "Your flat is ready" },
  "orderGroups.search": { payload: { limit: 10 } },
  "admin.orders.search": { inUserIds: [ana._id], limit: 10 },
  "orders.search": { payload: { limit: 10 } },
  "endUser.orders.update": { payload: { _id: order._id, status: "cancelled" } },
  "orders.update": { payload: { _id: order._id, status: "delivered" } },
  "payments.payWithLink": { payload: { amount: 120, currency: "GEL", description: "A deposit" } },
  "payments.refund": { payload: { amount: 1, reason: "Paid twice" } },
  "preferences.set": { payload: { value: "dark" } },
  "profile.search": { payload: { limit: 10 } },
  "profile.update": { payload: { city: "Tbilisi" } },
  "profiles.search": { inUserIds: [ana._id] },
  "profiles.update": { payload: { _id: ana._id, city: "Tbilisi" } },
  "projects.update": { payload: { name: "Home" } },
  "requests.addComment": { payload: { text: "Gladly" } },
  "requests.confirm": { payload: { id: request._id, accepted: true } },
  "requests.create": { payload: { type: "BUY", title: "A flat with three rooms" } },
  "admin.requests.create": { payload: { type: "BUY", title: "A flat with three rooms", userId: ana._id } },
  "requests.list": { statusIn: ["pending"], limit: 10 },
  "requests.markSeen": { version: request.version },
  "requests.review": { payload: { rating: 5 } },
  "requests.update": { payload: { title: "A flat with two rooms" } },
  "roles.create": { payload: { name: "Editors" } },
  "roles.delete": { id: row(state.roles, { name: "Viewer" })._id },
  "roles.update": { payload: { name: "Chief editors" } },
  "users.create": { payload: { email: "nino@example.com", fullName: "Nino" } },
  "users.update": { payload: { city: "Tbilisi" } }
}

/** The input of a call's samples: its path is filled from the sandbox, the rest is what stands above. */
export const inputOf = ({ audience, fields, name }: Described): Input => {
  const slice = sliceOf(name)
  const { _id: id } = subjects[`${audience}.${slice}`] ?? subjects[slice] ?? {}
  const path = fields
    .filter(({ place }) => place === "path")
    .map((field) => [field.name, field.name === "id" ? id : named[field.name]])
  return { ...Object.fromEntries(path), ...(sampleInputs[`${audience}.${name}`] ?? sampleInputs[name]) }
}

/** The call to make first in a fresh sandbox, by the one that needs what it does. */
export const firstOf: Readonly<Record<string, string>> = {
  "preferences.get": "preferences.set",
  "profile.unblock": "profile.block",
  "profile.unfollow": "profile.follow",
  "roles.delete": "admins.delete"
}
