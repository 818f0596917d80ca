// An outbox keeps writes until they are done: over reloads, without a network, and in several tabs; none is done twice.

import * as EndUser from "@quartet/sdk/end-user"
import { InputError } from "@quartet/sdk/extend"
import * as Public from "@quartet/sdk/public"
import * as Fake from "@quartet/support/fake-transport.js"
import { bytes, failed, json, type Script } from "@quartet/support/fake-transport.js"
import { answerOf, endUserLayer, request, token, visitorLayer } from "@quartet/support/react.js"
import { thrown } from "@quartet/support/thrown.js"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { makeOutbox, OutboxError, reaches } from "../../outbox/index.js"
import { makeOutboxOver } from "../../outbox/make.js"
import { change, makeQueryClient, makeRegistry } from "../../rx/index.js"
import { flush, makeDevice } from "./harness.js"

/** Answers reads, and leaves writes to the test. */
const reads: Script = ({ method, path }) =>
  method === "GET" ? json(200, request(/request-action\/(\w+)/.exec(path)?.[1] ?? "")) : "waits"
const ok = (id = "r1") => json(200, request(id))

describe("options", () => {
  test.each([
    ["a name that is missing", {}, "name"],
    ["an empty name", { name: "" }, "name"],
    ["a name that is no text", { name: 7 }, "name"],
    ["no room", { name: "desk", capacity: 0 }, "capacity"],
    ["a room that is no whole number", { name: "desk", capacity: 1.5 }, "capacity"],
    ["a probe that cannot be asked", { name: "desk", probe: "https://api.example.com" }, "probe"],
    ["an option that there is not", { name: "desk", probes: () => Promise.resolve(true) }, "probes"],
    ["no options", undefined, "options"]
  ])("%s: an InputError that names the field", (_, options, field) => {
    const refused = thrown(() => makeOutbox(options as never))
    expect(refused).toBeInstanceOf(InputError)
    expect(refused).toMatchObject({ operation: "makeOutbox", field })
  })
})

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

describe("an action", () => {
  const ids: ReadonlyArray<unknown> = [undefined, null, "", 7, {}, ["id-1"], Symbol("id-1")]
  test.each(ids)("on %j, which names no entry, is an InputError that says so", async (id) => {
    const device = makeDevice()
    const { actions, ...tab } = device.open(reads)
    await tab.write("r1")
    await tab.settle(json(409, {}))
    const before = device.kept()
    for (const name of ["retry", "discard", "edit"] as const)
      expect(await actions[name](id as string, { id: "r1", version: 2 })).toMatchObject({
        status: "error",
        error: { _tag: "InputError", operation: `outbox.${name}`, field: "id" }
      })
    expect([device.kept(), tab.sent().length]).toEqual([before, 1])
  })

  test("on an entry that is not there, or not in a state for it, is refused", async () => {
    const device = makeDevice()
    const tab = device.open(reads)
    await tab.write("r1")
    const id = tab.entries()[0]?.id ?? ""
    const input = { id: "r1", version: 2 }
    const { discard, edit, retry } = tab.actions
    for (const act of [retry("nobody"), discard("nobody"), edit("nobody", input)])
      expect(await act).toEqual({ status: "refused" })
    for (const act of [retry(id), discard(id), edit(id, input)])
      expect(await act).toEqual({ status: "refused" })
    await tab.settle(failed("Reset"))
    expect(await edit(id, input)).toEqual({ status: "refused" })
    expect([tab.states(), tab.sent().length]).toEqual([["r1 unknown"], 1])
  })

  test.each<[input: unknown, field: string]>([
    [undefined, "id"],
    [null, "id"],
    ["r1", "input"],
    [{ id: "", version: 1 }, "id"],
    [{ id: "r1", version: "two" }, "version"],
    [{ id: "r1", version: 2, note: { password: "hunter2" } }, "note.password"],
    [{ id: "r1", version: () => 2 }, "version"]
  ])("that edits an entry to %j is an InputError that names the field", async (input, field) => {
    const device = makeDevice()
    const tab = device.open(reads)
    await tab.write("r1")
    await tab.settle(json(409, {}))
    const outcome = await tab.actions.edit(tab.entries()[0]?.id ?? "", input)
    expect(outcome).toMatchObject({ status: "error", error: { _tag: "InputError", field } })
    expect([JSON.stringify(outcome), tab.states()]).toEqual([
      expect.not.stringMatching("hunter2"),
      ["r1 failed"]
    ])
  })

  test("edits an entry that its page has not read yet", async () => {
    const device = makeDevice()
    const first = device.open(reads)
    await first.write("r1")
    await first.settle(json(409, {}))
    const tab = device.open(reads)
    const id = device.kept()[0]?.id ?? ""
    const people = new Promise<void>((resolve) => {
      tab.registry.subscribe(tab.client.session, ({ status }) => status === "signed-in" && resolve(), {
        immediate: true
      })
    })
    device.breakStore(new OutboxError({ outbox: "desk", reason: "Storage" }))
    await people
    await flush()
    expect(tab.entries()).toEqual([])
    device.breakStore()
    expect(await tab.actions.edit(id, { id: "r1", version: 2 })).toEqual({ status: "success" })
  })
})

