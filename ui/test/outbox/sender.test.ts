/** What is kept is sent in its order, by one tab at a time, until it is done or fails; nothing is done twice. */

import { bytes, failed, json } from "@quartet/support/fake-transport.js"
import { describe, expect, test } from "vitest"
import { flush, makeDevice, ok, reads } from "./harness.js"

describe("a write", () => {
  test("is kept before it is sent, and gone when it is done", async () => {
    const device = makeDevice()
    const tab = device.open(reads)
    const outcome = await tab.write("r1")
    expect(outcome).toMatchObject({ status: "queued" })
    expect(device.kept()).toMatchObject([
      {
        operation: "requests.markSeen",
        input: { id: "r1", version: 1 },
        state: "sending",
        person: '["admin","a1"]'
      }
    ])
    expect(tab.sent()).toEqual([["r1", device.kept()[0]?.idempotencyKey]])
    await tab.settle(ok())
    expect([device.kept(), tab.states()]).toEqual([[], []])
    if (outcome.status === "queued") {
      expect(await outcome.ended).toMatchObject({ status: "done", data: { _id: "r1" } })
    }
  })

  test("is followed by its mutation from pending to its end", async () => {
    const device = makeDevice()
    const tab = device.open(reads)
    const seen: Array<string> = []
    if (tab.mutation === undefined) throw new Error("the page has its mutation")
    const stop = tab.registry.subscribe(tab.mutation, ({ status }) => seen.push(status), {
      immediate: true
    })
    await flush()
    const { outbox } = tab
    await tab.write("r1")
    await tab.settle(json(409, {}))
    await tab.actions.retry(tab.entries()[0]?.id ?? "")
    await flush()
    await tab.settle(ok())
    expect([...new Set(seen)]).toEqual(["idle", "pending", "queued", "error", "success"])
    stop()
    expect(tab.registry.get(outbox)).toMatchObject({ status: "ready", entries: [], others: 0 })
  })

  test("is sent in the order of writing, one at a time", async () => {
    const device = makeDevice()
    const tab = device.open(reads)
    for (const id of ["r1", "r2", "r3"]) await tab.write(id)
    expect(tab.states()).toEqual(["r1 sending", "r2 queued", "r3 queued"])
    for (const id of ["r1", "r2", "r3"]) await tab.settle(ok(id))
    expect(tab.sent().map(([id]) => id)).toEqual(["r1", "r2", "r3"])
  })

  test("whose answer cannot be read is done, and has no data", async () => {
    const device = makeDevice()
    const tab = device.open(reads)
    const outcome = await tab.write("r1")
    await tab.settle(bytes(200, [0xff]))
    expect(tab.states()).toEqual([])
    if (outcome.status === "queued") expect(await outcome.ended).toEqual({ status: "done", data: undefined })
  })
})

describe("what fails", () => {
  test("without anything being done is sent again after a pause, for as long as it takes", async () => {
    const tab = makeDevice()
    const page = tab.open(reads)
    await page.write("r1")
    for (const pause of [2_000, 4_000]) {
      await page.settle(failed("Refused", false))
      expect(page.entries()).toMatchObject([{ state: "queued", error: { _tag: "NetworkError" } }])
      await tab.pass(pause - 1)
      expect(page.states()).toEqual(["r1 queued"])
      await tab.pass(1)
    }
    await page.settle(json(429, {}, { "retry-after": "30" }))
    await tab.pass(29_999)
    expect(page.sent()).toHaveLength(3)
    await tab.pass(1)
    await page.settle(ok())
    expect(new Set(page.sent().map(([, key]) => key)).size).toBe(1)
    expect(page.states()).toEqual([])
  })

  test("by the caller's fault stays, holds its scope back, and is edited, retried with a new key or discarded", async () => {
    const device = makeDevice()
    const tab = device.open(reads)
    await tab.write("r1")
    await tab.write("r2")
    await tab.settle(json(409, { message: "version 2 is newer" }))
    const [first, second] = tab.entries()
    expect(first).toMatchObject({
      state: "failed",
      error: { _tag: "Conflict", serverMessage: "version 2 is newer" }
    })
    expect(second).toMatchObject({ state: "queued", behind: first?.id })
    expect(await tab.actions.edit(first?.id ?? "", { id: "r1", version: 2 })).toEqual({ status: "success" })
    await flush()
    await tab.settle(json(409, {}))
    expect(await tab.actions.retry(first?.id ?? "")).toEqual({ status: "success" })
    await flush()
    await tab.settle(json(422, {}))
    expect(new Set(tab.sent().map(([, key]) => key)).size).toBe(3)
    expect(await tab.actions.discard(first?.id ?? "")).toEqual({ status: "success" })
    await flush()
    expect(tab.states()).toEqual(["r2 sending"])
    expect(await tab.actions.discard(second?.id ?? "")).toEqual({ status: "refused" })
    expect(await tab.actions.retry("nobody")).toEqual({ status: "refused" })
  })

  test("in one scope does not hold back another one", async () => {
    const device = makeDevice()
    const tab = device.open(reads, { scope: ({ id }) => id })
    await tab.write("r1")
    await tab.write("r1", 2)
    await tab.write("r2")
    await tab.settle(json(409, {}))
    expect(tab.states()).toEqual(["r1 failed", "r1 queued", "r2 sending"])
  })

  test.each([
    ["the connection was lost", failed("Reset")],
    ["the platform failed", json(503, {})],
    ["a proxy answered a page", json(302, {})]
  ])("so that it may have been done, because %s, waits for a person and keeps its key", async (_, reply) => {
    const device = makeDevice()
    const tab = device.open(reads)
    await tab.write("r1")
    await tab.write("r2")
    await tab.settle(reply)
    await device.pass(3_600_000)
    await device.setOnline(true)
    expect([tab.states(), tab.sent().length]).toEqual([["r1 unknown", "r2 queued"], 1])
    const [{ id = "" } = {}] = tab.entries()
    expect(await tab.actions.edit(id, { id: "r9", version: 1 })).toEqual({ status: "refused" })
    await tab.actions.retry(id)
    await flush()
    // A refusal does not prove that the first attempt was not done.
    await tab.settle(json(409, {}))
    expect(tab.entries()[0]).toMatchObject({ state: "unknown", error: { _tag: "Conflict" } })
    await tab.actions.retry(id)
    await flush()
    await tab.settle(ok())
    expect(
      new Set(
        tab
          .sent()
          .slice(0, 3)
          .map(([, key]) => key)
      ).size
    ).toBe(1)
    expect(tab.states()).toEqual(["r2 sending"])
  })
})

