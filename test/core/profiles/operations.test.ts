// What the calls on profiles put on the wire, the admin's and the end user's.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as Encoder from "../../../core/kernel/codec/encoder.js"
import { pages } from "../../../core/kernel/dispatch/streaming.js"
import type { Operation } from "../../../core/kernel/operation/operation.js"
import type { Connections } from "../../../core/profiles/model.js"
import * as Profiles from "../../../core/profiles/operations.js"
import * as Sample from "../../support/dispatcher.js"
import * as Fake from "../../support/fake-transport.js"

const around: Encoder.Surroundings = { prefix: "", projectId: undefined, projectInQuery: false }

const encode = <I>(operation: Operation<I, unknown, never>, input: unknown) =>
  Encoder.make(operation.declaration(), around)(input)

describe("profiles.search", () => {
  it("sends the interests of an admin's search joined by commas", () => {
    expect(encode(Profiles.adminSearch, { interestsIn: ["art", "music"], page: 2 })).toEqual(
      Either.right({ path: "/profile/search?interestsIn=art%2Cmusic&page=2", body: undefined })
    )
  })
})

describe.each([
  ["followers", Profiles.followers],
  ["followings", Profiles.followings]
] as const)("profile.%s", (name, operation) => {
  // Spec 7.44
  it("sends limit and page in the body", () => {
    expect(encode(operation, { id: "u 1", limit: 20, page: 3 })).toEqual(
      Either.right({
        path: `/profile/u%201/${name}`,
        body: { _tag: "Json", text: '{"limit":20,"page":3}' }
      })
    )
  })

  it("leaves the page to the platform where none is named", () => {
    expect(encode(operation, { id: "u1" })).toEqual(
      Either.right({ path: `/profile/u1/${name}`, body: undefined })
    )
  })

  it.each([
    ["limit", "must be a whole number, at least 1", [0]],
    ["page", "must be a whole number, at least 0", []]
  ] as const)("refuses a %s that cannot be one, in words: it %s", (field, rule, less) => {
    for (const value of [...less, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "2"]) {
      expect(encode(operation, { id: "u1", [field]: value })).toEqual(Either.left({ field, rule }))
    }
  })

  it.effect("is read whole with `first: 0` where the platform counts its pages from 0", () => {
    const { fake, dispatcher } = Sample.make([Fake.json(200, [{ _id: "u2" }]), Fake.json(200, [])], {
      settings: { audience: "endUser" }
    })
    const call = Object.assign((input: Connections) => dispatcher.call(operation, input), {
      operation,
      client: "test",
      as: () => expect.unreachable("nothing is narrowed here")
    })
    return Effect.gen(function* () {
      const found = yield* Stream.runCollect(pages(call, { id: "u1" }, { first: 0 }))
      expect([...found]).toEqual([{ _id: "u2" }])
      expect(fake.requests().map(({ body }) => body)).toEqual([
        { _tag: "Json", text: '{"page":0}' },
        { _tag: "Json", text: '{"page":1}' }
      ])
    })
  })

  it.effect("is repeated where the platform fails, as it changes nothing", () => {
    const { fake, dispatcher } = Sample.make([Fake.json(503, {}), Fake.json(200, [{ _id: "u2" }])], {
      settings: { audience: "endUser" },
      policy: { pause: 0 }
    })
    return Effect.gen(function* () {
      const page = yield* dispatcher.call(operation, { id: "u1" })
      expect(page.items).toEqual([{ _id: "u2" }])
      expect(fake.requests()).toHaveLength(2)
    })
  })
})

describe("following and blocking", () => {
  it.each([
    ["follow", Profiles.follow, "POST", "/v9/profile/u1/follow"],
    ["unfollow", Profiles.unfollow, "DELETE", "/v9/profile/u1/follow"],
    ["block", Profiles.block, "POST", "/v9/profile/u1/block"],
    ["unblock", Profiles.unblock, "DELETE", "/v9/profile/u1/block"],
    ["isBlocked", Profiles.isBlocked, "GET", "/v9/profile/u1/block"]
  ] as const)("%s sends no body and takes an empty answer", async (_, operation, method, path) => {
    const { fake, dispatcher } = Sample.make([Fake.text(204, "")], { settings: { audience: "endUser" } })
    expect(await Effect.runPromise(dispatcher.call(operation, { id: "u1" }))).toBeUndefined()
    expect(fake.at(0).request).toMatchObject({ method, path, body: undefined })
  })

  it.effect("is not repeated where the platform fails, as it changes something", () => {
    const { fake, dispatcher } = Sample.make([Fake.json(503, {})], { settings: { audience: "endUser" } })
    return Effect.gen(function* () {
      const error = yield* Effect.flip(dispatcher.call(Profiles.follow, { id: "u1" }))
      expect(error._tag).toBe("ServerFault")
      expect(fake.requests()).toHaveLength(1)
    })
  })
})
