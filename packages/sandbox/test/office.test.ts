/** The smaller families over real HTTP: project, providers, entities, boxes, events, notifications, intranet and rates. */

import { expect } from "@effect/vitest"
import { Input } from "@quartet/sdk"
import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user"
import * as Private from "@quartet/sdk/private"
import * as Public from "@quartet/sdk/public"
import { answers, asBeka, refused, rejected, story } from "@quartet/support/clients.js"
import { Clock } from "effect"
import { accounts } from "../index.js"

// Spec admin.projects.list, admin.projects.update, public.project.self, private.project.self
story("the project is changed by an admin, and a visitor never reads its private key", function* () {
  const id = accounts.projectId
  yield* Admin.projects.update({ id, payload: Input.raw({ name: "Homes", api_key: "stolen" }) })
  yield* answers(Admin.projects.get({ id }), { name: "Homes", api_key: accounts.apiKey })
  expect((yield* Admin.projects.list()).items.map((project) => project._id)).toEqual([id])
  const visitors = yield* Public.project.self()
  expect(visitors).toMatchObject({ _id: id, name: "Homes" })
  expect(JSON.stringify(visitors)).not.toContain(accounts.privateKey)
  expect(visitors.providers?.every(({ type }) => type === "v2")).toBe(true)
  yield* answers(Private.project.self(), { name: "Homes", private_api_key: accounts.privateKey })
  yield* refused(Admin.projects.get({ id: "other" }), "NotFound")
})

// Spec admin.providers.deactivate
story("a provider is switched on and off, and two of them answer lists of their own", function* () {
  const { items, paging } = yield* Admin.providers.list()
  expect(paging).toEqual({})
  expect(new Set(items.map((provider) => provider.type))).toEqual(new Set(["v1", "v2"]))
  const providerId = items.find((provider) => provider.isActive === false)?._id ?? ""
  yield* Admin.providers.activate({ providerId, payload: { merchant: "M1" } })
  const on = (yield* Admin.providers.list()).items.find((provider) => provider._id === providerId)
  expect(on).toMatchObject({ isActive: true, settings: { merchant: "M1" } })
  expect((yield* Admin.providers.deactivate({ providerId })).isActive).toBe(false)
  yield* refused(Admin.providers.activate({ providerId: "nothing" }), "NotFound")
  expect((yield* Admin.providers.authenticationCustomers({ limit: 2 })).paging.total).toBe(60)
  const won = yield* Admin.providers.zohoDeals({ limit: 500, query: { stage: "Closed won" } })
  expect(won.items.length).toBeGreaterThan(0)
  expect(won.items.every((deal) => deal.stage === "Closed won")).toBe(true)
})

// Spec admin.entities.create
story("an entity belongs to its kind: created, listed, changed, deleted and gone", function* () {
  const kind = "vehicle"
  expect((yield* Admin.entities.list({ kind })).items).toEqual([])
  const { _id: id } = yield* Admin.entities.create({ kind, payload: { name: "Van", seats: 3 } })
  expect(
    (yield* Admin.entities.list({ kind, query: { minSeats: 2 } })).items.map((entity) => entity._id)
  ).toEqual([id])
  yield* Admin.entities.update({ kind, id, payload: { seats: 5, kind: "ship" } })
  yield* answers(Admin.entities.get({ kind, id }), { seats: 5, kind })
  yield* refused(Admin.entities.get({ kind: "complex", id }), "NotFound")
  yield* Admin.entities.delete({ kind, id })
  yield* refused(Admin.entities.get({ kind, id }), "NotFound")
  expect((yield* Admin.entities.list({ kind: "complex" })).paging.total).toBe(10)
})

