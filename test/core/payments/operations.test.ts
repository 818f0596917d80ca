// What the calls on payments put on the wire: lists and CSV by query, refunds with a body or without.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Orders from "../../../core/orders/operations.js"
import * as Payments from "../../../core/payments/operations.js"
import * as Sample from "../../support/dispatcher.js"
import * as Fake from "../../support/fake-transport.js"

const csv = "id,amount\n1,5\n"

describe("payments.events", () => {
  it.effect("reads the events of one transaction, filtered by the query", () => {
    const event = { type: "refunded", at: "2024-05-01T00:00:00.000Z" }
    const { fake, dispatcher } = Sample.make([Fake.json(200, [event])])
    return Effect.gen(function* () {
      const page = yield* dispatcher.call(Payments.events, { id: "t1", type: "refunded" })
      expect(page.items).toEqual([{ ...event, at: new Date(event.at) }])
      expect(fake.at(0).request.path).toBe("/v9/payment/transaction/t1/event?type=refunded")
    })
  })
})

describe("payments.refund", () => {
  it.effect("of the whole needs no body", () => {
    const { fake, dispatcher } = Sample.make([Fake.json(200, { _id: "t1" })])
    return Effect.gen(function* () {
      yield* dispatcher.call(Payments.refund, { id: "t1" })
      expect(fake.at(0).request).toMatchObject({
        method: "POST",
        path: "/v9/payment/transaction/t1/refund",
        body: undefined
      })
    })
  })

  it.effect("of a part says so in the body", () => {
    const { fake, dispatcher } = Sample.make([Fake.json(200, {})])
    return Effect.gen(function* () {
      yield* dispatcher.call(Payments.refund, { id: "t1", payload: { amount: 5 } })
      expect(fake.at(0).request.body).toEqual({ _tag: "Json", text: '{"amount":5}' })
    })
  })

  it.effect("whose answer is lost has an unknown outcome and is not sent again", () => {
    const { fake, dispatcher } = Sample.make([Fake.failed("Reset")])
    return Effect.gen(function* () {
      const error = yield* Effect.flip(dispatcher.call(Payments.refund, { id: "t1" }))
      expect(error._tag).toBe("OutcomeUnknown")
      expect(fake.requests()).toHaveLength(1)
    })
  })
})

describe.each([
  ["payments.csv", Payments.exportCsv, "/v9/payment/transaction/csv?year=2024"],
  ["ordersV2.csv", Orders.exportCsvV2, "/v9/ecommerce/order/csv?year=2024"]
] as const)("%s", (_, operation, path) => {
  it.effect("is a stream of the table's bytes", () => {
    const { fake, dispatcher } = Sample.make([Fake.streaming(new Blob([csv]).stream())])
    return Effect.gen(function* () {
      const body = yield* dispatcher.open(operation, { year: 2024 })
      const read = Stream.fromReadableStream(() => body, String).pipe(Stream.decodeText(), Stream.mkString)
      expect(yield* read).toBe(csv)
      expect(fake.at(0).request).toMatchObject({ method: "GET", path, answer: "stream" })
    })
  })
})

describe("payments.payWithLink", () => {
  it.effect("serves servers, not admins", () => {
    const { fake, dispatcher } = Sample.make([Fake.json(200, { link: "https://pay.example.test/1" })], {
      settings: { audience: "private" }
    })
    return Effect.gen(function* () {
      const answer = yield* dispatcher.call(Payments.payWithLink, { payload: { amount: 5 } })
      expect(answer).toEqual({ link: "https://pay.example.test/1" })
      expect(fake.at(0).request).toMatchObject({ method: "POST", path: "/v9/payment/payWithLink" })
    })
  })
})