describe("several tabs", () => {
  test("send each write once, one tab at a time, and all show the same", async () => {
    const device = makeDevice()
    const tabs = [device.open(reads), device.open(reads), device.open(reads)]
    await flush()
    await device.setOnline(false)
    for (const [at, tab] of tabs.entries()) await tab.write(`r${at}`)
    for (const tab of tabs) expect(tab.states()).toEqual(["r0 queued", "r1 queued", "r2 queued"])
    await device.setOnline(true)
    for (const at of tabs.keys()) {
      const sending = tabs.filter(({ fake }) =>
        fake.exchanges.some(({ request: { method }, state }) => method !== "GET" && state === "open")
      )
      expect(sending).toHaveLength(1)
      for (const tab of tabs) expect(tab.states()[0]).toBe(`r${at} sending`)
      await sending[0]?.settle(ok(`r${at}`))
    }
    expect(tabs.flatMap((tab) => tab.sent().map(([id]) => id)).sort()).toEqual(["r0", "r1", "r2"])
    expect(tabs.map((tab) => tab.states())).toEqual([[], [], []])
  })

  test("tell each other how an entry ended", async () => {
    const device = makeDevice()
    const [first, second] = [device.open(reads), device.open(reads)]
    await flush()
    await device.setOnline(false)
    const [kept, dropped] = [await second.write("r1"), await second.write("r2")]
    await first.actions.discard(first.entries()[1]?.id ?? "")
    await device.setOnline(true)
    const sender = [first, second].find(({ sent }) => sent().length > 0)
    await sender?.settle(ok())
    const ends = [kept, dropped].map((outcome) => (outcome.status === "queued" ? outcome.ended : undefined))
    expect(await Promise.all(ends)).toMatchObject([{ status: "done" }, { status: "discarded" }])
  })
})

