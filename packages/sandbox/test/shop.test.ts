/** The shop over real HTTP: items, orders and their groups, and payments from the link to the refund. */
import { expect } from "@effect/vitest"
import { Input } from "@quartet/sdk"
import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user"
import { pages } from "@quartet/sdk/extend"
import * as Private from "@quartet/sdk/private"
import * as Public from "@quartet/sdk/public"
import { adminHeaders, answers, asBeka, post, refused, rejected, story } from "@quartet/support/clients.js"
import { Effect, Stream } from "effect"
import * as Sandbox from "../index.js"

type Fields = Readonly<Record<string, unknown>>

// Spec 3.21, admin.items.list, public.items.get, private.items.list
story("all four audiences read the same 250 items, each by their own call", function* () {
  const admin = yield* Admin.items.list({ limit: 1 })
  expect(admin.paging.total).toBe(250)
  const program = yield* Private.items.list({ limit: 1 })
  expect(program.items).toEqual(admin.items)
  const id = admin.items[0]?._id ?? ""
  expect(yield* Admin.items.get({ id })).toEqual(admin.items[0])
  expect(yield* Public.items.get({ id })).toEqual(admin.items[0])
  expect(yield* EndUser.items.get({ id })).toEqual(admin.items[0])
  expect((yield* Public.items.search({ payload: {} })).paging.total).toBe(250)
  yield* refused(Admin.items.get({ id: "nothing" }), "NotFound")
})

// Spec admin.items.search, endUser.items.search
story("items are searched by text, price and the specification's lists, and sorted", function* () {
  const { items } = yield* Admin.items.search({ limit: 500 })
  const cheap = yield* Public.items.search({
    payload: { text: "vake", type: "apartment", maxPrice: 200_000, sort: "price", limit: 500 }
  })
  expect(cheap.items.length).toBeGreaterThan(0)
  const expected = items.filter(
    (item) => String(item.name).includes("Vake") && item.type === "apartment" && Number(item.price) <= 200_000
  )
  expect(new Set(cheap.items.map((item) => item._id))).toEqual(new Set(expected.map((item) => item._id)))
  const prices = cheap.items.map((item) => Number(item.price))
  expect(prices).toEqual([...prices].sort((a, b) => a - b))
  const floors = (yield* Admin.items.search({ limit: 500, query: { sort: "floor" } })).items.map(
    ({ floor }) => floor
  )
  expect(floors).toContain(undefined)
  // The language puts undefined last, too.
  expect(floors).toEqual([...floors].sort((a, b) => Number(a) - Number(b)))

  const chosen = yield* EndUser.items.search({
    typeIn: ["house", "office"],
    statusIn: ["available"],
    interestsIn: ["view"],
    limit: 500
  })
  expect(chosen.items.length).toBeGreaterThan(0)
  expect(chosen.items).toEqual(
    items.filter(
      (item) =>
        ["house", "office"].includes(String(item.type)) &&
        item.status === "available" &&
        Array.isArray(item.interests) &&
        item.interests.includes("view")
    )
  )
})

story("a list in a field that a call does not declare asks for one of its values", function* () {
  const all = yield* Admin.payments.list({ limit: 500 })
  const some = yield* Admin.payments.list({ statusIn: ["succeeded", "refunded"], limit: 500 })
  const same = yield* Admin.payments.list({ limit: 500, query: { status: ["succeeded", "refunded"] } })
  const expected = all.items.filter(({ status }) => status === "succeeded" || status === "refunded")
  expect(expected.length).toBeGreaterThan(0)
  expect(expected.length).toBeLessThan(all.items.length)
  expect(some.items).toEqual(expected)
  expect(same.items).toEqual(expected)
  expect((yield* Admin.payments.list({ statusIn: [], limit: 500 })).items).toEqual(all.items)
  expect(yield* Effect.flip(Admin.payments.list({ statusIn: [Input.raw("a,b")] }))).toMatchObject({
    _tag: "InputError",
    field: "statusIn"
  })
})

// Spec endUser.items.searchFeatured
story("featured items come as a bare list, and as a page where they are searched", function* () {
  const listed = yield* EndUser.items.featured({ limit: 500 })
  const searched = yield* EndUser.items.searchFeatured({ limit: 500 })
  expect(listed.paging).toEqual({})
  expect(listed.items).toEqual(searched.items)
  expect(listed.items.length).toBeGreaterThan(10)
  expect(listed.items.every((item) => item.featured === true)).toBe(true)
})

story("all pages of a list, one after the other, are the whole list", function* () {
  const ids = yield* pages(Admin.items.list, {}, { limit: 60 }).pipe(
    Stream.map((item) => item._id),
    Stream.runCollect
  )
  expect(new Set(ids).size).toBe(250)
})

