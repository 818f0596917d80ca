// What is assumed of an entity may come in any kind: a view gets what it can show.
import { Decoder } from "@quartet/sdk/extend"
import { Order } from "@quartet/sdk/extend/models/orders"
import { RequestAction } from "@quartet/sdk/extend/models/requests"
import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import { asText, money, settled } from "../app/settled.js"

const read = (json: unknown) => Either.getOrThrow(Decoder.make(settled(Order))(json, undefined, undefined))

describe("a row of a typed view", () => {
  it("stays as it is where it is as assumed", () => {
    const order = { _id: "a", number: "1", total: 12.5, lines: [{ name: "x", quantity: 1 }], other: { a: 1 } }
    expect(read(order)).toEqual(order)
  })

  it("has any value of an assumed text as text", () => {
    expect(read({ _id: "a", number: 7, status: { name: "paid" }, userId: 5, currency: ["USD"] })).toEqual({
      _id: "a",
      number: "7",
      status: '{"name":"paid"}',
      userId: "5",
      currency: '["USD"]'
    })
    expect(read({ _id: "a", number: "2024-05-01T10:00:00.000Z" }).number).toBe("2024-05-01T10:00:00.000Z")
  })

  it("has a number that came as text, and none where it cannot be read", () => {
    expect(read({ _id: "a", total: "12.50" }).total).toBe(12.5)
    expect(read({ _id: "a", total: { amount: 5 } }).total).toBeNull()
  })

  it("has neither dates, lists nor objects that are none", () => {
    expect(read({ _id: "a", createdAt: "yesterday", lines: "none" })).toEqual({
      _id: "a",
      createdAt: null,
      lines: null
    })
    expect(read({ _id: "a", lines: [{ name: 7 }, "a line"] }).lines).toEqual([{ name: "7" }])
  })

  it("is there whatever its fields are, also those that the specification gives", () => {
    const request = {
      _id: "a",
      type: { name: "VISIT" },
      status: ["open"],
      version: "three",
      comments: "none"
    }
    const decoded = Decoder.make(settled(RequestAction))(request, undefined, undefined)
    expect(Either.getOrThrow(decoded)).toEqual({
      _id: "a",
      type: '{"name":"VISIT"}',
      status: '["open"]',
      version: null,
      comments: null
    })
  })

  it("is so inside of what is declared, such as the comments of a request", () => {
    const request = { _id: "a", comments: [{ _id: "c", text: "hi", author: { name: { first: "Ana" } } }] }
    const decoded = Decoder.make(settled(RequestAction))(request, undefined, undefined)
    expect(Either.getOrThrow(decoded).comments?.[0]?.author?.name).toBe('{"first":"Ana"}')
  })
})

describe("a value of any kind", () => {
  it("is shown as text", () => {
    expect(asText({ name: "paid" })).toBe('{"name":"paid"}')
    expect([asText(7), asText(true), asText(null), asText("a")]).toEqual(["7", "true", "", "a"])
  })

  it("is shown as an amount where it is a number, and as it came where not", () => {
    expect([money(12.5, "USD"), money("12.50", "USD"), money("12.50", { code: 5 })]).toEqual([
      "$12.50",
      "$12.50",
      "12.5"
    ])
    expect([money({ amount: 5 }, "USD"), money(undefined)]).toEqual(['{"amount":5}', ""])
  })
})
