/** How a write ended is told to who waits for it, also where something else has removed it. */

import { failed, json } from "@quartet/support/fake-transport.js"
import { describe, expect, test } from "vitest"
import { OutboxError } from "../../outbox/index.js"
import { flush, makeDevice, ok, reads } from "./harness.js"

describe("an end that is known", () => {
  const broken = new OutboxError({ outbox: "desk", reason: "Storage" })

  test("from another tab holds, whatever the store says or cannot say of the entry", async () => {
    const device = makeDevice()
    const tab = device.open(reads)
    await device.setOnline(false)
    const outcome = await tab.write("r1")
    if (outcome.status !== "queued") return expect.unreachable()
    const channel = device.ports().channel(() => undefined)
    device.breakStore(broken)
    channel.tell({ id: outcome.id, end: "done" })
    const ended = await Promise.race([outcome.ended, flush()])
    expect(ended).toEqual({ status: "done", data: undefined })
  })

  test("and that the store could not take is written as soon as it can", async () => {
    const device = makeDevice()
    const tab = device.open(reads)
    const outcome = await tab.write("r1")
    device.breakStore(broken)
    await tab.settle(ok())
    expect(device.kept()).toMatchObject([{ state: "sending" }])
    device.breakStore()
    await device.pass(60_000)
    expect([device.kept(), tab.states(), tab.sent().length]).toEqual([[], [], 1])
    if (outcome.status !== "queued") return expect.unreachable()
    expect(await outcome.ended).toMatchObject({ status: "done", data: { _id: "r1" } })
  })

  const full = new OutboxError({ outbox: "desk", reason: "Quota" })

  test("and that there is no room to note is not shown as under way, in no tab", async () => {
    const device = makeDevice()
    const tabs = [device.open(reads), device.open(reads)]
    const [tab, otherTab] = tabs
    await tab?.write("r1")
    device.breakStore(full, true)
    await tab?.settle(ok())
    expect(device.kept()).toMatchObject([{ state: "sending" }])
    expect(tabs.map((opened) => opened.registry.get(opened.outbox))).toMatchObject([
      { entries: [], others: 0, error: { reason: "Quota" } },
      { entries: [], others: 0, error: { reason: "Quota" } }
    ])
    // The one that knows it is closed before there is room.
    await tab?.kill()
    device.breakStore()
    await device.pass(60_000)
    expect([device.kept(), otherTab?.states(), otherTab?.sent()]).toEqual([[], [], []])
  })

  test("and that another page has taken for one that was lost is noted by the one that knows it", async () => {
    const device = makeDevice()
    const tab = device.open(reads)
    await tab.write("r1")
    device.breakStore(full, true)
    await tab.settle(ok())
    device.breakStore()
    // A page that was not there to hear of it had found it under way, and nobody who was sending it.
    device.update((entry) => ({ ...entry, state: "unknown", isInDoubt: true }))
    const late = device.open(reads)
    expect(late.states()).toEqual([])
    await late.write("r2")
    expect([tab.states(), late.states()]).toEqual([["r2 sending"], ["r2 sending"]])
    expect([...tab.sent(), ...late.sent()].map(([id]) => id)).toEqual(["r1", "r2"])
  })

  test.each([
    ["after a short while", async (device: ReturnType<typeof makeDevice>) => device.pass(1_000)],
    [
      "with the next write",
      async (_: unknown, tab: ReturnType<ReturnType<typeof makeDevice>["open"]>) => tab.write("r2")
    ]
  ])("is noted when there is room again, %s", async (_, later) => {
    const device = makeDevice()
    const tab = device.open(reads)
    await tab.write("r1")
    device.breakStore(full, true)
    await tab.settle(ok())
    device.breakStore()
    await later(device, tab)
    expect(device.kept().map(({ input }) => Object(input).id)).not.toContain("r1")
    expect(tab.registry.get(tab.outbox)).toMatchObject({ status: "ready", error: undefined })
  })

  test("is looked for less and less often while the store fails, at least each minute", async () => {
    const device = makeDevice()
    const tab = device.open(reads)
    await tab.write("r1")
    device.breakStore(full, true)
    await tab.settle(ok())
    const tried: Array<number> = []
    for (let second = 1; second <= 200; second += 1) {
      const before = device.refused()
      await device.pass(1_000)
      if (device.refused() > before) tried.push(second)
    }
    expect(tried).toEqual([1, 3, 7, 15, 31, 63, 123, 183])
  })
})

describe("what something else has removed from the device", () => {
  test.each(["queued", "sending", "unknown"])(
    "while it was %s is reported, by its run and by the outbox",
    async (state) => {
      const device = makeDevice()
      if (state === "queued") await device.setOnline(false)
      const [tab, otherTab] = [device.open(reads), device.open(reads)]
      const outcome = await tab.write("r1")
      if (state === "unknown") await tab.settle(failed("Reset"))
      expect(device.kept()).toMatchObject([{ state }])
      device.erase()
      await flush()
      await device.pass(5_000)
      for (const opened of [tab, otherTab]) {
        expect(opened.registry.get(opened.outbox)).toMatchObject({
          status: "ready",
          error: { _tag: "OutboxError", reason: "Deleted" }
        })
        expect(opened.entries()).toEqual([])
      }
      for (const opened of [tab, otherTab]) {
        await opened.actions.clear()
        expect(opened.registry.get(opened.outbox).error).toBeUndefined()
      }
      if (outcome.status !== "queued") throw new Error("it was kept")
      // What came to rest before was told as such.
      expect(await outcome.ended).toMatchObject({
        status: "unknown",
        error: { _tag: state === "unknown" ? "OutcomeUnknown" : "Deleted" }
      })
    }
  )

  test("and was done all the same by the tab that sends it is done for that tab", async () => {
    const device = makeDevice()
    const tab = device.open(reads)
    const outcome = await tab.write("r1")
    device.erase()
    await tab.settle(ok())
    await device.pass(60_000)
    expect(tab.registry.get(tab.outbox)).toMatchObject({ status: "ready", error: undefined, entries: [] })
    if (outcome.status === "queued") expect(await outcome.ended).toMatchObject({ status: "done" })
  })

  test("is not what another tab has done or dropped", async () => {
    const device = makeDevice()
    const [tab, otherTab] = [device.open(reads), device.open(reads)]
    const outcome = await otherTab.write("r1")
    await otherTab.settle(ok())
    await tab.write("r2")
    await tab.settle(json(409, {}))
    await tab.actions.discard(tab.entries()[0]?.id ?? "")
    await device.pass(60_000)
    for (const opened of [tab, otherTab])
      expect(opened.registry.get(opened.outbox)).toMatchObject({
        status: "ready",
        error: undefined,
        entries: []
      })
    if (outcome.status === "queued") expect(await outcome.ended).toMatchObject({ status: "done" })
  })
})
