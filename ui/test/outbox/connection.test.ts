/** Without a network nothing is tried; a page that ends leaves its writes to the next one. */

import { describe, expect, test } from "vitest"
import { reaches } from "../../outbox/index.js"
import { flush, makeDevice, ok, reads } from "./harness.js"

describe("without a network", () => {
  test("nothing is sent and no attempt is used, until the browser is online", async () => {
    const device = makeDevice()
    const tab = device.open(reads)
    await device.setOnline(false)
    await tab.write("r1")
    await device.pass(3_600_000)
    expect([tab.entries()[0]?.attempts, tab.sent()]).toEqual([0, []])
    await device.setOnline(true)
    expect(tab.states()).toEqual(["r1 sending"])
  })

  test("nor while the browser is online and the probe reaches nothing", async () => {
    const device = makeDevice()
    const tab = device.open(reads)
    device.setProbe(async () => false)
    await tab.write("r1")
    await device.pass(20_000)
    expect(tab.states()).toEqual(["r1 queued"])
    device.setProbe(async () => true)
    await device.pass(20_000)
    expect(tab.states()).toEqual(["r1 sending"])
  })
})

describe("a probe that throws", () => {
  const broken = new TypeError("probe is at fault")
  const shown = (tab: ReturnType<ReturnType<typeof makeDevice>["open"]>) => tab.registry.get(tab.outbox)

  test("is shown while entries wait for it, and asked again", async () => {
    const device = makeDevice()
    const tab = device.open(reads)
    device.setProbe(() => Promise.reject(broken))
    expect(await tab.write("r1")).toMatchObject({ status: "queued" })
    expect(shown(tab)).toMatchObject({
      status: "ready",
      error: { _tag: "OutboxError", reason: "Probe", outbox: "desk", cause: broken },
      entries: [{ state: "queued", attempts: 0 }]
    })
    device.setProbe(async () => true)
    await device.pass(20_000)
    expect(shown(tab)).toMatchObject({ error: undefined, entries: [{ state: "sending" }] })
  })

  test.each(["answers false", "has nothing left to be asked for"])("is not shown once it %s", async (how) => {
    const device = makeDevice()
    const tab = device.open(reads)
    device.setProbe(() => Promise.reject(broken))
    await tab.write("r1")
    expect(shown(tab).error).toMatchObject({ reason: "Probe" })
    device.setProbe(async () => false)
    if (how === "answers false") await device.pass(20_000)
    else await tab.actions.clear()
    expect(shown(tab).error).toBeUndefined()
  })
})

describe("a page that ends", () => {
  test("before its write was sent leaves it to the next page", async () => {
    const device = makeDevice()
    const first = device.open(reads)
    await device.setOnline(false)
    await first.write("r1")
    await first.kill()
    await device.setOnline(true)
    const second = device.open(reads)
    await flush()
    await second.settle(ok())
    expect([first.sent(), second.sent().length, device.kept()]).toEqual([[], 1, []])
  })

  test("while its write is sent leaves an unknown outcome, which nobody sends again but a person", async () => {
    const device = makeDevice()
    const first = device.open(reads)
    await first.write("r1")
    const second = device.open(reads)
    await flush()
    expect(second.states()).toEqual(["r1 sending"])
    await first.kill()
    expect(second.entries()).toMatchObject([{ state: "unknown", error: { _tag: "Interrupted" } }])
    const reloaded = device.open(reads)
    await flush()
    expect([reloaded.states(), reloaded.sent(), second.sent()]).toEqual([["r1 unknown"], [], []])
    await reloaded.actions.retry(reloaded.entries()[0]?.id ?? "")
    await flush()
    const resent = [...reloaded.sent(), ...second.sent()]
    expect(resent).toEqual(first.sent())
  })

  test("because its registry does, leaves the same", async () => {
    const device = makeDevice()
    const first = device.open(reads)
    await first.write("r1")
    first.registry.dispose()
    await flush()
    expect(device.kept()).toMatchObject([{ state: "unknown" }])
  })

  test("is older than a write: that is shown as failed there, and sent by a page that has the mutation", async () => {
    const device = makeDevice()
    const old = device.open(reads, { isOld: true })
    await device.setOnline(false)
    const page = device.open(reads)
    await page.write("r1")
    expect(old.entries()).toMatchObject([{ state: "failed", error: { _tag: "Unrecognised" } }])
    expect(device.kept()).toMatchObject([{ state: "queued" }])
    await device.setOnline(true)
    await page.settle(ok())
    expect([old.states(), old.sent()]).toEqual([[], []])
  })
})

test.each([
  undefined,
  null,
  "",
  7,
  {},
  "http://[",
  "ftp://example.com",
  "javascript:1",
  "data:,",
  "http://ana@example.com/",
  "http://:hunter2@example.com/",
  "//ana:hunter2@example.com/"
])("%j is no address that can be reached", (url) => {
  expect(() => reaches(url as string)).toThrow(
    expect.objectContaining({ _tag: "InputError", operation: "reaches", field: "url" })
  )
  expect(() => reaches(url as string)).not.toThrow(/hunter2/)
})

test.each(["/", "there", "?a=1", "//example.com", "https://example.com:8443/a@b", "HTTP://example.com"])(
  "%j can be reached",
  (url) => {
    expect(reaches(url)).toBeTypeOf("function")
  }
)
