/** Profiles over real HTTP: what is read of them, who follows whom, and what a block does. */

import { expect } from "@effect/vitest"
import { Input } from "@quartet/sdk"
import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user"
import { answers, asBeka, refused, rejected, story } from "@quartet/support/clients.js"

// Spec admin.profiles.get, endUser.profile.getFull
story("a profile has a short and a full form, and its owner changes what is theirs to change", function* () {
  const short = yield* EndUser.profile.get()
  const full = yield* EndUser.profile.getFull()
  expect(short.email).toBeUndefined()
  expect(full).toMatchObject({ email: "ana@quartet.test", followers: expect.any(Number) })
  const changed = yield* EndUser.profile.update({
    payload: Input.raw({ about: "Likes gardens", type: "broker" })
  })
  expect(changed).toMatchObject({ about: "Likes gardens", type: "resident" })
  const id = short._id
  yield* answers(Admin.profiles.getBasic({ id }), { about: "Likes gardens" })
  yield* Admin.profiles.update({ payload: { _id: id, type: "broker" } })
  yield* answers(Admin.profiles.get({ id }), { type: "broker", orders: full.orders })
  yield* rejected(EndUser.profile.update({ payload: Input.raw({ interests: "gardens" }) }), "interests")
})

// Spec admin.profiles.search
story("profiles are searched by text and by the specification's lists", function* () {
  const { items } = yield* Admin.profiles.search({ limit: 500 })
  expect(items.length).toBe(60)
  const brokers = yield* Admin.profiles.search({ typeIn: ["broker"], interestsIn: ["view"], limit: 500 })
  expect(brokers.items.length).toBeGreaterThan(0)
  expect(brokers.items).toEqual(
    items.filter(
      (user) => user.type === "broker" && Array.isArray(user.interests) && user.interests.includes("view")
    )
  )
  const some = items.slice(3, 5).map((user) => user._id)
  expect((yield* Admin.profiles.search({ inUserIds: some })).items.map((user) => user._id)).toEqual(some)
  const matches = yield* EndUser.profile.search({ payload: { search: "kapanadze", limit: 500 } })
  expect(matches.items.map((profile) => profile.fullName)).toContain("Beka Kapanadze")
  expect(matches.items.every((profile) => profile.email === undefined)).toBe(true)
})

// Spec 3.21, endUser.profile.followings
story("who follows is among the followers, until they unfollow", function* ({ url }) {
  const { _id: ana } = yield* EndUser.profile.get()
  const { _id: beka } = yield* EndUser.profile.get().pipe(asBeka(url))
  const before = yield* EndUser.profile.followers({ id: beka, limit: 100 })
  yield* EndUser.profile.follow({ id: beka })
  yield* EndUser.profile.follow({ id: beka })
  const after = yield* EndUser.profile.followers({ id: beka, limit: 100 }).pipe(asBeka(url))
  const others = before.items.filter((profile) => profile._id !== ana)
  expect(after.items.length).toBe(others.length + 1)
  expect(after.items.map((profile) => profile._id)).toContain(ana)
  const followings = yield* EndUser.profile.followings({ id: ana, limit: 100 })
  expect(followings.items.map((profile) => profile._id)).toContain(beka)
  const first = yield* EndUser.profile.followers({ id: beka, limit: 1, page: 1 })
  expect(first.paging).toMatchObject({ page: 1, limit: 1, total: after.items.length })

  yield* EndUser.profile.unfollow({ id: beka })
  const left = yield* EndUser.profile.followers({ id: beka, limit: 100 })
  expect(left.items.map((profile) => profile._id)).not.toContain(ana)
  yield* refused(EndUser.profile.unfollow({ id: beka }), "NotFound")
  yield* refused(EndUser.profile.follow({ id: ana }), "Conflict")
})

// Spec 3.21, endUser.profile.block
story("a block ends following both ways and hides the blocker, until it is lifted", function* ({ url }) {
  const { _id: ana } = yield* EndUser.profile.get()
  const { _id: beka } = yield* EndUser.profile.get().pipe(asBeka(url))
  yield* EndUser.profile.follow({ id: ana }).pipe(asBeka(url))
  yield* EndUser.profile.block({ id: beka })
  expect(yield* EndUser.profile.isBlocked({ id: beka })).toEqual({ isBlocked: true })
  expect(yield* EndUser.profile.isBlocked({ id: ana }).pipe(asBeka(url))).toEqual({ isBlocked: false })
  const followers = yield* EndUser.profile.followers({ id: ana, limit: 100 })
  expect(followers.items.map((profile) => profile._id)).not.toContain(beka)

  const hidden = yield* EndUser.profile.search({ payload: Input.raw({ _id: ana }) }).pipe(asBeka(url))
  expect(hidden.items).toEqual([])
  yield* refused(EndUser.profile.follow({ id: ana }), "NotFound").pipe(asBeka(url))
  yield* refused(EndUser.profile.follow({ id: beka }), "Conflict")

  yield* EndUser.profile.unblock({ id: beka })
  expect(yield* EndUser.profile.isBlocked({ id: beka })).toEqual({ isBlocked: false })
  yield* EndUser.profile.follow({ id: ana }).pipe(asBeka(url))
})