// Spec public.boxes.list, endUser.boxes.list
story("a visitor's boxes and an end user's are apart", function* ({ url }) {
  const open = yield* Public.boxes.create({ payload: { type: "QUIZ_RESULT", data: { score: 9 } } })
  const own = yield* EndUser.boxes.create({ payload: { type: "SURVEY_RESULT" } })
  expect((yield* Public.boxes.list({ limit: 1 })).items.map((box) => box._id)).toEqual([open._id])
  expect((yield* EndUser.boxes.list({ limit: 1 })).items.map((box) => box._id)).toEqual([own._id])
  yield* refused(Public.boxes.get({ id: own._id }), "NotFound")
  yield* refused(EndUser.boxes.get({ id: open._id }), "NotFound")
  yield* refused(EndUser.boxes.get({ id: own._id }), "NotFound").pipe(asBeka(url))
  yield* Public.boxes.update({ id: open._id, payload: { data: { score: 10 } } })
  yield* answers(Public.boxes.get({ id: open._id }), { data: { score: 10 } })
  yield* EndUser.boxes.update({ id: own._id, payload: { data: { mood: 5 } } })
  yield* answers(EndUser.boxes.get({ id: own._id }), { type: "SURVEY_RESULT", data: { mood: 5 } })
  yield* Public.boxes.delete({ id: open._id })
  yield* EndUser.boxes.delete({ id: own._id })
  yield* refused(Public.boxes.get({ id: open._id }), "NotFound")
  yield* refused(EndUser.boxes.get({ id: own._id }), "NotFound")
})

// Spec 3.21, endUser.events.list
story("an end user lists, moves and deletes their events", function* ({ url }) {
  const { items, paging } = yield* EndUser.events.list({ limit: 500 })
  expect(items.length).toBeGreaterThan(3)
  const id = items[0]?._id ?? ""
  const startsAt = new Date("2025-12-01T12:00:00Z")
  const moved = yield* EndUser.events.update({
    id,
    payload: { startsAt, endsAt: new Date("2025-12-01T13:00:00Z") }
  })
  expect(moved.startsAt).toEqual(startsAt)
  yield* rejected(EndUser.events.update({ id, payload: Input.raw({ startsAt: "soon" }) }), "startsAt")
  yield* refused(EndUser.events.delete({ id }), "NotFound").pipe(asBeka(url))
  yield* EndUser.events.delete({ id })
  expect((yield* EndUser.events.list()).paging.total).toBe((paging.total ?? 0) - 1)
})

// Spec 3.21, admin.notifications.send, private.notifications.sendSms, endUser.notifications.markSeen
story("a notification reaches the end user's list and is seen once they say so", function* ({ url }) {
  const { _id: userId } = yield* EndUser.auth.self()
  const payload = { userIds: [userId], type: "PAYMENT", title: "Rent", body: "Due on Friday" }
  yield* answers(Private.notifications.sendInApp({ payload }), { sent: 1 })
  const listed = yield* EndUser.notifications.list({ limit: 1 })
  expect(listed.items[0]).toMatchObject({ channel: "IN_APP", type: "PAYMENT", title: "Rent", seen: false })
  const id = listed.items[0]?._id ?? ""
  yield* refused(EndUser.notifications.markSeen({ id }), "NotFound").pipe(asBeka(url))
  yield* EndUser.notifications.markSeen({ id })
  const seen = yield* EndUser.notifications.list({ limit: 1 })
  expect(seen.items[0]).toMatchObject({ _id: id, seen: true, seenAt: expect.any(Date) })

  yield* Admin.notifications.send({
    payload: Input.raw({ toAll: true, channel: "EMAIL", sourceType: "News", title: "Hi" })
  })
  const news = yield* EndUser.notifications.list({ limit: 1 }).pipe(asBeka(url))
  expect(news.items[0]).toMatchObject({ channel: "EMAIL", sourceType: "News" })
  yield* answers(Private.notifications.pushToUsers({ payload: { userId, title: "Now" } }), {
    sent: 1
  })
  yield* answers(Private.notifications.sendSms({ to: "+995599000000", body: "x".repeat(161) }), { parts: 2 })
})