describe("a tab that stands still", () => {
  const bound = 15_000
  /** Two tabs, of which the first has the turn. */
  const open = async () => {
    const device = makeDevice()
    const [first, second] = [device.open(reads), device.open(reads)]
    await first.write("r1")
    expect(first.states()).toEqual(["r1 sending"])
    const blocked = () => second.registry.get(second.outbox).isBlocked
    /** Time passes, step by step, as it does. */
    const wait = async (milliseconds: number) => {
      for (let passed = 0; passed < milliseconds; passed += 500) await device.pass(500)
    }
    return { device, first, second, blocked, wait }
  }

  test("while it sends holds up the others for some seconds, in which they say so; then they go on without it", async () => {
    const { blocked, first, second, wait } = await open()
    first.stand()
    await second.write("r2")
    await wait(9_500)
    expect([second.states(), blocked(), second.sent()]).toEqual([["r1 sending", "r2 queued"], false, []])
    await wait(1_000)
    expect([second.states(), blocked(), second.sent()]).toEqual([["r1 sending", "r2 queued"], true, []])
    await wait(bound - 10_500)
    // One scope: what it was sending may have been done, and a person decides.
    expect([second.states(), blocked()]).toEqual([["r1 unknown", "r2 queued"], false])
    await second.actions.discard(second.entries()[0]?.id ?? "")
    await flush()
    expect(second.sent().map(([id]) => id)).toEqual(["r2"])
  })

  test("and goes on tells how its own write ended, and leaves the rest to the tab that has its turn", async () => {
    const { first, second, wait } = await open()
    first.stand()
    await second.write("r2")
    await wait(bound)
    expect(second.states()).toEqual(["r1 unknown", "r2 queued"])
    await first.goOn()
    await first.settle(ok("r1"))
    expect([first.states(), second.states()]).toEqual([["r2 sending"], ["r2 sending"]])
    await second.settle(ok("r2"))
    expect([first.sent().length, second.sent().length]).toEqual([1, 1])
    expect(second.states()).toEqual([])
  })

  test("between its claim and its request does not send what a person has had sent again meanwhile", async () => {
    const device = makeDevice()
    const [first, second] = [device.open(reads), device.open(reads)]
    first.stopAt("sending")
    await first.write("r1")
    expect([device.kept()[0]?.state, first.sent()]).toEqual(["sending", []])
    for (let passed = 0; passed < bound; passed += 500) await device.pass(500)
    await second.write("r2")
    for (let passed = 0; passed < bound; passed += 500) await device.pass(500)
    expect(second.states()).toEqual(["r1 unknown", "r2 queued"])
    await second.actions.retry(second.entries()[0]?.id ?? "")
    await flush()
    expect(second.sent().map(([id]) => id)).toEqual(["r1"])
    await first.goOn()
    expect(first.sent()).toEqual([])
    await second.settle(ok("r1"))
    await second.settle(ok("r2"))
    expect([first.sent(), second.sent().map(([id]) => id), device.kept()]).toEqual([[], ["r1", "r2"], []])
  })

  test("between its claim and its request has its write sent later by itself: it was not sent, and needs no person", async () => {
    const device = makeDevice()
    const [first, second] = [device.open(reads), device.open(reads)]
    first.stopAt("sending")
    await first.write("r1")
    await second.write("r2")
    for (let passed = 0; passed < bound; passed += 500) await device.pass(500)
    expect(second.states()).toEqual(["r1 unknown", "r2 queued"])
    await first.goOn()
    expect(second.entries()[0]).toMatchObject({ state: "queued", error: { _tag: "Interrupted" } })
    await device.pass(5_000)
    const senders = [first, second].filter((tab) => tab.sent().length > 0)
    expect(senders).toHaveLength(1)
    await senders[0]?.settle(ok("r1"))
    expect([...first.sent(), ...second.sent()].map(([id]) => id)).toEqual(["r1", "r2"])
  })

  test("is not one that takes long: it answers, and keeps its turn", async () => {
    const { blocked, first, second, wait } = await open()
    await second.write("r2")
    await wait(120_000)
    expect([second.states(), blocked(), second.sent()]).toEqual([["r1 sending", "r2 queued"], false, []])
    await first.settle(ok("r1"))
    expect([...first.sent(), ...second.sent()].map(([id]) => id)).toEqual(["r1", "r2"])
  })

  /** The tab of several that is sending. */
  const senderOf = (tabs: ReadonlyArray<Awaited<ReturnType<typeof open>>["first"]>) =>
    tabs.filter(({ fake }) =>
      fake.exchanges.some((exchange) => exchange.request.method !== "GET" && exchange.state === "open")
    )

  test("and is given the turn meanwhile does not take what another tab is sending for lost", async () => {
    const { device, first, second, wait } = await open()
    await second.write("r2")
    second.stand()
    await first.settle(ok("r1"))
    await first.settle(ok("r2"))
    const third = device.open(reads)
    await third.write("r3")
    expect(senderOf([first, third])).toEqual([])
    await wait(bound)
    const [sender] = senderOf([first, third])
    expect(sender?.states()).toEqual(["r3 sending"])
    await second.goOn()
    for (const tab of [first, second, third]) expect(tab.states()).toEqual(["r3 sending"])
    await sender?.settle(ok("r3"))
    expect([device.kept(), [first, second, third].flatMap((tab) => tab.sent()).length]).toEqual([[], 3])
  })

  test("has its turn taken by one of many that wait, and not by each of them from the other", async () => {
    const device = makeDevice()
    const first = device.open(reads)
    const others = [0, 0.2, 0.4, 0.6, 0.8].map((chance) =>
      device.open(reads, { chance, scope: ({ id }) => id })
    )
    await first.write("r1")
    first.stand()
    await others[0]?.write("r2")
    const seen = new Set<string>()
    others[0]?.registry.subscribe(others[0].outbox, ({ entries }) => {
      for (const { input, state } of entries) seen.add(`${Object(input).id} ${state}`)
    })
    for (let passed = 0; passed < 60_000; passed += 100) await device.pass(100)
    expect(others.flatMap((tab) => tab.sent()).map(([id]) => id)).toEqual(["r2"])
    expect([...seen].sort()).toEqual(["r1 sending", "r1 unknown", "r2 queued", "r2 sending"])
  })
})
