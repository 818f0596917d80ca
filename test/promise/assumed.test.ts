// Assumed fields over real HTTP: whatever a platform answers there is kept, and told to onDrift, however strict its client is.

import * as Answers from "@quartet/sdk/answers"
import type { Exchange } from "@quartet/support/scripted-server.js"
import * as Schema from "effect/Schema"
import { describe, expect, test } from "vitest"
import { type Drift, Errors } from "../../clients/promise/index.js"
import { playAdmin, serve } from "./served.js"

const { admin, server } = await serve()

/** An order whose assumed fields are of other kinds, also in its lines. */
const odd = (_id: string) => ({
  _id,
  number: { text: "RH-1" },
  total: "12.50",
  lines: [{ name: 7, quantity: "2" }, "a line"],
  userId: "u1"
})
const places = ["number", "total", "lines[].name", "lines[].quantity", "lines[]"]

/** Plays a sign-in, and answers orders with this. */
const answer = (value: unknown): void =>
  server.play((exchange) => (exchange.target.includes("/order") ? exchange.json(value) : playAdmin(exchange)))

/** A client and the drift that it told. */
const told = (config: Parameters<typeof admin>[0] = {}) => {
  const drifts: Array<Drift> = []
  const client = admin({ ...config, logDrift: false, onDrift: (drift) => drifts.push(drift) })
  return { client, placesOf: () => drifts.map(({ operation, path }) => `${operation} ${path}`) }
}
const at = (operation: string, before = "") => places.map((place) => `${operation} ${before}${place}`)

describe.each(["tolerant", "strict"] as const)("a %s client", (answers) => {
  test("keeps an assumed field of another kind, also in a line, and reports it", async () => {
    answer(odd("o1"))
    const { client, placesOf } = told({ answers })
    await using _ = client
    expect(await client.orders.get({ id: "o1" })).toEqual(odd("o1"))
    expect(placesOf()).toEqual(at("orders.get"))
  })

  test("does so in a page, once for each place", async () => {
    answer({ items: [odd("o1"), odd("o2")], paging: { total: 2 } })
    const { client, placesOf } = told({ answers })
    await using _ = client
    const page = await client.orders.search()
    expect(page).toEqual({ items: [odd("o1"), odd("o2")], paging: { total: 2 } })
    expect(placesOf()).toEqual(at("orders.search", "items[]."))
  })

  test("does so in all pages of a list", async () => {
    const orders = ["o1", "o2", "o3"].map(odd)
    const pageOf = ({ json, target }: Exchange): void => {
      const number = Number(new URL(target, "http://host").searchParams.get("page"))
      json({ items: orders.slice(number - 1, number), paging: { page: number, limit: 1, total: 3 } })
    }
    server.play((exchange) => (exchange.target.includes("/order") ? pageOf(exchange) : playAdmin(exchange)))
    const { client, placesOf } = told({ answers })
    await using _ = client
    const items: Array<unknown> = []
    for await (const order of client.orders.search.pages({}, { limit: 1 })) items.push(order)
    expect(items).toEqual(orders)
    expect(placesOf()).toEqual(at("orders.search", "items[]."))
  })

  test("keeps what came in place of an answer that is assumed as a whole", async () => {
    server.play((exchange) =>
      exchange.target.includes("/refund") ? exchange.json("OK") : playAdmin(exchange)
    )
    const { client, placesOf } = told({ answers })
    await using _ = client
    expect(await client.payments.refund({ id: "t1" })).toBe("OK")
    expect(placesOf()).toEqual(["payments.refund "])
  })
})

describe("a strict client", () => {
  test("refuses a known field of another kind, beside assumed ones that it keeps", async () => {
    answer({ ...odd("o1"), _id: 7 })
    const { client } = told({ answers: "strict" })
    await using _ = client
    const error = await client.orders.get({ id: "o1" }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Errors.AnswerError)
    expect(error).toMatchObject({ reason: "Shape", field: "_id" })
  })

  test("refuses it in a page and in all pages of a list", async () => {
    answer({ items: [odd("o1"), { total: 1 }] })
    const { client } = told({ answers: "strict" })
    await using _ = client
    const refused = { reason: "Shape", field: "items.1._id" }
    await expect(client.orders.search()).rejects.toMatchObject(refused)
    const first = client.orders.search.pages()[Symbol.asyncIterator]().next()
    await expect(first).rejects.toMatchObject(refused)
  })
})

describe("a recording of orders", () => {
  const Recorded = Schema.Struct({ _id: Schema.String, total: Schema.String })
  const recorded = Answers.make({ "admin.orders.get": Recorded, "admin.orders.search": Recorded })

  test("takes the place of all assumed fields: what it says holds, and of the others nothing", async () => {
    answer(odd("o1"))
    const { client, placesOf } = told({ answers: recorded })
    await using _ = client
    expect(await client.orders.get({ id: "o1" })).toEqual(odd("o1"))
    expect(placesOf()).toEqual([])
    answer({ ...odd("o1"), total: 12.5 })
    expect(await client.orders.get({ id: "o1" })).toMatchObject({ total: 12.5 })
    expect(placesOf()).toEqual(["orders.get total"])
  })

  test("is held to where it is strict, as known fields are", async () => {
    answer({ items: [{ ...odd("o1"), total: 12.5 }] })
    const { client } = told({ answers: Answers.strict(recorded) })
    await using _ = client
    await expect(client.orders.search()).rejects.toMatchObject({ reason: "Shape", field: "items.0.total" })
  })

  test("leaves other calls their assumed fields", async () => {
    server.play((exchange) =>
      exchange.target.includes("/payment") ? exchange.json({ _id: "t1", amount: "5" }) : playAdmin(exchange)
    )
    const { client, placesOf } = told({ answers: Answers.strict(recorded) })
    await using _ = client
    expect(await client.payments.get({ id: "t1" })).toEqual({ _id: "t1", amount: "5" })
    expect(placesOf()).toEqual(["payments.get amount"])
  })
})