describe("people", () => {
  test("see and send their own entries alone; those of others stay until they are back", async () => {
    const device = makeDevice()
    const tab = device.open(reads)
    await device.setOnline(false)
    await tab.write("r1")
    await tab.session.signOut()
    await flush()
    expect(tab.registry.get(tab.outbox)).toMatchObject({ entries: [], others: 1 })
    expect(await tab.write("r2")).toMatchObject({ status: "error", error: { _tag: "CredentialsError" } })
    await tab.session.signIn("a2")
    await device.setOnline(true)
    await tab.write("r3")
    expect(tab.sent().map(([id]) => id)).toEqual(["r3"])
    expect(tab.registry.get(tab.outbox)).toMatchObject({ entries: [{ state: "sending" }], others: 1 })
    await tab.settle(ok("r3"))
    await tab.session.signOut()
    await tab.session.signIn("a1")
    await flush()
    expect(tab.states()).toEqual(["r1 sending"])
  })

  test("never have a write sent by the next person, at whatever moment that one signs in", async () => {
    const states = new Set<string>()
    for (let moment = 0; moment < 40; moment += 1) {
      const device = makeDevice()
      await device.setOnline(false)
      const tab = device.open(reads)
      await tab.write("r1")
      const online = device.setOnline(true)
      for (let turn = 0; turn < moment; turn += 1) await undefined
      await tab.session.signIn("a2")
      await online
      const writes = tab.fake.requests().filter(({ method }) => method !== "GET")
      for (const { headers } of writes) expect(headers.authorization).toContain(token())
      states.add(`${device.kept()[0]?.state}, sent ${writes.length} times`)
    }
    // It was before the write, and in the middle of it.
    expect([...states].sort()).toEqual(["queued, sent 0 times", "unknown, sent 1 times"])
  })

  test("who sign out while a write is sent find it with an unknown outcome when they are back", async () => {
    const device = makeDevice()
    const tab = device.open(reads)
    await tab.write("r1")
    await tab.session.signOut()
    await flush()
    expect(device.kept()).toMatchObject([{ state: "unknown" }])
    expect(await tab.actions.retry(device.kept()[0]?.id ?? "")).toEqual({ status: "refused" })
    await tab.session.signIn("a1")
    await flush()
    expect([tab.states(), tab.sent().length]).toEqual([["r1 unknown"], 1])
  })

  test("who sign out before a write was sent find it queued when they are back, and not in doubt", async () => {
    const device = makeDevice()
    const tab = device.open(({ method }) => (method === "GET" ? json(200, request("r1")) : "queues"))
    await tab.write("r1")
    expect(tab.states()).toEqual(["r1 sending"])
    await tab.session.signOut()
    await flush()
    expect(device.kept()).toMatchObject([{ state: "queued", attempts: 0, isInDoubt: false }])
    await tab.session.signIn("a1")
    await flush()
    expect(tab.states()).toEqual(["r1 sending"])
  })

  test("whose session is refused lose nothing: the write waits until they have signed in again", async () => {
    const device = makeDevice()
    const tab = device.open(reads)
    await tab.write("r1")
    await tab.settle(json(401, {}))
    await device.pass(3_600_000)
    expect([tab.states(), tab.sent().length]).toEqual([["r1 queued"], 1])
    await tab.session.signIn("a1")
    await flush()
    expect(tab.states()).toEqual(["r1 sending"])
  })

  test.each([
    ["the network is back", (device: ReturnType<typeof makeDevice>) => device.setOnline(true)],
    ["a minute has passed", (device: ReturnType<typeof makeDevice>) => device.pass(60_000)]
  ])(
    "whom the platform alone knows, and who load the page without it, are asked for again when %s",
    async (_, later) => {
      const device = makeDevice()
      let isReached = true
      const script: Script = ({ method, path }) => {
        if (method !== "GET") return "waits"
        if (!isReached) return failed("Reset")
        return json(200, path.endsWith("auth/self") ? { _id: "u1" } : request("r1"))
      }
      const make = () => {
        const fake = Fake.make(script)
        const outbox = makeOutboxOver(device.ports, { name: "desk" })
        const mutation = makeQueryClient(endUserLayer(fake)).mutation(EndUser.requests.markSeen, { outbox })
        const registry = makeRegistry()
        registry.subscribe(outbox, () => undefined, { immediate: true })
        onTestFinished(() => registry.dispose())
        return { fake, outbox, registry, mutate: mutation.actions(registry).mutate }
      }
      await device.setOnline(false)
      const before = make()
      expect(await before.mutate({ id: "r1", version: 1 })).toMatchObject({ status: "queued" })
      before.registry.dispose()
      isReached = false
      const reloaded = make()
      await flush()
      expect(reloaded.registry.get(reloaded.outbox)).toMatchObject({ entries: [], others: 1 })
      const outcome = await reloaded.mutate({ id: "r2", version: 1 })
      expect(outcome).toMatchObject({ status: "error", error: { _tag: "NetworkError" } })
      isReached = true
      await later(device)
      expect(reloaded.registry.get(reloaded.outbox)).toMatchObject({
        entries: [{ input: { id: "r1" } }],
        others: 0
      })
      await device.setOnline(true)
      expect(reloaded.fake.count("open")).toBe(1)
    }
  )

  test("clear the device of everybody's entries", async () => {
    const device = makeDevice()
    await device.setOnline(false)
    const tab = device.open(reads)
    await tab.write("r1")
    await tab.session.signIn("a2")
    await tab.write("r2")
    expect(await tab.actions.clear()).toEqual({ status: "success" })
    expect([device.kept(), tab.registry.get(tab.outbox).others]).toEqual([[], 0])
  })

  test("never have a write sent to another platform than it was written for", async () => {
    const device = makeDevice()
    await device.setOnline(false)
    const tab = device.open(reads)
    await tab.write("r1")
    device.update((entry) => ({ ...entry, platform: "elsewhere" }))
    await device.setOnline(true)
    expect(tab.entries()).toMatchObject([{ state: "failed", error: { field: "baseUrl" } }])
    expect(tab.sent()).toEqual([])
  })
})

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