story.each([
  ["nobody to reach", Input.raw({ title: "?" }), "userIds"],
  ["someone who does not exist", { userIds: ["nobody"] }, "userIds"],
  ["a channel that is not known", { toAll: true, channel: Input.raw("PIGEON") }, "channel"]
] as const)("a notification with %s is refused", function* ([, payload, field]) {
  yield* rejected(Admin.notifications.send({ payload }), field)
})

// Spec admin.intranet.holidayReport, endUser.intranet.orgChart
story("the intranet reports absences by kind, and answers charts, a balance and a check", function* () {
  const holidays = yield* Admin.intranet.holidayReport()
  expect(holidays.items.length).toBeGreaterThan(3)
  expect(holidays.items.every((line) => line.type === "holiday")).toBe(true)
  const sick = yield* Admin.intranet.holidayReport({ type: "sick_day", limit: 500 })
  expect(sick.items.every((line) => line.type === "sick_day")).toBe(true)
  yield* answers(EndUser.intranet.orgChart(), {
    title: "Rustaveli Homes",
    below: expect.any(Array)
  })
  yield* answers(EndUser.intranet.managementChart(), { title: "Board" })
  const balance = yield* EndUser.intranet.holidayBalance()
  expect(balance).toMatchObject({ total: 24, left: expect.any(Number) })
  const week = yield* EndUser.intranet.holidayCheck({ startDate: "2031-05-05", endDate: "2031-05-11" })
  expect(week).toMatchObject({ days: 5, overlaps: false })
  yield* rejected(
    EndUser.intranet.holidayCheck({ startDate: "2031-05-05", endDate: "2031-05-01" }),
    "endDate"
  )
})

// Spec public.exchangeRates.get
story("the central bank knows the rate of a currency, and 404 for another", function* () {
  yield* answers(Public.exchangeRates.get({ currency: "usd" }), {
    code: "USD",
    rate: expect.any(Number)
  })
  yield* refused(Public.exchangeRates.get({ currency: "XXX" }), "NotFound")
})

// Spec 3.21, admin.conversations.update
story("an admin reads conversations, changes a topic and marks messages as seen", function* () {
  const { items } = yield* Admin.conversations.list({ limit: 1 })
  const id = items[0]?._id ?? ""
  yield* answers(Admin.conversations.update({ id, payload: Input.raw({ topic: "Sales", userId: "x" }) }), {
    topic: "Sales",
    userId: items[0]?.userId
  })
  const { items: messages } = yield* Admin.conversations.messages({ id, limit: 500 })
  expect(messages.length).toBeGreaterThan(2)
  const unseen = messages.find((message) => message.seen === false)?._id ?? ""
  yield* Admin.conversations.markSeen({ id, messageId: unseen })
  const { items: after } = yield* Admin.conversations.messages({ id, query: { seen: false } })
  expect(after.map((message) => message._id)).not.toContain(unseen)
  const otherId = (yield* Admin.conversations.list({ limit: 2 })).items[1]?._id ?? ""
  yield* refused(Admin.conversations.markSeen({ id: otherId, messageId: unseen }), "NotFound")
  yield* refused(Admin.conversations.messages({ id: "nothing" }), "NotFound")
})

story("the present month has absences, also of admins, and the balance is not about them", function* () {
  const holidays = yield* Admin.intranet.holidayReport({ limit: 500 })
  const now = new Date(yield* Clock.currentTimeMillis)
  const present = holidays.items.filter(
    ({ startDate }) =>
      startDate?.getUTCFullYear() === now.getUTCFullYear() && startDate.getUTCMonth() === now.getUTCMonth()
  )
  const admins = yield* Admin.admins.list()
  expect(present.length).toBeGreaterThan(3)
  expect(present.map(({ fullName }) => fullName)).toContain(admins.items[0]?.fullName)
  yield* answers(EndUser.intranet.holidayBalance(), { year: 2025 })
})
