// What the calls on profiles put on the wire, the admin's and the end user's.
import { describe, expect, it } from "@effect/vitest"
import * as Sample from "@quartet/support/dispatcher.js"
import { effect } from "@quartet/support/effect.js"
import { encode } from "@quartet/support/encoding.js"
import { json } from "@quartet/support/fake-transport.js"
import { Either, Stream } from "effect"
import type { Call } from "../../../core/kernel/dispatch/dispatcher.js"
import { pages } from "../../../core/kernel/dispatch/streaming.js"
import type { Page } from "../../../core/kernel/operation/answer.js"
import type { Connections, Profile } from "../../../core/profiles/model.js"
import * as Profiles from "../../../core/profiles/operations.js"

const endUser = { settings: { audience: "endUser" }, policy: { pause: 0 } } as const

describe.each([
  ["followers", Profiles.followers],
  ["followings", Profiles.followings]
] as const)("profile.%s", (_, operation) => {
  it.each([
    ["limit", "must be a whole number, at least 1", [0]],
    ["page", "must be a whole number, at least 0", []]
  ] as const)("refuses a %s that cannot be one, in words: it %s", (field, rule, less) => {
    for (const value of [...less, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
      expect(encode(operation, { id: "u1", [field]: value })).toEqual(Either.left({ field, rule }))
    const asText = encode(operation, { id: "u1", [field]: "2" })
    expect(asText).toEqual(Either.left({ field, rule: "must be a number" }))
  })

  effect(
    "is read whole with `first: 0` where the platform counts from 0, and repeated where it fails",
    function* () {
      const script = [json(503, {}), json(200, [{ _id: "u2" }]), json(200, [])]
      const { fake, dispatcher } = Sample.make(script, endUser)
      const call: Call<Connections, Page<Profile>, never, never> = Object.assign(
        (input: Connections) => dispatcher.call(operation, input),
        { operation, client: "test", as: () => expect.unreachable("nothing is narrowed here") }
      )
      const result = yield* Sample.settled(Stream.runCollect(pages(call, { id: "u1" }, { first: 0 })))
      expect([...Either.getOrThrow(result)]).toEqual([{ _id: "u2" }])
      const bodies = ['{"page":0}', '{"page":0}', '{"page":1}'].map((text) => ({ _tag: "Json", text }))
      expect(fake.requests().map(({ body }) => body)).toEqual(bodies)
    }
  )
})