describe("what cannot be kept", () => {
  const cyclic: Record<string, unknown> = { id: "r1", version: 1 }
  cyclic.note = cyclic

  test.each([
    ["a value that is no data", { id: "r1", version: () => 1 }, "version"],
    ["a stream", { id: "r1", version: new ReadableStream() }, "version"],
    ["an input that breaks a rule", { id: "", version: 1 }, "id"],
    ["what holds itself", cyclic, "input"],
    ["a secret", { id: "r1", version: 1, note: { newPassword: "hunter2" } }, "note.newPassword"]
  ])("%s is an InputError that names the field, without its value", async (_, input, field) => {
    const device = makeDevice()
    const tab = device.open(reads)
    const outcome = await tab.mutation?.actions(tab.registry).mutate(input as never)
    expect(outcome).toMatchObject({ status: "error", error: { _tag: "InputError", field } })
    expect(JSON.stringify(outcome)).not.toContain("hunter2")
    expect([device.kept(), tab.sent()]).toEqual([[], []])
  })

  test.each(["Quota", "Forbidden", "Newer", "Storage"] as const)(
    "because the store fails (%s) is a typed error, and nothing is sent or shown",
    async (reason) => {
      const device = makeDevice()
      const tab = device.open(reads, {})
      await flush()
      device.breakStore(new OutboxError({ outbox: "desk", reason }))
      expect(await tab.write("r1")).toMatchObject({ status: "error", error: { _tag: "OutboxError", reason } })
      device.breakStore()
      expect([device.kept(), tab.sent()]).toEqual([[], []])
      await tab.write("r2")
      expect(tab.registry.get(tab.outbox)).toMatchObject({ status: "ready", entries: [{ state: "sending" }] })
    }
  )

  test("an error of the outbox says what it is", () => {
    expect(String(new OutboxError({ outbox: "desk", reason: "Quota" }))).toBe(
      'OutboxError: the outbox "desk": there is no room left on this device'
    )
  })

  test("a store that cannot be read is shown", async () => {
    const device = makeDevice()
    device.breakStore(new OutboxError({ outbox: "desk", reason: "Forbidden" }))
    const tab = device.open(reads)
    await flush()
    expect(tab.registry.get(tab.outbox)).toMatchObject({ status: "error", error: { reason: "Forbidden" } })
    device.breakStore()
    await device.pass(60_000)
    expect(tab.registry.get(tab.outbox)).toMatchObject({ status: "ready", error: undefined })
  })
})

