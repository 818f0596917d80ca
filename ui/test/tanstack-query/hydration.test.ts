// Answers travel as JSON, and Dates as Dates: from a server into a page, into a storage and back.

import * as Admin from "@quartet/sdk/admin"
import { ok, request } from "@quartet/support/react.js"
import { dehydrate, hydrate } from "@tanstack/react-query"
import { BigDecimal, Schema } from "effect"
import * as fc from "effect/FastCheck"
import { expect, test } from "vitest"
import { hydration } from "../../tanstack-query/index.js"
import { deserializeData, serializeData } from "../../tanstack-query/json.js"
import { makeClient, observe, setup } from "./harness.js"

const travelled = (value: unknown): unknown =>
  deserializeData(JSON.parse(JSON.stringify(serializeData(value))))

const scalars = fc.oneof(
  ...[fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.date(), fc.bigInt()],
  fc.constantFrom("$date", "$$date", "__proto__")
)
const names = fc.oneof(fc.string(), fc.constantFrom("$date", "$bigint", "$number", "$$date", "$"))
const answers = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalars,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(names, tie("value"), { maxKeys: 4, noNullPrototype: true })
  )
})).value

/** JSON has no negative zero. */
const unsigned = (value: unknown): unknown => {
  if (typeof value === "number") return value + 0
  if (Array.isArray(value)) return value.map(unsigned)
  if (typeof value !== "object" || value === null || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, unsigned(field)]))
}

test("whatever an answer holds arrives as it was", () => {
  fc.assert(
    fc.property(answers, (answer) => {
      expect(travelled(answer)).toEqual(unsigned(answer))
    })
  )
})

test("what JSON leaves out is left out", () => {
  expect(travelled({ a: undefined, b: [undefined], c: () => 1 })).toEqual({ b: [null] })
})

test("an answer that holds an instance of a class is refused by name, and not written as something else", () => {
  const price = BigDecimal.unsafeFromString("1.5")
  for (const value of [price, { items: [{ price }] }, new Map(), new URL("https://example.com")])
    expect(() => serializeData(value)).toThrow(/must be plain data to travel/)
})

test("a page takes the answers of its server over, Dates as Dates, and asks for none of them", async () => {
  const server = setup([ok({ createdAt: "2024-05-01T10:00:00.000Z" })])
  const onServer = makeClient({ defaultOptions: hydration })
  await onServer.prefetchQuery(server.quartet.queryOptions(Admin.requests.get, { id: "r1" }))
  const state = JSON.parse(JSON.stringify(dehydrate(onServer)))

  const browser = setup([ok()])
  const inBrowser = makeClient({ defaultOptions: { ...hydration, queries: { staleTime: 60_000 } } })
  hydrate(inBrowser, state)
  const { now } = await observe(inBrowser, browser.quartet.queryOptions(Admin.requests.get, { id: "r1" }))
  expect(now().data).toEqual({ ...request("r1"), createdAt: new Date("2024-05-01T10:00:00.000Z") })
  expect(browser.fake.exchanges).toHaveLength(0)
})

test("what fails before the page is rendered is not asked again on the server, but by the browser", async () => {
  const { fake, quartet } = setup([ok()])
  const onServer = makeClient({ defaultOptions: hydration })
  const options = quartet.queryOptions(Admin.requests.get, { id: "r1" })
  const state = { ...onServer.getQueryCache().build(onServer, { queryKey: ["none"] }).state }
  const { queryHash } = onServer.getQueryCache().build(makeClient(), options)
  const failing = {
    queryKey: options.queryKey,
    queryHash,
    state,
    promise: Promise.reject(new Error("redacted")),
    dehydratedAt: 1
  }
  const rendered = makeClient({ defaultOptions: hydration })
  hydrate(rendered, { queries: [failing] })
  const { now } = await observe(rendered, options)
  expect([now().status, fake.exchanges.length]).toEqual(["error", 0])
})

test("a write that waits for the network is kept, unless it would keep a secret", async () => {
  const { quartet } = setup([])
  const queryClient = makeClient({ defaultOptions: hydration })
  const mutations = queryClient.getMutationCache()
  const keep = (variables: object, isPaused = true) =>
    mutations.build(
      queryClient,
      { mutationKey: quartet.mutationOptions(Admin.requests.markSeen).mutationKey },
      { ...mutations.build(queryClient, {}).state, status: "pending", isPaused, variables }
    )
  keep({ id: "r1", version: 1 })
  keep({ id: "r2", version: 1 }, false)
  keep({ email: "a@b.test", password: "hunter2" })
  keep({ phone: "+995 555 12 34 56", code: "123456" })
  expect(dehydrate(queryClient).mutations.map(({ state }) => state.variables)).toEqual([
    { id: "r1", version: 1 }
  ])
})

test("control: without it, a Date arrives as a text", async () => {
  const { quartet } = setup([ok({ createdAt: "2024-05-01T10:00:00.000Z" })])
  const queryClient = makeClient()
  const options = quartet.queryOptions(Admin.requests.get, { id: "r1" })
  await queryClient.prefetchQuery(options)
  const restored = makeClient()
  hydrate(restored, JSON.parse(JSON.stringify(dehydrate(queryClient))))
  expect(restored.getQueryData(options.queryKey)?.createdAt).toBe("2024-05-01T10:00:00.000Z")
})

test("an answer that cannot travel stays behind, as a failed one does, and the others go", async () => {
  const { quartet } = setup((_, place) => ok({ price: 1.5, version: place }))
  const queryClient = makeClient({ defaultOptions: hydration })
  const Priced = Schema.Struct({ _id: Schema.String, price: Schema.BigDecimalFromNumber })
  await queryClient.fetchQuery(quartet.queryOptions(Admin.requests.get.as(Priced), { id: "r1" }))
  await queryClient.prefetchQuery(quartet.queryOptions(Admin.requests.get, { id: "" }))
  await queryClient.fetchQuery(quartet.queryOptions(Admin.requests.get, { id: "r3" }))
  expect(dehydrate(queryClient).queries.map(({ queryKey }) => queryKey)).toEqual([
    quartet.queryKey(Admin.requests.get, { id: "r3" })
  ])
})
