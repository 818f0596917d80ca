/** What a person does with writes that are kept, and whose they are. */

import * as EndUser from "@quartet/sdk/end-user"
import * as Fake from "@quartet/support/fake-transport.js"
import { failed, json, type Script } from "@quartet/support/fake-transport.js"
import { endUserLayer, request, token } from "@quartet/support/react.js"
import { describe, expect, onTestFinished, test } from "vitest"
import { OutboxError } from "../../outbox/index.js"
import { makeOutboxOver } from "../../outbox/make.js"
import { makeQueryClient, makeRegistry } from "../../rx/index.js"
import { flush, makeDevice, ok, reads } from "./harness.js"

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
