/** What is written is shown at once, and taken back where it fails. */

import { failed, json } from "@quartet/support/fake-transport.js"
import { answerOf } from "@quartet/support/react.js"
import { describe, expect, test } from "vitest"
import { change } from "../../rx/index.js"
import { flush, makeDevice, ok, reads } from "./harness.js"

describe("changes that are shown at once", () => {
  const seenIn = (tab: ReturnType<ReturnType<typeof makeDevice>["open"]>) => {
    tab.registry.subscribe(tab.request("r1"), () => undefined, { immediate: true })
    return () => Object(answerOf(tab.registry.get(tab.request("r1")))).seenByAdmin
  }

  test("stay while a write waits, also in other tabs and after a reload, and give way to the platform's answer", async () => {
    const device = makeDevice()
    const tab = device.open(reads)
    const seen = seenIn(tab)
    await flush()
    await device.setOnline(false)
    await tab.write("r1", 7)
    const reloaded = device.open(reads)
    const seenThere = seenIn(reloaded)
    await flush()
    expect([seen(), seenThere()]).toEqual([7, 7])
    await tab.kill()
    await device.setOnline(true)
    await reloaded.settle(ok())
    expect(seenThere()).toBeUndefined()
    expect(reloaded.fake.requests().filter(({ method }) => method === "GET")).toHaveLength(2)
  })

  test.each([
    ["refused", json(409, {}), 1],
    ["of an unknown outcome", failed("Reset"), 2]
  ])("end with a write that is %s, and come back when it is sent again", async (_, reply, count) => {
    const device = makeDevice()
    const tab = device.open(reads)
    const seen = seenIn(tab)
    await flush()
    await tab.write("r1", 7)
    expect(seen()).toBe(7)
    await tab.settle(reply)
    expect([seen(), tab.fake.requests().filter(({ method }) => method === "GET").length]).toEqual([
      undefined,
      count
    ])
    await tab.actions.retry(tab.entries()[0]?.id ?? "")
    await flush()
    expect(seen()).toBe(7)
  })

  test("are those of the person who is signed in", async () => {
    const device = makeDevice()
    await device.setOnline(false)
    const tab = device.open(reads)
    await tab.write("r1", 7)
    const seen = seenIn(tab)
    await flush()
    expect(seen()).toBe(7)
    await tab.session.signIn("a2")
    await flush()
    expect(seen()).toBeUndefined()
    await tab.session.signIn("a1")
    await flush()
    expect(seen()).toBe(7)
  })

  test("that throw leave nothing behind: nothing is kept", async () => {
    const device = makeDevice()
    const broken = (): never => {
      throw new TypeError("nope")
    }
    const tab = device.open(reads, { optimistic: broken })
    expect(await tab.write("r1")).toMatchObject({ status: "defect", defect: { message: "nope" } })
    const second = device.open(reads, { invalidates: broken })
    expect(await second.write("r1")).toMatchObject({ status: "defect" })
    expect([device.kept(), tab.sent()]).toEqual([[], []])
  })
})

test("a change of two mutations of one call is that of the one with its name", async () => {
  const device = makeDevice()
  await device.setOnline(false)
  const tab = device.open(reads, { name: "one" })
  await tab.write("r1")
  const reloaded = device.open(reads, {
    name: "one",
    optimistic: ({ id }) => [change(reloaded.request(id), (before) => ({ ...before, type: "ONE" }))]
  })
  reloaded.registry.subscribe(reloaded.request("r1"), () => undefined, { immediate: true })
  await flush()
  expect(answerOf(reloaded.registry.get(reloaded.request("r1"))).type).toBe("ONE")
})
