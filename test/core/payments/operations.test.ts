// What the calls on payments put on the wire: lists and CSV by query, refunds with a body or without.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Orders from "../../../core/orders/operations.js"
import * as Payments from "../../../core/payments/operations.js"
import * as Sample from "../../support/dispatcher.js"
import * as Fake from "../../support/fake-transport.js"
import { json } from "../../support/fake-transport.js"

it.effect("payments.events reads the events of one transaction, filtered by the query", () =>
  Effect.gen(function* () {
    const event = { type: "refunded", at: "2024-05-01T00:00:00.000Z" }
    const { fake, dispatcher } = Sample.make([json(200, [event])])
    const page = yield* dispatcher.call(Payments.events, { id: "t1", type: "refunded" })
    expect(page.items).toEqual([{ ...event, at: new Date(event.at) }])
    expect(fake.at(0).request.path).toBe("/v9/payment/transaction/t1/event?type=refunded")
  })
)

describe("payments.refund", () => {
  it.effect("needs no body for the whole, and says in it what part is meant", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([json(200, { _id: "t1" })])
      yield* dispatcher.call(Payments.refund, { id: "t1" })
      yield* dispatcher.call(Payments.refund, { id: "t1", payload: { amount: 5 } })
      const request = { method: "POST", path: "/v9/payment/transaction/t1/refund" }
      const part = { _tag: "Json", text: '{"amount":5}' }
      expect(fake.requests()).toMatchObject([undefined, part].map((body) => ({ ...request, body })))
    })
  )

  it.effect("whose answer is lost has an unknown outcome and is not sent again", () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([Fake.failed("Reset")])
      const error = yield* Effect.flip(dispatcher.call(Payments.refund, { id: "t1" }))
      expect([error._tag, fake.requests().length]).toEqual(["OutcomeUnknown", 1])
    })
  )
})

it.effect.each([
  ["payments.csv", Payments.exportCsv, "/v9/payment/transaction/csv?year=2024"],
  ["ordersV2.csv", Orders.exportCsvV2, "/v9/ecommerce/order/csv?year=2024"]
] as const)("%s is a stream of the table's bytes", ([, operation, path]) =>
  Effect.gen(function* () {
    const csv = "id,amount\n1,5\n"
    const { fake, dispatcher } = Sample.make([Fake.streaming(new Blob([csv]).stream())])
    const body = yield* dispatcher.open(operation, { year: 2024 })
    const read = Stream.fromReadableStream(() => body, String).pipe(Stream.decodeText(), Stream.mkString)
    expect(yield* read).toBe(csv)
    expect(fake.at(0).request).toMatchObject({ method: "GET", path, answer: "stream" })
  })
)

it.effect("payments.payWithLink serves servers, not admins", () =>
  Effect.gen(function* () {
    const answer = { link: "https://pay.example.test/1" }
    const { fake, dispatcher } = Sample.make([json(200, answer)], { settings: { audience: "private" } })
    expect(yield* dispatcher.call(Payments.payWithLink, { payload: { amount: 5 } })).toEqual(answer)
    expect(fake.at(0).request).toMatchObject({ method: "POST", path: "/v9/payment/payWithLink" })
  })
)
