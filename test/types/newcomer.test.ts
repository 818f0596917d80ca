// What somebody writes on the first day, in both faces: it compiles without a cast, and does on a real server what it says.

import { accounts } from "@quartet/sandbox"
import * as Sdk from "@quartet/sdk"
import { Admin, Public } from "@quartet/sdk"
import * as Socket from "@quartet/sdk/adapters/socket"
import { createAdminClient, createPublicClient, readNumber } from "@quartet/sdk/promise"
import * as Transport from "@quartet/sdk/transport"
import { servedSandbox } from "@quartet/support/sandboxes.js"
import { Chunk, Effect, Layer, Stream } from "effect"
import { expect, test } from "vitest"

const sandbox = servedSandbox()
const asAdmin = () => ({
  baseUrl: sandbox().url,
  projectId: accounts.projectId,
  apiKey: accounts.apiKey,
  ...accounts.admin
})
const asVisitor = () => ({ baseUrl: sandbox().url, apiKey: accounts.apiKey })

/** What both faces have to find out. */
interface Till {
  readonly unpaid: number
  readonly due: number
  readonly refunded: number
  readonly rest: number
  readonly rows: number
}

test("a shop's till with Promises: unpaid orders, their totals, a part that is paid back, and a file for accounting", async () => {
  await using admin = createAdminClient(asAdmin())

  let due = 0
  let unpaid = 0
  for await (const order of admin.orders.search.pages({ statusIn: ["new", "confirmed"] })) {
    unpaid += 1
    due += readNumber(order.total) ?? Number.NaN
  }
  const { items } = await admin.payments.list({ statusIn: ["succeeded"], limit: 20 })
  const payment = items.find(({ refundableAmount }) => (readNumber(refundableAmount) ?? Number.NaN) > 10)
  if (payment === undefined) throw new Error("nothing was paid")
  await admin.payments.refund({ id: payment._id, payload: { amount: 10, reason: "came late" } })
  const after = await admin.payments.get({ id: payment._id })
  const csv = await admin.payments.csv.text({ statusIn: ["succeeded", "partially_refunded"] })

  const till: Till = {
    unpaid,
    due,
    refunded:
      (readNumber(after.refundedAmount) ?? Number.NaN) - (readNumber(payment.refundedAmount) ?? Number.NaN),
    rest:
      (readNumber(payment.refundableAmount) ?? Number.NaN) -
      (readNumber(after.refundableAmount) ?? Number.NaN),
    rows: csv.trim().split("\n").length
  }
  expect(till).toMatchObject({ refunded: 10, rest: 10 })
  expect([till.unpaid > 5, till.due > 0, till.rows > 5]).toEqual([true, true, true])
})

test("a shop's till with Effect", async () => {
  const program = Effect.gen(function* () {
    const orders = yield* Stream.runCollect(
      Sdk.pages(Admin.orders.search, { statusIn: ["new", "confirmed"] })
    )
    const { items } = yield* Admin.payments.list({ statusIn: ["succeeded"], limit: 20 })
    const payment = yield* Effect.fromNullable(
      items.find(({ refundableAmount }) => (Sdk.readNumber(refundableAmount) ?? Number.NaN) > 10)
    )
    yield* Admin.payments.refund({ id: payment._id, payload: { amount: 10, reason: "came late" } })
    const after = yield* Admin.payments.get({ id: payment._id })
    const csv = yield* Sdk.text(Admin.payments.csv({ statusIn: ["succeeded", "partially_refunded"] }))
    const till: Till = {
      unpaid: orders.length,
      due: Chunk.reduce(orders, 0, (sum, { total }) => sum + (Sdk.readNumber(total) ?? Number.NaN)),
      refunded:
        (Sdk.readNumber(after.refundedAmount) ?? Number.NaN) -
        (Sdk.readNumber(payment.refundedAmount) ?? Number.NaN),
      rest:
        (Sdk.readNumber(payment.refundableAmount) ?? Number.NaN) -
        (Sdk.readNumber(after.refundableAmount) ?? Number.NaN),
      rows: csv.trim().split("\n").length
    }
    return till
  })
  const till = await Effect.runPromise(
    Effect.provide(program, Layer.provide(Admin.layer(asAdmin()), Transport.layer))
  )
  expect(till).toMatchObject({ refunded: 10, rest: 10 })
  expect([till.unpaid > 5, till.due > 0, till.rows > 5]).toEqual([true, true, true])
})

test("a page in two languages with Promises", async () => {
  await using visitor = createPublicClient(asVisitor())
  const { items } = await visitor.content.list({ apiId: "news", lang: "en", limit: 1 })
  const [entry] = items
  const translated = await visitor.content.get({ id: entry?._id ?? "", lang: "ka" })
  const lines: ReadonlyArray<string> = [entry, translated].map(
    (page) => `${page?.lang}: ${page?.title ?? ""}`
  )
  expect(lines).toEqual([expect.stringMatching(/^en: [A-Z]/), expect.stringMatching(/^ka: [ა-ჰ]/)])
})

test("a page in two languages with Effect", async () => {
  const program = Effect.gen(function* () {
    const { items } = yield* Public.content.list({ apiId: "news", lang: "en", limit: 1 })
    const entry = yield* Effect.fromNullable(items[0])
    const translated = yield* Public.content.get({ id: entry._id, lang: "ka" })
    return [entry, translated].map((page) => `${page.lang}: ${page.title ?? ""}`)
  })
  const lines = await Effect.runPromise(
    Effect.provide(program, Layer.provide(Public.layer(asVisitor()), Transport.layer))
  )
  expect(lines).toEqual([expect.stringMatching(/^en: [A-Z]/), expect.stringMatching(/^ka: [ა-ჰ]/)])
})

test("a chat that answers, with Promises on one side and Effect on the other", async () => {
  await using admin = createAdminClient(asAdmin())
  const { items } = await admin.conversations.list({ limit: 1 })
  const conversationId = items[0]?._id ?? ""

  // It answers each question that somebody else asks.
  const answering = Effect.gen(function* () {
    const chat = yield* Admin.chat.open()
    yield* chat.messages.pipe(
      Stream.filter(({ text, sender }) => (text ?? "").endsWith("?") && sender?.kind === "admin"),
      Stream.take(1),
      Stream.runForEach((message) =>
        chat.send({ conversationId: message.conversationId ?? "", text: `You ask: ${message.text ?? ""}` })
      )
    )
  }).pipe(
    Effect.scoped,
    Effect.provide(Layer.provide(Admin.layer(asAdmin()), Transport.layer)),
    Effect.provide(Socket.layer)
  )

  const answered = Effect.runPromise(answering)
  const chat = await admin.chat.open()
  const sent = chat.send({ conversationId, text: "Is the lift repaired?" })
  for await (const { text } of chat.messages) if (text === "You ask: Is the lift repaired?") break
  await Promise.all([sent, answered])
  expect(
    (await admin.conversations.messages({ id: conversationId, limit: 50 })).items.map(({ text }) => text)
  ).toEqual(expect.arrayContaining(["Is the lift repaired?", "You ask: Is the lift repaired?"]))
})
