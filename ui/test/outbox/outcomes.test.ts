/**
 * Real answers on real sockets: whether the outbox sends a write again by itself, asks a person or gives it up is what the kernel's table
 * says of the answer.
 */

import { doneBy, isTransient } from "@quartet/sdk/extend"
import { eventually } from "@quartet/support/eventually.js"
import { type Exchange, listen } from "@quartet/support/scripted-server.js"
import { nobody } from "@quartet/support/servers.js"
import { expect, test } from "vitest"
import { makeDevice } from "./harness.js"

/** 401 is of the session, not of the write; `fetch` answers 407 and 421 by itself. Those after which others wait come last. */
const statuses = Array.from({ length: 300 }, (_, at) => 300 + at)
  .filter((status) => status % 100 < 30 && ![401, 407, 421].includes(status))
  .sort(
    (left, right) =>
      Number(doneBy(left) === "no" && isTransient(left)) -
      Number(doneBy(right) === "no" && isTransient(right))
  )

const stateAfter = (status: number): string => {
  if (doneBy(status) === "perhaps") return "unknown"
  return isTransient(status) ? "queued" : "failed"
}

const idOf = ({ target }: Exchange): string => /request-action\/(\w+)/.exec(target)?.[1] ?? ""

/** A platform that ends the first write of each id as it says, and does all later ones; and a tab whose outbox writes to it. */
const open = async (first: (exchange: Exchange, id: string) => void) => {
  const server = await listen()
  const writes = new Map<string, Array<string | undefined>>()
  server.play((exchange) => {
    const { response } = exchange
    if (exchange.method === "GET") return exchange.json({ _id: idOf(exchange) })
    const id = idOf(exchange)
    const keys = writes.get(id) ?? []
    writes.set(id, [...keys, response.req.headers["idempotency-key"]?.toString()])
    if (keys.length > 0) exchange.json({ _id: id })
    else first(exchange, id)
  })
  const device = makeDevice()
  const tab = device.open([], { platform: server.url, scope: ({ id }) => id })
  const settled = () =>
    eventually(() => {
      // After an answer, the outbox is at rest where nothing is under way and nothing is yet to be sent for the first time.
      expect(tab.entries().filter(({ attempts, state }) => state === "sending" || attempts === 0)).toEqual([])
    })
  return { close: server.close, device, settled, tab, writes }
}

test("a write is sent again by itself, shown as unknown or given up as the kernel's table says of each status", async () => {
  const { close, device, settled, tab, writes } = await open(({ json }, id) => json({}, Number(id.slice(1))))
  for (const status of statuses) {
    await tab.write(`w${status}`)
    await settled()
  }
  const expected = statuses.map((status) => `w${status} ${stateAfter(status)}`)
  expect(tab.states()).toEqual(expected)
  // Hours later, and once another write has gone its way, all that waits has been sent again, and nothing else has.
  await device.pass(3_600_000)
  await tab.write("w200")
  await eventually(() => expect(tab.states()).toEqual(expected.filter((state) => !state.endsWith("queued"))))
  const times = (id: string) => writes.get(id)?.length
  expect(statuses.map((status) => `${status} ${times(`w${status}`)}`)).toEqual(
    statuses.map((status) => `${status} ${stateAfter(status) === "queued" ? 2 : 1}`)
  )
  // What may have been done is sent again when a person says so, with the key by which the platform can tell.
  const unknown = tab.entries().filter(({ state }) => state === "unknown")
  for (const { id } of unknown) await tab.actions.retry(id)
  await eventually(() => expect(tab.entries().some(({ state }) => state !== "failed")).toBe(false))
  for (const { idempotencyKey, input } of unknown)
    expect(writes.get(String(Object(input).id))).toEqual([idempotencyKey, idempotencyKey])
  await close()
})

test.each<[string, (exchange: Exchange) => void]>([
  ["before it answers", ({ response }) => response.destroy()],
  [
    "within its answer",
    ({ response }) =>
      response.writeHead(200, { "content-length": "100" }).write("{", () => response.destroy())
  ],
  [
    "within the head of its answer",
    ({ response }) => response.socket?.write("HTTP/1.1 200 O", () => response.destroy())
  ]
])(
  "a write whose connection the server cuts %s may have been done: it is shown as unknown, and not sent by itself",
  async (_, cut) => {
    const { close, device, settled, tab, writes } = await open(cut)
    await tab.write("cut")
    await settled()
    expect(tab.entries()).toMatchObject([
      { state: "unknown", attempts: 1, error: { _tag: "OutcomeUnknown" } }
    ])
    await device.pass(3_600_000)
    await tab.write("next")
    await eventually(() => expect(writes.get("next")).toHaveLength(1))
    expect([tab.states()[0], writes.get("cut")?.length]).toEqual(["cut unknown", 1])
    await close()
  }
)

test("a write that reached no server provably was not done: it waits, and is sent by itself", async () => {
  const device = makeDevice()
  const tab = device.open([], { platform: await nobody() })
  await tab.write("r1")
  for (let attempts = 1; attempts <= 3; attempts += 1) {
    await eventually(() =>
      expect(tab.entries()).toMatchObject([{ state: "queued", attempts, error: { _tag: "NetworkError" } }])
    )
    await device.pass(60_000)
  }
})
