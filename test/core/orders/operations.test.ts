// What the calls on orders put on the wire: admins search by query and change on the legacy service, end users by body.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Operation } from "../../../core/kernel/operation/operation.js"
import * as Orders from "../../../core/orders/operations.js"
import * as Sample from "../../support/dispatcher.js"
import { effect } from "../../support/effect.js"
import { json } from "../../support/fake-transport.js"

const legacyUrl = "https://legacy.example.test"
const order = { _id: "1", placed: "2024-05-01T00:00:00.000Z" }
const endUser = { settings: { audience: "endUser" }, config: { legacyUrl }, policy: { pause: 0 } } as const
const admin = { settings: { projectId: "p1" }, config: { legacyUrl } }

/** What a call answers, and its last request. */
const made = <I, A>(
  operation: Operation<I, A, never>,
  input: I,
  options: Sample.Options,
  script = [json(200, order)]
) =>
  Effect.gen(function* () {
    const { fake, dispatcher } = Sample.make(script, options)
    const answer = yield* dispatcher.call(operation, input)
    return { answer, sent: fake.requests().length, request: fake.requests().at(-1) }
  })

describe("orders.search", () => {
  effect("of an admin sends lists joined by commas and further fields beside them", function* () {
    const lists = {
      inUserIds: ["u1", "u2"],
      notInUserIds: [],
      typeIn: ["gift"],
      statusIn: ["paid", "sent"]
    }
    const { answer, request } = yield* made(Orders.adminSearch, { ...lists, limit: 5 }, admin, [
      json(200, [order])
    ])
    const path = "/v9/order/search?inUserIds=u1%2Cu2&typeIn=gift&statusIn=paid%2Csent&limit=5&projectId=p1"
    expect(request).toMatchObject({ method: "GET", path, body: undefined })
    expect(answer.items).toEqual([{ ...order, placed: new Date(order.placed) }])
  })

  effect("of an end user sends the body, and is repeated where the platform fails", function* () {
    const script = [json(503, {}), json(200, [order])]
    const { request, sent } = yield* made(Orders.search, { payload: { status: "paid" } }, endUser, script)
    const body = { _tag: "Json", text: '{"status":"paid"}' }
    expect([sent, request]).toMatchObject([2, { method: "POST", path: "/v9/order/search", body }])
  })
})

describe("orders.update", () => {
  // Spec admin.orders.update
  it.effect("of an admin goes to the legacy service, without the project", () =>
    Effect.map(made(Orders.adminUpdate, { payload: { _id: "1" } }, admin), ({ request }) =>
      expect(request).toMatchObject({ method: "PUT", origin: legacyUrl, path: "/order" })
    )
  )

  it.effect("of an end user goes to the new one", () =>
    Effect.map(made(Orders.update, { payload: { _id: "1" } }, endUser), ({ request }) => {
      const body = { _tag: "Json", text: '{"_id":"1"}' }
      expect(request).toMatchObject({
        method: "PUT",
        origin: "https://api.example.test",
        path: "/v9/order",
        body
      })
    })
  )
})
