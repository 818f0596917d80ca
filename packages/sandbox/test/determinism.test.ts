/** The seed decides everything that is there at first, and the ids of what is made later. */
import { describe, expect, it } from "@effect/vitest"
import { effect } from "@quartet/support/effect.js"
import { Effect, TestClock } from "effect"
import * as Sandbox from "../index.js"
import * as State from "../state/state.js"
import { Table } from "../state/table.js"

/** All rows of all tables. */
const rowsOf = (state: State.State): Record<string, ReadonlyArray<unknown>> =>
  Object.fromEntries(
    Object.entries(state).flatMap(([name, value]) => (value instanceof Table ? [[name, value.all()]] : []))
  )

describe("the seeded state", () => {
  it("is the same for the same seed, down to every id and date", () => {
    expect(rowsOf(State.make(7))).toEqual(rowsOf(State.make(7)))
  })

  it("is another for another seed, with the same project, keys and accounts", () => {
    const [first, second] = [State.make(1), State.make(2)]
    expect(first.items.all()[0]?._id).not.toBe(second.items.all()[0]?._id)
    expect(first.project._id).toBe(second.project._id)
    expect(first.project.api_key).toBe(second.project.api_key)
    const emails = (state: State.State) => state.admins.all().map((admin) => admin.email)
    expect(emails(first)).toEqual(emails(second))
  })

  it("has no id twice, whatever the seed, and only ids of 24 hexadecimal digits", () => {
    for (const seed of [0, 1, 2, 3, 4_294_967_295]) {
      const { follows, ...tables } = rowsOf(State.make(seed))
      const ids = Object.values(tables)
        .flat()
        .map((row) => (row as { readonly _id: string })._id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(ids.filter((id) => !/^[0-9a-f]{24}$/.test(id))).toEqual([])
      expect(follows?.length).toBeGreaterThan(50)
    }
  })

  it("is enough to page through", () => {
    const { items, messages, orders, requests, transactionEvents, transactions, users } = State.make(1)
    expect([items.size, orders.size, transactions.size, users.size, requests.size]).toEqual([
      250, 120, 400, 60, 80
    ])
    expect(messages.size).toBeGreaterThan(100)
    expect(transactionEvents.size).toBeGreaterThan(transactions.size)
  })

  it("hangs together: every reference leads to a row", () => {
    const state = State.make(3)
    const {
      conversations,
      entries,
      files,
      items,
      messages,
      models,
      orderGroups,
      orders,
      requests,
      transactions,
      users
    } = state
    const lost = [
      ...items.filter((item) => users.peek(item.userId) === undefined),
      ...orders.filter((order) => !orderGroups.peek(order.groupId)?.orders.includes(order._id)),
      ...orders.filter((order) => order.lines.some((line) => items.peek(line.itemId) === undefined)),
      ...transactions.filter(
        (transaction) => orders.peek(transaction.orderId ?? "")?.userId !== transaction.userId
      ),
      ...messages.filter((message) => conversations.peek(message.conversationId) === undefined),
      ...entries.filter((entry) => models.peek(entry.modelId) === undefined),
      ...items.filter(({ pictures = [] }) =>
        [pictures].flat().some((id) => files.peek(String(id)) === undefined)
      ),
      ...[...entries.all()].filter(({ cover, image }) =>
        [cover ?? image ?? []].flat().some((id) => files.peek(String(id)) === undefined)
      ),
      ...requests.filter(({ data }) =>
        [data?.pictures ?? []].flat().some((url) => files.find((file) => file.url === url) === undefined)
      )
    ]
    expect(lost).toEqual([])
  })

  effect("goes on the same way after the same calls at the same times", function* () {
    const run = Effect.gen(function* () {
      const { platform } = yield* Sandbox.make({ seed: 5 })
      const headers = { "x-api-key": Sandbox.accounts.apiKey }
      const body = { _tag: "Json", text: '{"type":"QUIZ_RESULT"}' } as const
      yield* platform.handle({ method: "POST", path: "/v1/box", headers, body })
      yield* platform.handle({ method: "POST", path: "/v1/box", headers, body })
      return rowsOf(platform.state)
    })
    yield* TestClock.setTime(1_800_000_000_000)
    expect(yield* run).toEqual(yield* run)
  })
})