describe("a file", () => {
  type Content = { readonly content: Blob; readonly name: string }

  const open = (device: ReturnType<typeof makeDevice>) => {
    const fake = Fake.make(() => "waits")
    const outbox = makeOutboxOver(device.ports, { name: "desk" })
    const visitor = makeQueryClient(visitorLayer(fake))
    const upload = visitor.mutation(Public.files.upload, { outbox, scope: ({ form }) => String(form) })
    const registry = makeRegistry()
    registry.subscribe(outbox, () => undefined, { immediate: true })
    onTestFinished(() => registry.dispose())
    return {
      outbox,
      registry,
      fake,
      upload: (file: Content, form = "a") => upload.actions(registry).mutate({ form, file }),
      actions: outbox.actions(registry)
    }
  }
  const file = (text: string): Content => ({
    content: new Blob([text], { type: "text/plain" }),
    name: "a.txt"
  })
  const names = (device: ReturnType<typeof makeDevice>) =>
    device.kept().map(({ input }) => String(Object(input).file.name))
  /** Has Blobs read as this says. */
  const reading = (read: (blob: Blob) => Promise<ArrayBuffer>) => {
    const real = Blob.prototype.arrayBuffer
    const spy = vi.spyOn(Blob.prototype, "arrayBuffer").mockImplementation(function (this: Blob) {
      return read(this)
    })
    onTestFinished(() => spy.mockRestore())
    return real
  }
  /** Has some Blobs read only when the gate that it answers is opened. */
  const holding = (isHeld: (blob: Blob) => boolean) => {
    let open = (): void => undefined
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    const read = reading(async (blob) => {
      if (isHeld(blob)) await opened
      return read.call(blob)
    })
    return { open: () => open() }
  }

  test.each<[how: string, read: () => Promise<ArrayBuffer>]>([
    [
      "cannot be read",
      () => Promise.reject(new DOMException("A requested file could not be found", "NotFoundError"))
    ],
    ["gives fewer bytes than it has", () => Promise.resolve(new ArrayBuffer(0))]
  ])("that %s is an InputError that names the field; nothing is kept or sent", async (_, read) => {
    const device = makeDevice()
    const tab = open(device)
    reading(read)
    expect(await tab.upload(file("bytes"))).toMatchObject({
      status: "error",
      error: {
        _tag: "InputError",
        operation: "files.upload",
        field: "file.content",
        rule: expect.stringContaining("choose it again")
      }
    })
    expect([device.kept(), tab.fake.exchanges.length]).toEqual([[], 0])
  })

  test("is read only where all else is as it has to be", async () => {
    const device = makeDevice()
    const tab = open(device)
    const read = vi.fn(() => Promise.reject(new Error("unread")))
    reading(read)
    const outcome = await tab.upload({ ...file("bytes"), name: "folder/a.txt" })
    expect(outcome).toMatchObject({ status: "error", error: { _tag: "InputError", field: "file.name" } })
    expect(read).not.toHaveBeenCalled()
  })

  test("that the device has no room for is not read: an OutboxError", async () => {
    const device = makeDevice()
    const tab = open(device)
    const read = vi.fn(() => Promise.reject(new Error("unread")))
    reading(read)
    device.setRoom(4)
    expect(await tab.upload(file("bytes"))).toMatchObject({
      status: "error",
      error: { _tag: "OutboxError", reason: "Quota" }
    })
    expect([device.kept(), read.mock.calls]).toEqual([[], []])
  })

  test("that takes long to be read keeps its place in its scope, and holds up no other", async () => {
    const device = makeDevice()
    await device.setOnline(false)
    const tab = open(device)
    const gate = holding((blob) => blob.size > 3)
    const writes = [
      tab.upload({ ...file("large"), name: "large" }),
      tab.upload({ ...file("b"), name: "behind" }),
      tab.upload({ ...file("o"), name: "other" }, "b")
    ]
    await flush()
    expect(names(device)).toEqual(["other"])
    gate.open()
    expect(await Promise.all(writes)).toMatchObject(writes.map(() => ({ status: "queued" })))
    expect(names(device)).toEqual(["other", "large", "behind"])
  })

  test("that is still read is dropped with the others when the device is cleared", async () => {
    const device = makeDevice()
    await device.setOnline(false)
    const tab = open(device)
    const gate = holding(() => true)
    const written = tab.upload(file("bytes"))
    await flush()
    const cleared = tab.actions.clear()
    gate.open()
    expect([await cleared, (await written).status]).toEqual([{ status: "success" }, "queued"])
    expect(device.kept()).toEqual([])
  })

  test("that an entry is edited to is read too", async () => {
    const device = makeDevice()
    await device.setOnline(false)
    const tab = open(device)
    await tab.upload(file("first"))
    const id = device.kept()[0]?.id ?? ""
    reading(() => Promise.reject(new DOMException("gone", "NotFoundError")))
    expect(
      await tab.actions.edit(id, { form: "a", file: { ...file("other"), name: "b.txt" } })
    ).toMatchObject({
      status: "error",
      error: { _tag: "InputError", field: "file.content" }
    })
    expect(names(device)).toEqual(["a.txt"])
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
