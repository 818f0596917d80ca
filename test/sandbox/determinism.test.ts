/** The seed decides everything that is there at first, and the ids of what is made later. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as Sandbox from "../../adapters/sandbox/index.js"
import * as Token from "../../adapters/sandbox/platform/token.js"
import * as Random from "../../adapters/sandbox/state/random.js"
import * as State from "../../adapters/sandbox/state/state.js"
import { Table } from "../../adapters/sandbox/state/table.js"

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
    const [one, two] = [State.make(1), State.make(2)]
    expect(one.items.all()[0]?._id).not.toBe(two.items.all()[0]?._id)
    expect(one.project._id).toBe(two.project._id)
    expect(one.project.api_key).toBe(two.project.api_key)
    const emails = (state: State.State) => state.admins.all().map((admin) => admin.email)
    expect(emails(one)).toEqual(emails(two))
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
    const { conversations, entries, items, messages, models, orderGroups, orders, transactions, users } =
      state
    const lost = [
      ...items.filter((item) => users.peek(item.userId) === undefined),
      ...orders.filter((order) => !orderGroups.peek(order.groupId)?.orders.includes(order._id)),
      ...orders.filter((order) => order.lines.some((line) => items.peek(line.itemId) === undefined)),
      ...transactions.filter((one) => orders.peek(one.orderId ?? "")?.userId !== one.userId),
      ...messages.filter((message) => conversations.peek(message.conversationId) === undefined),
      ...entries.filter((entry) => models.peek(entry.modelId) === undefined)
    ]
    expect(lost).toEqual([])
  })

  it.effect("goes on the same way after the same calls at the same times", () =>
    Effect.gen(function* () {
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
  )
})

describe("seeded chance", () => {
  it("differs between seeds and between the names of its streams", () => {
    const first = (seed: number, name: string) => Random.make(seed, name).id()
    expect(new Set([first(1, "a"), first(1, "b"), first(2, "a"), first(12, "a")]).size).toBe(4)
  })

  it("is spread evenly", () => {
    const random = Random.make(1, "spread")
    const counts = [0, 0, 0, 0, 0, 0]
    for (let index = 0; index < 60_000; index++) counts[random.int(0, 5)]! += 1
    expect(Math.min(...counts)).toBeGreaterThan(9_500)
    expect(Math.max(...counts)).toBeLessThan(10_500)
  })

  it("keeps to its bounds", () => {
    const random = Random.make(9, "bounds")
    const list = [1, 2, 3, 4]
    for (let index = 0; index < 500; index++) {
      const part = random.some(list, 2)
      expect(part.length).toBe(2)
      expect([...part].sort()).toEqual(part)
      const date = random.date(new Date(1_000), new Date(5_000)).getTime()
      expect(date >= 1_000 && date <= 5_000).toBe(true)
    }
    expect(random.some(list, 9)).toEqual(list)
  })
})

describe("access tokens", () => {
  const claims: Token.Claims = {
    sub: "s",
    email: "e",
    name: "Ნ",
    p: { "*": { "*": 9 } },
    jti: "j",
    iat: 1,
    exp: 2
  }

  it("carry their claims back to the sandbox that signed them", () => {
    expect(Token.verify(Token.sign(claims, 3), 3)).toEqual(claims)
  })

  it("are refused when they come from another seed or were altered", () => {
    const token = Token.sign(claims, 3)
    expect(Token.verify(token, 4)).toBeUndefined()
    const [header, payload, signature] = token.split(".")
    const other = Buffer.from(JSON.stringify({ ...claims, sub: "t" })).toString("base64url")
    expect(Token.verify(`${header}.${other}.${signature}`, 3)).toBeUndefined()
    expect(Token.verify(`${header}.${payload}.`, 3)).toBeUndefined()
    expect(Token.verify("", 3)).toBeUndefined()
  })
})