// Spec endUser.orders.get
story("an end user finds and cancels their own order, and nobody else's", function* ({ url }) {
  const { _id: userId } = yield* EndUser.auth.self()
  const own = yield* EndUser.orders.search({ payload: { limit: 500 } })
  expect(own.items.length).toBeGreaterThan(0)
  expect(own.items.every((order) => order.userId === userId)).toBe(true)

  const _id = own.items[0]?._id ?? ""
  yield* Admin.orders.update({ payload: { _id, status: "confirmed" } })
  const cancelled = yield* EndUser.orders.update({
    payload: Input.raw({ _id, status: "cancelled", total: 1 })
  })
  expect(cancelled).toMatchObject({ status: "cancelled", total: own.items[0]?.total })
  yield* rejected(EndUser.orders.update({ payload: { _id, status: "paid" } }), "status")
  yield* refused(EndUser.orders.get({ id: _id }), "NotFound").pipe(asBeka(url))
  expect((yield* Admin.ordersV2.get({ id: _id })).status).toBe("cancelled")
})

// Spec endUser.orders.search
story("an order that is delivered is not cancelled, and takes no unknown status", function* () {
  const { items } = yield* EndUser.orders.search({ payload: {} })
  const _id = items[0]?._id ?? ""
  yield* Admin.orders.update({ payload: { _id, status: "delivered" } })
  yield* refused(EndUser.orders.update({ payload: { _id, status: "cancelled" } }), "Conflict")
  yield* rejected(Admin.orders.update({ payload: { _id, status: "lost" } }), "status")
  yield* rejected(EndUser.orders.update({ payload: Input.raw({ status: "cancelled" }) }), "_id")
})

story("lists are bounded by time, and a filter of several values means any of them", function* () {
  const { items } = yield* Admin.payments.list({ limit: 500 })
  const [from, to] = ["2025-01-01", "2025-02-01T00:00:00Z"]
  const month = yield* Admin.payments.list({ limit: 500, query: { from, to } })
  expect(month.items.length).toBeGreaterThan(5)
  expect(month.items).toEqual(
    items.filter(
      ({ createdAt }) => (createdAt as Date) >= new Date(from) && (createdAt as Date) <= new Date(to)
    )
  )
  const some = yield* Admin.payments.list({ limit: 500, query: { status: "failed,pending" } })
  expect(some.items).toEqual(items.filter(({ status }) => status === "failed" || status === "pending"))
  const past = yield* Admin.payments.list({ page: 99, limit: 500 })
  expect([past.items, past.paging.total]).toEqual([[], 400])
})

// Spec 3.21, admin.orders.search, admin.ordersV2.list, endUser.orderGroups.get
story("admins search orders by lists and read groups, which hold the orders that they name", function* () {
  const paid = yield* Admin.orders.search({ statusIn: ["paid"], limit: 500 })
  expect(paid.items.length).toBeGreaterThan(5)
  expect(paid.items.every((order) => order.status === "paid")).toBe(true)
  const newest = yield* Admin.ordersV2.list({ limit: 2 })
  expect(newest.items.length).toBe(2)
  const groups = yield* Admin.orderGroups.search({ payload: { status: "open", limit: 3 } })
  expect(groups.items.length).toBe(3)
  const group = yield* Admin.orderGroups.get({ id: groups.items[0]?._id ?? "" })
  const orders = Array.isArray(group.orders) ? group.orders : []
  expect(orders.length).toBeGreaterThan(0)
  for (const id of orders) {
    yield* answers(Admin.orders.get({ id: String(id) }), { groupId: group._id })
  }
  const own = yield* EndUser.orderGroups.search({ payload: {} })
  expect(own.items.length).toBeGreaterThan(0)
  expect(yield* EndUser.orderGroups.get({ id: own.items[0]?._id ?? "" })).toEqual(own.items[0])
})

// Spec 3.21, admin.payments.events, private.payments.get
story("a link begins a payment that the admin then sees with its first event", function* () {
  const link = yield* Private.payments.payWithLink({ payload: { amount: 120.5, description: "Keys" } })
  const id = (link as { readonly _id: string })._id
  expect(link).toMatchObject({ amount: 120.5, currency: "USD", link: expect.stringContaining(id) })
  yield* answers(Private.payments.get({ id }), { status: "pending", amount: 120.5 })
  const newest = yield* Admin.payments.list({ limit: 1 })
  expect(newest.items[0]).toMatchObject({ _id: id, type: "link" })
  expect(yield* Admin.payments.get({ id })).toEqual(yield* Private.payments.get({ id }))
  yield* refused(Admin.payments.get({ id: "nothing" }), "NotFound")
  const events = yield* Admin.payments.events({ id })
  expect(events.items.map((event) => event.type)).toEqual(["created"])
  yield* refused(Private.payments.payWithLink({ payload: { amount: 0 } }), "InputError")
  yield* rejected(Private.payments.payWithLink({ payload: Input.raw({ amount: 0 }) }), "amount")
  yield* rejected(Private.payments.payWithLink({ payload: { amount: 1, userId: "x" } }), "userId")
  yield* rejected(Private.payments.payWithLink({ payload: { amount: 1, orderId: "x" } }), "orderId")
})

