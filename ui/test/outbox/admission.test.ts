/** What an outbox takes, and what it refuses before it keeps anything: options, values that cannot be kept, and files. */

import { InputError } from "@quartet/sdk/extend"
import * as Public from "@quartet/sdk/public"
import * as Fake from "@quartet/support/fake-transport.js"
import { visitorLayer } from "@quartet/support/react.js"
import { thrown } from "@quartet/support/thrown.js"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { makeOutbox, OutboxError } from "../../outbox/index.js"
import { makeOutboxOver } from "../../outbox/make.js"
import { makeQueryClient, makeRegistry } from "../../rx/index.js"
import { flush, makeDevice, reads } from "./harness.js"

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
