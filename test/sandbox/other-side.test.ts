/** The other side of what the families' stories tell, over real HTTP: calls that one audience makes beside another's. */
import { expect } from "@effect/vitest"
import { accounts } from "../../adapters/sandbox/index.js"
import * as Admin from "../../clients/admin/index.js"
import * as EndUser from "../../clients/end-user/index.js"
import * as Private from "../../clients/private/index.js"
import * as Public from "../../clients/public/index.js"
import { refused, story } from "./clients.js"

// Spec 7.3, 7.4
story("both sign-ins of an admin answer: the token with its user, and the session", function* () {
  const { accessToken, user } = yield* Admin.auth.login(accounts.admin)
  expect(accessToken.split(".")).toHaveLength(3)
  expect(user).toMatchObject({ email: accounts.admin.email })
  const { sessionId } = yield* Admin.auth.legacyLogin(accounts.admin)
  expect(sessionId).not.toBe("")
})

// Spec 4.4, 7.9
story("an admin marks a request as seen at its newest version, and the end user can tell", function* () {
  const { _id: id } = yield* EndUser.requests.create({ payload: { type: "MAINTENANCE" } })
  yield* EndUser.requests.addComment({ id, payload: { text: "The lift again" } })
  expect(yield* EndUser.requests.get({ id })).toMatchObject({ version: 2, seenByAdmin: 0 })
  yield* refused(Admin.requests.markSeen({ id, version: 1 }), "Conflict")
  yield* Admin.requests.markSeen({ id, version: 2 })
  expect(yield* EndUser.requests.get({ id })).toMatchObject({ version: 2, seenByAdmin: 2 })
})

// Spec 7.12
story("an admin reads the item that a search found, and 404 for one that is not there", function* () {
  const [found] = (yield* Admin.items.search({ limit: 1 })).items
  const id = found?._id ?? ""
  expect(yield* Admin.items.get({ id })).toEqual(found)
  yield* refused(Admin.items.get({ id: "nothing" }), "NotFound")
})

// Spec 7.17
story("an admin reads the payment that a server's link began", function* () {
  yield* Private.payments.payWithLink({ payload: { amount: 12 } })
  const id = (yield* Admin.payments.list({ limit: 1 })).items[0]?._id ?? ""
  expect(yield* Admin.payments.get({ id })).toEqual(yield* Private.payments.get({ id }))
  yield* refused(Admin.payments.get({ id: "nothing" }), "NotFound")
})

// Spec 7.23, 7.35
story("a visitor reads the project of their key, and a server the same with its keys", function* () {
  const visitors = yield* Public.project.self()
  const servers = yield* Private.project.self()
  expect(visitors).toMatchObject({ _id: accounts.projectId, name: servers.name })
  expect(visitors).not.toHaveProperty("private_api_key")
  expect(servers.private_api_key).toBe(accounts.privateKey)
  expect(visitors.providers?.every(({ type }) => type === "v2")).toBe(true)
})

// Spec 7.43
story("an end user's box is changed, deleted and gone", function* () {
  const { _id: id } = yield* EndUser.boxes.create({
    payload: { type: "SURVEY_RESULT", data: { mood: 1 } }
  })
  yield* EndUser.boxes.update({ id, payload: { data: { mood: 5 } } })
  expect(yield* EndUser.boxes.get({ id })).toMatchObject({ type: "SURVEY_RESULT", data: { mood: 5 } })
  yield* EndUser.boxes.delete({ id })
  yield* refused(EndUser.boxes.get({ id }), "NotFound")
})