// Spec admin.payments.events
story("a refund adds an event; a second one, or one of an unpaid payment, conflicts", function* () {
  const { items } = yield* Admin.payments.list({ limit: 1, query: { status: "succeeded" } })
  const id = items[0]?._id ?? ""
  yield* rejected(Admin.payments.refund({ id, payload: { amount: 1e12 } }), "amount")
  yield* answers(Admin.payments.refund({ id, payload: { reason: "Paid twice" } }), {
    status: "refunded",
    refundableAmount: 0
  })
  const events = yield* Admin.payments.events({ id })
  expect(events.items.at(-1)).toMatchObject({ amount: items[0]?.amount, reason: "Paid twice" })
  expect(events.items.map((event) => event.type)).toEqual(["created", "authorised", "captured", "refunded"])
  yield* refused(Admin.payments.refund({ id }), "Conflict")
  const pending = yield* Admin.payments.list({ limit: 1, query: { status: "pending" } })
  yield* refused(Admin.payments.refund({ id: pending.items[0]?._id ?? "" }), "Conflict")
})

story("a part of a payment is refunded, then the rest, and never more than what is left", function* () {
  const { items } = yield* Admin.payments.list({ limit: 1, query: { status: "succeeded" } })
  const [{ _id: id, amount: whole } = { _id: "", amount: 0 }] = items
  expect(items[0]).toMatchObject({ refundedAmount: 0, refundableAmount: whole })
  yield* answers(Admin.payments.refund({ id, payload: { amount: 0.1 } }), {
    status: "partially_refunded",
    refundedAmount: 0.1
  })
  yield* answers(Admin.payments.refund({ id, payload: { amount: 0.2 } }), {
    status: "partially_refunded",
    refundedAmount: 0.3
  })
  const left = (yield* Admin.payments.get({ id })).refundableAmount
  expect(left).toBe(Math.round((Number(whole) - 0.3) * 100) / 100)
  yield* rejected(Admin.payments.refund({ id, payload: { amount: Number(left) + 0.01 } }), "amount")
  yield* rejected(Admin.payments.refund({ id, payload: { amount: Number(whole) } }), "amount")
  yield* answers(Admin.payments.refund({ id }), {
    status: "refunded",
    refundedAmount: whole,
    refundableAmount: 0
  })
  yield* refused(Admin.payments.refund({ id }), "Conflict")
  const events = yield* Admin.payments.events({ id })
  expect(events.items.filter(({ type }) => type === "refunded").map(({ amount }) => amount)).toEqual([
    0.1,
    0.2,
    left
  ])
})

story("a body of other fields than a refund's refunds nothing, also of a bare request", function* ({ url }) {
  const { items } = yield* Admin.payments.list({ limit: 1, query: { status: "succeeded" } })
  const id = items[0]?._id ?? ""
  const bodies = [
    [{ amout: 5 }, "amout", ' (did you mean "amount"?)'],
    [{ Amount: 5 }, "Amount", ' (did you mean "amount"?)'],
    [{ amount: 5, resaon: "late" }, "resaon", ' (did you mean "reason"?)'],
    [{ sum: 5 }, "sum", ""]
  ] as const
  for (const [payload, field, meant] of bodies) {
    // A program without types.
    const error = yield* Effect.flip(Admin.payments.refund({ id, payload: payload as object }))
    expect(error).toMatchObject({
      _tag: "InputError",
      field: `payload.${field}`,
      rule: `is not a field of this body${meant}; Input.raw passes others`
    })
  }
  for (const amount of [undefined, null, 0, -1, Number.NaN, "5"])
    expect(yield* Effect.flip(Admin.payments.refund({ id, payload: { amount } as object }))).toMatchObject({
      _tag: "InputError",
      field: expect.stringMatching(/^payload/)
    })
  const headers = yield* adminHeaders(url)
  for (const [payload, field] of bodies) {
    const answer = yield* post(
      `${url}/payment/transaction/${id}/refund?projectId=${Sandbox.accounts.projectId}`,
      payload,
      headers
    )
    expect([answer.status, answer.json.error]).toMatchObject([400, { field }])
    expect(JSON.stringify(answer.json)).not.toContain("Input.raw")
  }
  expect(yield* Admin.payments.get({ id })).toMatchObject({ status: "succeeded", refundedAmount: 0 })
})

