/** What goes around the types of a call, through all that keeps, compares and shows inputs: an outbox, keys, a tap, a stub. */

import * as Tap from "@quartet/sdk/adapters/tap"
import * as Admin from "@quartet/sdk/admin"
import * as Requests from "@quartet/sdk/admin/requests"
import { Raw } from "@quartet/sdk/extend"
import { createAdmin } from "@quartet/sdk/promise/admin"
import * as Fake from "@quartet/support/fake-transport.js"
import { base, token } from "@quartet/support/react.js"
import { hashKey } from "@tanstack/react-query"
import { describe, expect, test } from "vitest"
import { canonical } from "../../rx/structure.js"
import { makeQueryOptions } from "../../tanstack-query/index.js"
import { flush, makeDevice, ok, reads } from "./harness.js"

const texts = (fake: Fake.Fake): ReadonlyArray<unknown> =>
  fake.requests().flatMap(({ body }) => (body?._tag === "Json" ? [body.text] : []))

describe("a raw body in an outbox", () => {
  const openTab = (device: ReturnType<typeof makeDevice>) => {
    const tab = device.open(reads, { isOld: true })
    const update = tab.client.mutation(Admin.requests.update, { outbox: tab.outbox })
    return { ...tab, update: update.actions(tab.registry) }
  }

  test("is kept as data, and sent as it was after a reload", async () => {
    const device = makeDevice()
    await device.setOnline(false)
    const tab = openTab(device)
    await tab.update.mutate({ id: "r1", payload: Raw.raw({ stauts: "confirmed", more: [1, null] }) })
    expect(device.kept()).toHaveLength(1)
    device.update((entry) => ({ ...entry, input: JSON.parse(JSON.stringify(entry.input)) }))
    const reloaded = openTab(device)
    reloaded.registry.subscribe(reloaded.request("r1"), () => undefined, { immediate: true })
    await flush()
    await tab.kill()
    await device.setOnline(true)
    await flush()
    expect([texts(tab.fake), texts(reloaded.fake)]).toEqual([[], ['{"stauts":"confirmed","more":[1,null]}']])
    await reloaded.settle(ok())
    expect(device.kept()).toEqual([])
  })

  test("is kept as data from which a copy can be made, and is shown raw", async () => {
    const device = makeDevice()
    await device.setOnline(false)
    const tab = openTab(device)
    const payload = Raw.raw({ stauts: "confirmed" })
    await tab.update.mutate({ id: "r1", payload })
    expect(device.kept().map(({ input }) => input)).toEqual([
      { id: "r1", payload: { [Raw.mark]: { stauts: "confirmed" } } }
    ])
    await flush()
    const [entry] = tab.registry.get(tab.outbox).entries
    expect(Object(entry?.input).payload).toEqual(payload)
  })

  test("is not kept without what an object of a class computes, which a copy would lose", async () => {
    class Computed {
      status = "confirmed"
      toJSON() {
        return { status: "pending" }
      }
    }
    const tab = openTab(makeDevice())
    for (const payload of [new Computed(), Raw.raw(new Computed())])
      expect(await tab.update.mutate({ id: "r1", payload })).toMatchObject({
        status: "error",
        error: { _tag: "InputError", field: "input", rule: expect.stringContaining("must be plain objects") }
      })
    expect(tab.entries()).toEqual([])
  })

  test("is not what only looks like one: nothing of it is kept", async () => {
    const device = makeDevice()
    const tab = openTab(device)
    for (const input of [
      { id: "r1", payload: Raw.written(Raw.raw({ stauts: "confirmed" })) },
      { id: "r1", payload: { deep: [{ [Raw.mark]: 1 }] } }
    ]) {
      const outcome = await tab.update.mutate(input as never)
      expect(outcome).toMatchObject({
        status: "error",
        error: {
          _tag: "InputError",
          field: expect.stringMatching(/^payload/),
          rule: expect.stringContaining("JSON of Input.raw")
        }
      })
    }
    expect([device.kept(), texts(tab.fake)]).toEqual([[], []])
  })

  test.each([
    ["what it must not keep", Raw.raw({ deep: { newPassword: "hunter2" } }), "payload.deep.newPassword"],
    ["what is no data", Raw.raw({ deep: () => 1 }), "payload.deep"],
    ["nothing", Raw.raw(undefined), "payload"],
    ["another raw", Raw.raw({ deep: Raw.raw(1) }), "payload.deep"]
  ])("is refused with %s, under the name of the field that is sent", async (_, payload, field) => {
    const device = makeDevice()
    const tab = openTab(device)
    const outcome = await tab.update.mutate({ id: "r1", payload })
    expect(outcome).toMatchObject({ status: "error", error: { _tag: "InputError", field } })
    expect(JSON.stringify(outcome)).not.toContain("hunter2")
    expect([device.kept(), texts(tab.fake)]).toEqual([[], []])
  })
})

const admin = (transport: Fake.Fake["service"]) =>
  createAdmin({ ...base, sessionId: "s1", accessToken: token(), transport })

describe("a key", () => {
  const words = [["pending"], [Raw.raw("pending")], [Raw.raw("on_hold")], [Raw.raw("held")], []]

  test("of an input with something raw is its own, and that of an equal input", () => {
    const quartet = makeQueryOptions(admin(Fake.make(() => "waits").service))
    const keyOf = (input: unknown): string => hashKey(quartet.queryKey(Requests.list, input as object))
    for (const textOf of [keyOf, (input: unknown) => canonical(input).text]) {
      const keys = words.map((statusIn) => textOf({ statusIn }))
      expect(new Set(keys).size).toBe(words.length)
      const equal = (input: unknown): unknown => Raw.revived(JSON.parse(JSON.stringify(input)))
      expect(words.map((statusIn) => textOf(equal({ statusIn })))).toEqual(keys)
    }
    expect(canonical({ statusIn: [Raw.raw("on_hold")] }).isPortable).toBe(true)
  })
})

test("a tap shows what was sent of a raw body, with its secrets masked", async () => {
  const exchanges: Array<Tap.Exchange> = []
  const fake = Fake.make(() => ok())
  const call = admin(Tap.make(fake.service, (exchange) => exchanges.push(exchange)))
  await call(Requests.update, { id: "r1", payload: Raw.raw({ note: "late", password: "hunter2-hunter2" }) })
  expect(texts(fake)).toEqual(['{"note":"late","password":"hunter2-hunter2"}'])
  const shown = JSON.stringify(exchanges)
  expect(shown).toContain("late")
  expect(shown).not.toContain("hunter2")
  expect(shown).not.toContain("@quartet/raw")
})
