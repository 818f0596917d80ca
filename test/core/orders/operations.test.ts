// What the calls on orders put on the wire: admins search by query and change on the legacy service, end users by body.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Orders from "../../../core/orders/operations.js"
import * as Sample from "../../support/dispatcher.js"
import * as Fake from "../../support/fake-transport.js"

const legacyUrl = "https://legacy.example.test"

const order = { _id: "1", placed: "2024-05-01T00:00:00.000Z" }

describe("orders.search", () => {
  it.effect("of an admin sends lists joined by commas and further fields beside them", () => {
    const { fake, dispatcher } = Sample.make([Fake.json(200, [order])], { settings: { projectId: "p1" } })
    return Effect.gen(function* () {
      const page = yield* dispatcher.call(Orders.adminSearch, {
        inUserIds: ["u1", "u2"],
        notInUserIds: [],
        typeIn: ["gift"],
        statusIn: ["paid", "sent"],
        limit: 5
      })
      expect(fake.at(0).request).toMatchObject({
        method: "GET",
        path: "/v9/order/search?inUserIds=u1%2Cu2&typeIn=gift&statusIn=paid%2Csent&limit=5&projectId=p1",
        body: undefined
      })
      expect(page.items).toEqual([{ ...order, placed: new Date(order.placed) }])
    })
  })

  it.effect("of an end user sends the body, and is repeated where the platform fails", () => {
    const { fake, dispatcher } = Sample.make([Fake.json(503, {}), Fake.json(200, [order])], {
      settings: { audience: "endUser" },
      policy: { pause: 0 }
    })
    return Effect.gen(function* () {
      yield* dispatcher.call(Orders.search, { payload: { status: "paid" } })
      expect(fake.requests()).toHaveLength(2)
      expect(fake.at(1).request).toMatchObject({
        method: "POST",
        path: "/v9/order/search",
        body: { _tag: "Json", text: '{"status":"paid"}' }
      })
    })
  })
})

describe("orders.update", () => {
  // Spec 7.12
  it.effect("of an admin goes to the legacy service, without the project", () => {
    const { fake, dispatcher } = Sample.make([Fake.json(200, order)], {
      settings: { projectId: "p1" },
      config: { legacyUrl }
    })
    return Effect.gen(function* () {
      yield* dispatcher.call(Orders.adminUpdate, { payload: { _id: "1" } })
      expect(fake.at(0).request).toMatchObject({ method: "PUT", origin: legacyUrl, path: "/order" })
    })
  })

  it.effect("of an end user goes to the new one", () => {
    const { fake, dispatcher } = Sample.make([Fake.json(200, order)], {
      settings: { audience: "endUser" },
      config: { legacyUrl }
    })
    return Effect.gen(function* () {
      yield* dispatcher.call(Orders.update, { payload: { _id: "1" } })
      expect(fake.at(0).request).toMatchObject({
        method: "PUT",
        origin: "https://api.example.test",
        path: "/v9/order",
        body: { _tag: "Json", text: '{"_id":"1"}' }
      })
    })
  })
})

describe("an order", () => {
  it.effect("without an id is none to a strict client", () => {
    const { dispatcher } = Sample.make([Fake.json(200, { total: 5 })], { config: { answers: "strict" } })
    return Effect.gen(function* () {
      const error = yield* Effect.flip(dispatcher.call(Orders.get, { id: "1" }))
      expect(error).toMatchObject({ _tag: "AnswerError", field: "_id", rule: "is required" })
    })
  })
})

describe("orderGroups.search", () => {
  it.effect("needs a grant to read, not to write", () => {
    const { fake, dispatcher } = Sample.make([Fake.json(200, { items: [{ _id: "g1" }] })], {
      credentialsProvider: Sample.keys({ orderGroups: { search: 1 } })
    })
    return Effect.gen(function* () {
      const page = yield* dispatcher.call(Orders.searchGroups, { payload: {} })
      expect(page.items).toEqual([{ _id: "g1" }])
      expect(fake.at(0).request.method).toBe("POST")
    })
  })
})