// Spec admin.payments.csv, admin.ordersV2.list
story("both CSVs stream all rows under their names, and only those that are asked for", function* () {
  const text = (bytes: Stream.Stream<Uint8Array, unknown, Admin.Client>) =>
    Stream.mkString(Stream.decodeText(bytes))
  const all = (yield* text(Admin.payments.csv())).trimEnd().split("\r\n")
  expect(all[0]).toBe("_id,orderId,userId,amount,currency,status,type,provider,createdAt")
  expect(all.length).toBe(401)
  const refunded = (yield* text(Admin.payments.csv({ query: { status: "refunded" } })))
    .trimEnd()
    .split("\r\n")
  expect(refunded.length).toBeGreaterThan(1)
  expect(refunded.slice(1).every((line) => line.includes(",refunded,"))).toBe(true)
  const orders = (yield* text(Admin.ordersV2.csv({ query: { sort: "number" } }))).trimEnd().split("\r\n")
  expect(orders.length).toBe(121)
  expect(orders[1]).toContain("RH-10001")
  const { items } = yield* Admin.ordersV2.list({ limit: 1, query: { sort: "number" } })
  expect(orders[1]).toContain(items[0]?._id)
})

story("payments and orders are filtered alike, in their lists, searches and downloads", function* () {
  const { _id: userId } = yield* EndUser.auth.self()
  const lists = [Admin.payments.list, Admin.orders.search, Admin.ordersV2.list] as const
  const text = (bytes: Stream.Stream<Uint8Array, unknown, Admin.Client>) =>
    Stream.mkString(Stream.decodeText(bytes))
  const csvs = [Admin.payments.csv, Admin.ordersV2.csv] as const
  const filters = [
    [{ inUserIds: [userId] }, (row: Fields) => row.userId === userId],
    [{ notInUserIds: [userId] }, (row: Fields) => row.userId !== userId],
    [{ userId }, (row: Fields) => row.userId === userId]
  ] as const
  for (const [filter, isWanted] of filters) {
    for (const list of lists) {
      const all = yield* list({ limit: 500 })
      const wanted = all.items.filter(isWanted)
      expect(wanted.length).toBeGreaterThan(0)
      expect(wanted.length).toBeLessThan(all.items.length)
      expect((yield* list({ ...filter, limit: 500 })).items).toEqual(wanted)
    }
    for (const csv of csvs) {
      const index = (yield* text(csv())).split("\r\n")[0]?.split(",").indexOf("userId") ?? -1
      const ids = (yield* text(csv(filter)))
        .trimEnd()
        .split("\r\n")
        .slice(1)
        .map((line) => line.split(",")[index])
      expect(ids.length).toBeGreaterThan(0)
      expect(ids.every((id) => isWanted({ userId: id }))).toBe(true)
    }
  }
  // The words of types and statuses are those of each.
  const payments = yield* Admin.payments.list({ typeIn: ["card"], statusIn: ["succeeded"], limit: 500 })
  expect(payments.items.length).toBeGreaterThan(0)
  expect(payments.items.every(({ status, type }) => type === "card" && status === "succeeded")).toBe(true)
  for (const list of [Admin.orders.search, Admin.ordersV2.list]) {
    const orders = yield* list({ typeIn: ["sale"], statusIn: ["paid"], limit: 500 })
    expect(orders.items.length).toBeGreaterThan(0)
    expect(orders.items.every(({ status, type }) => type === "sale" && status === "paid")).toBe(true)
  }
  // What is misspelt is sent by none of them.
  for (const list of lists) {
    const misspelt = { statusesIn: ["paid"] }
    expect(yield* Effect.flip(list(misspelt as object))).toMatchObject({
      _tag: "InputError",
      field: "statusesIn"
    })
    expect(yield* Effect.flip(list({ statusIn: ["pendng"] } as object))).toMatchObject({
      _tag: "InputError",
      field: expect.stringMatching(/^statusIn/)
    })
  }
})

// Spec endUser.orders.search
story("end users filter their own orders as admins filter all of them", function* () {
  const { _id: userId } = yield* EndUser.auth.self()
  const all = yield* EndUser.orders.search({ payload: { limit: 500 } })
  const status = String(all.items[0]?.status) as "new"
  const wanted = all.items.filter((order) => order.status === status)
  const found = yield* EndUser.orders.search({ payload: { statusIn: [status], userId, limit: 500 } })
  expect(found.items).toEqual(wanted)
  expect((yield* Admin.orders.search({ statusIn: [status], userId, limit: 500 })).items).toEqual(wanted)
  expect((yield* EndUser.orders.search({ payload: { notInUserIds: [userId] } })).items).toEqual([])
})
