/** The life of a request, from the end user who files it to the admin who answers it, over real HTTP. */

import { expect } from "@effect/vitest"
import { Input } from "@quartet/sdk"
import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user"
import { answers, asBeka, refused, rejected, story } from "@quartet/support/clients.js"
import * as Effect from "effect/Effect"

const lift = { payload: { type: "MAINTENANCE", title: "The lift has stopped" } }

// Spec endUser.requests.delete
story("a request is filed, found, changed, withdrawn and gone", function* () {
  const filed = yield* EndUser.requests.create(lift)
  expect(filed).toMatchObject({ type: "MAINTENANCE", status: "pending", version: 1, comments: [] })
  expect(filed.createdAt).toBeInstanceOf(Date)

  const own = yield* EndUser.requests.list()
  expect(own.items[0]?._id).toBe(filed._id)

  const changed = yield* EndUser.requests.update({ id: filed._id, payload: { title: "The lift, again" } })
  expect(changed).toMatchObject({ title: "The lift, again", version: 2 })
  expect((yield* EndUser.requests.get({ id: filed._id })).title).toBe("The lift, again")

  yield* EndUser.requests.delete({ id: filed._id })
  yield* refused(EndUser.requests.get({ id: filed._id }), "NotFound")
  yield* refused(Admin.requests.get({ id: filed._id }), "NotFound")
})

// Spec 3.21, 4.4, admin.requests.addComment, endUser.requests.addComment
story("both sides comment, each comment raises the version, and each side sees who wrote", function* () {
  const { _id: id } = yield* EndUser.requests.create(lift)
  const question = yield* Admin.requests.addComment({ id, payload: { text: "Which floor?" } })
  expect(question.version).toBe(2)
  const answered = yield* EndUser.requests.addComment({ id, payload: { text: "The fifth" } })
  expect(answered.version).toBe(3)
  const { comments } = yield* Admin.requests.get({ id })
  expect(comments?.map(({ author, text }) => [author, text])).toEqual([
    [expect.objectContaining({ kind: "admin", name: "Tamar Chikovani" }), "Which floor?"],
    [expect.objectContaining({ kind: "endUser", name: "Ana Beridze" }), "The fifth"]
  ])
})

// Spec 4.4, admin.requests.markSeen, endUser.requests.markSeen
story("a version is marked as seen only while it is the newest", function* () {
  const { _id: id, version } = yield* EndUser.requests.create(lift)
  yield* Admin.requests.addComment({ id, payload: { text: "On our way" } })
  const stale = yield* Effect.flip(EndUser.requests.markSeen({ id, version: version ?? 0 }))
  expect(stale).toMatchObject({ _tag: "Conflict", serverMessage: expect.stringContaining("version 2") })
  const seen = yield* EndUser.requests.markSeen({ id, version: 2 })
  expect(seen).toMatchObject({ version: 2, seenByUser: 2 })
  yield* EndUser.requests.addComment({ id, payload: { text: "It is stuck again" } })
  yield* refused(Admin.requests.markSeen({ id, version: 2 }), "Conflict")
  yield* Admin.requests.markSeen({ id, version: 3 })
  yield* answers(EndUser.requests.get({ id }), { version: 3, seenByAdmin: 3 })
})

// Spec 4.2, 4.3, endUser.requests.update
story("an admin answers, the end user reviews and confirms, until it is archived", function* () {
  const { _id: id } = yield* EndUser.requests.create(lift)
  yield* Admin.requests.update({ id, payload: { status: "confirmed" } })
  const reviewed = yield* EndUser.requests.review({ id, payload: { stars: 5 } })
  expect(reviewed).toMatchObject({ status: "reviewed", review: { stars: 5 } })
  expect((yield* EndUser.requests.confirm({ payload: { id } })).status).toBe("user_accepted")
  expect((yield* EndUser.requests.confirm({ payload: { id, accepted: false } })).status).toBe("user_rejected")
  yield* Admin.requests.update({ id, payload: { status: "archived" } })
  yield* refused(EndUser.requests.review({ id }), "Conflict")
})

story("an end user sees only their own requests, and sets only an end user's statuses", function* ({ url }) {
  const { _id: id, userId } = yield* EndUser.requests.create(lift)
  const mine = yield* EndUser.requests.list({ limit: 500 })
  expect(new Set(mine.items.map((request) => request.userId))).toEqual(new Set([userId]))
  yield* refused(EndUser.requests.get({ id }), "NotFound").pipe(asBeka(url))
  yield* rejected(EndUser.requests.update({ id, payload: { status: "confirmed" } }), "status")
})

// Spec admin.requests.list
story("an admin filters by users, types and statuses, and pages through what is left", function* () {
  const all = yield* Admin.requests.list({ limit: 500 })
  expect(all.paging.total).toBe(80)
  const user = String(all.items[0]?.userId)

  const some = yield* Admin.requests.list({ inUserIds: [user], limit: 500 })
  expect(some.items).toEqual(all.items.filter((request) => request.userId === user))
  const others = yield* Admin.requests.list({ notInUserIds: [user], limit: 500 })
  expect(others.items.length).toBe(all.items.length - some.items.length)
  const chosen = yield* Admin.requests.list({
    typeIn: ["BUY", "RENT"],
    statusIn: ["pending"],
    limit: 500
  })
  expect(chosen.items.length).toBeGreaterThan(0)
  expect(chosen.items).toEqual(
    all.items.filter(
      (request) => ["BUY", "RENT"].includes(String(request.type)) && request.status === "pending"
    )
  )

  const second = yield* Admin.requests.list({ page: 2, limit: 30 })
  expect(second.items).toEqual(all.items.slice(30, 60))
  expect(second.paging).toEqual({ page: 2, limit: 30, total: 80, pages: 3 })
})

story("a request without its type, or for nobody, is refused with the field's name", function* () {
  yield* rejected(EndUser.requests.create({ payload: Input.raw({ title: "?" }) }), "type")
  yield* rejected(Admin.requests.create({ payload: { type: "BUY", userId: "f".repeat(24) } }), "userId")
  const empty = yield* EndUser.requests.create(lift)
  yield* rejected(EndUser.requests.addComment({ id: empty._id, payload: { text: " " } }), "text")
})
