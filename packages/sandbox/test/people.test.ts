/** Users, admins, roles, permissions and preferences over real HTTP. */

import { expect } from "@effect/vitest"
import { Input } from "@quartet/sdk"
import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user"
import * as Public from "@quartet/sdk/public"
import { adminLayer, answers, refused, rejected, story } from "@quartet/support/clients.js"
import * as Effect from "effect/Effect"

// Spec 3.21, 6.9, admin.users.update
story("an end user is created, found, changed, deleted and gone, and can sign in in between", function* () {
  const account = { email: "guest@example.test", password: "welcome" }
  const { _id: id, createdAt } = yield* Admin.users.create({ payload: { ...account, fullName: "Guest" } })
  const matches = yield* Admin.users.list({ query: { search: "guest@" } })
  expect(matches.items.map((user) => user._id)).toEqual([id])
  yield* Admin.users.update({
    id,
    payload: Input.raw({ city: "Batumi", _id: "other", createdAt: new Date(0) })
  })
  yield* answers(Admin.users.get({ id }), { _id: id, createdAt, city: "Batumi", fullName: "Guest" })
  expect((yield* Public.auth.login(account)).user?._id).toBe(id)
  yield* refused(Admin.users.create({ payload: account }), "Conflict")
  yield* rejected(Admin.users.create({ payload: { email: "nobody" } }), "email")
  yield* Admin.users.delete({ id })
  yield* refused(Admin.users.get({ id }), "NotFound")
  yield* refused(Public.auth.login(account), "Unauthenticated")
})

story("a deleted end user's session ends at once", function* () {
  const { _id: id } = yield* EndUser.auth.self()
  yield* Admin.users.delete({ id })
  yield* refused(EndUser.auth.self(), "Unauthenticated")
})

// Spec 3.21, 6.8, admin.permissions.list
story("a role that is given a permission lets its holders do more", function* ({ url }) {
  const role = yield* Admin.roles.create({ payload: { name: "Shop" } })
  const { items } = yield* Admin.permissions.list({ query: { resource: "items", level: 1 } })
  const permissionId = items[0]?._id ?? ""
  yield* answers(Admin.permissions.get({ id: permissionId }), {
    resource: "items",
    level: 1
  })

  const account = { email: "shop@quartet.test", password: "shop-password" }
  const admin = yield* Admin.admins.create({
    payload: { ...account, fullName: "Shop", roles: [role._id] }
  })
  const search = Admin.items.search({ limit: 1 }).pipe(Effect.provide(adminLayer(url, account)))
  yield* refused(search, "PermissionDenied")

  yield* Admin.roles.addPermission({ id: role._id, permissionId })
  expect((yield* Admin.roles.get({ id: role._id })).permissions).toEqual([permissionId])
  expect((yield* search).items.length).toBe(1)

  yield* refused(Admin.roles.delete({ id: role._id }), "Conflict")
  yield* Admin.roles.removePermission({ id: role._id, permissionId })
  yield* refused(Admin.roles.removePermission({ id: role._id, permissionId }), "NotFound")
  yield* refused(search, "PermissionDenied")

  yield* Admin.admins.delete({ id: admin._id })
  yield* Admin.roles.delete({ id: role._id })
  yield* refused(Admin.roles.get({ id: role._id }), "NotFound")
})

// Spec 6.8, admin.roles.list
story("a role is renamed, and holds no permission that does not exist", function* () {
  const { _id: id } = yield* Admin.roles.create({ payload: { name: "Draft" } })
  yield* answers(Admin.roles.update({ id, payload: { name: "Final" } }), { name: "Final" })
  const names = (yield* Admin.roles.list()).items.map((role) => role.name)
  expect(names).toEqual(["Owner", "Viewer", "Support", "Editor", "Final"])
  yield* rejected(Admin.roles.update({ id, payload: { permissions: ["nothing"] } }), "permissions")
  yield* rejected(Admin.roles.create({ payload: Input.raw({}) }), "name")
})

// Spec 3.21, 6.9, admin.admins.get
story("admins manage each other, but nobody deletes themselves", function* () {
  const { items } = yield* Admin.admins.list({ query: { email: "admin@quartet.test" } })
  const own = items[0]?._id ?? ""
  yield* refused(Admin.admins.delete({ id: own }), "Conflict")
  const otherId = (yield* Admin.admins.list({ query: { email: "sales@quartet.test" } })).items[0]?._id ?? ""
  yield* Admin.admins.update({ id: otherId, payload: { fullName: "Irakli L." } })
  yield* answers(Admin.admins.get({ id: otherId }), { fullName: "Irakli L." })
  yield* rejected(Admin.admins.update({ id: otherId, payload: { roles: ["nothing"] } }), "roles")
  yield* rejected(Admin.admins.create({ payload: Input.raw({ email: "x@quartet.test" }) }), "password")
  yield* Admin.admins.delete({ id: otherId })
  expect((yield* Admin.admins.list()).paging.total).toBe(4)
})

// Spec 3.21, admin.users.list
story("a preference is kept under its key, for the one admin who set it", function* ({ url }) {
  yield* refused(Admin.preferences.get({ key: "theme" }), "NotFound")
  yield* Admin.preferences.set({ key: "theme", payload: { dark: true } })
  yield* Admin.preferences.set({ key: "theme", payload: { dark: false } })
  yield* answers(Admin.preferences.get({ key: "theme" }), {
    key: "theme",
    value: { dark: false }
  })
  const listed = yield* Admin.preferences.list()
  expect([listed.items.length, listed.paging]).toEqual([1, {}])
  const support = { email: "support@quartet.test", password: "support-password" }
  const others = yield* Admin.preferences.list().pipe(Effect.provide(adminLayer(url, support)))
  expect(others.items).toEqual([])
})

story("no answer about people ever holds a password", function* () {
  const answers = [
    yield* Admin.users.list({ limit: 500 }),
    yield* Admin.admins.list(),
    yield* Admin.users.create({ payload: { email: "p@example.test", password: "very-secret" } }),
    yield* EndUser.auth.self()
  ]
  expect(JSON.stringify(answers)).not.toMatch(/password|very-secret/)
})
