// What the calls on payments put on the wire: lists and CSV by query, refunds with a body or without.
import { describe, expect } from "@effect/vitest"
import * as Stream from "effect/Stream"
import * as Orders from "../../../core/orders/operations.js"
import * as Payments from "../../../core/payments/operations.js"
import * as Sample from "../../support/dispatcher.js"
import { effect } from "../../support/effect.js"
import * as Fake from "../../support/fake-transport.js"
import { json } from "../../support/fake-transport.js"

effect("payments.events reads the events of one transaction, filtered by the query", function* () {
  const event = { type: "refunded", at: "2024-05-01T00:00:00.000Z" }
  const { fake, dispatcher } = Sample.make([json(200, [event])])
  const page = yield* dispatcher.call(Payments.events, { id: "t1", type: "refunded" })
  expect(page.items).toEqual([{ ...event, at: new Date(event.at) }])
  expect(fake.at(0).request.path).toBe("/v9/payment/transaction/t1/event?type=refunded")
})

describe("payments.refund", () => {
  effect("needs no body for the whole, and says in it what part is meant", function* () {
    const { fake, dispatcher } = Sample.make([json(200, { _id: "t1" })])
    yield* dispatcher.call(Payments.refund, { id: "t1" })
    yield* dispatcher.call(Payments.refund, { id: "t1", payload: { amount: 5 } })
    const request = { method: "POST", path: "/v9/payment/transaction/t1/refund" }
    const part = { _tag: "Json", text: '{"amount":5}' }
    expect(fake.requests()).toMatchObject([undefined, part].map((body) => ({ ...request, body })))
  })
})

effect.each([
  ["payments.csv", Payments.exportCsv, "/v9/payment/transaction/csv?year=2024"],
  ["ordersV2.csv", Orders.exportCsvV2, "/v9/ecommerce/order/csv?year=2024"]
] as const)("%s is a stream of the table's bytes", function* ([, operation, path]) {
  const csv = "id,amount\n1,5\n"
  const { fake, dispatcher } = Sample.make([Fake.streaming(new Blob([csv]).stream())])
  const body = yield* dispatcher.open(operation, { year: 2024 })
  const read = Stream.fromReadableStream(() => body, String).pipe(Stream.decodeText(), Stream.mkString)
  expect(yield* read).toBe(csv)
  expect(fake.at(0).request).toMatchObject({ method: "GET", path, answer: "stream" })
})
