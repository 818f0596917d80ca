// A file on its way up: how far it is, how it ends, and how it is stopped.

import * as EndUser from "@quartet/sdk/end-user"
import * as Fake from "@quartet/support/fake-transport.js"
import { endUserLayer, flush, makeScreen } from "@quartet/support/react.js"
import { expect, test } from "vitest"
import { makeQueryClient } from "../../rx/index.js"

const file = { file: { content: new Blob(["abc"]), name: "a.txt" } }
const stored = Fake.json(200, { _id: "f1" })

const setup = (script: Fake.Script = ["waits"]) => {
  const fake = Fake.make(script)
  const client = makeQueryClient(endUserLayer(fake))
  const upload = client.upload(EndUser.files.upload)
  const screen = makeScreen()
  const { cancel, start } = upload.actions(screen.registry)
  const begin = async () => {
    const outcome = start(file)
    await flush()
    return { outcome }
  }
  const settle = () => {
    fake.exchanges.at(-1)?.settle(stored)
    return flush()
  }
  const send = (sent: number, total: number) => fake.at(0).request.onUpload?.(sent, total)
  return { ...screen, client, fake, upload, cancel, begin, settle, sent: send, ...screen.watch(upload) }
}

test("shows how far it is, and then what the platform answered; progress that comes late changes nothing", async () => {
  const { begin, last, seen, sent, settle } = setup()
  const { outcome } = await begin()
  expect(last()).toEqual({ status: "uploading", sent: 0, total: undefined, progress: undefined })
  sent(50, 200)
  expect(last()).toEqual({ status: "uploading", sent: 50, total: 200, progress: 0.25 })
  sent(200, 200)
  await settle()
  expect([last(), await outcome]).toEqual(Array(2).fill({ status: "success", data: { _id: "f1" } }))
  sent(1, 2)
  const shown = seen.map(({ status }) => status)
  expect(shown).toEqual(["idle", "uploading", "uploading", "uploading", "success"])
})

test("tells each percent once, however often the transport tells", async () => {
  const { begin, seen, sent } = setup()
  await begin()
  const before = seen.length
  for (let bytes = 0; bytes <= 100_000; bytes += 100) sent(bytes, 100_000)
  expect(seen.length - before).toBe(101)
})

test("of a stream, whose size is not known, shows what was sent and no progress", async () => {
  const { begin, last, sent } = setup()
  await begin()
  sent(100_000, 0)
  expect(last()).toEqual({ status: "uploading", sent: 100_000, total: undefined, progress: undefined })
  sent(200_000, 0)
  expect(last()).toMatchObject({ sent: 200_000 })
})

test("that fails says why", async () => {
  const { begin, last } = setup([Fake.json(400, {})])
  const { outcome } = await begin()
  for (const end of [await outcome, last()])
    expect(end).toMatchObject({ status: "error", error: { _tag: "Rejected" } })
})

test("that is cancelled abandons the exchange and is idle again", async () => {
  const { begin, cancel, fake, last } = setup()
  const first = await begin()
  cancel()
  expect(await first.outcome).toEqual({ status: "cancelled" })
  await flush()
  expect([last(), fake.count("abandoned")]).toEqual([{ status: "idle" }, 1])
})

const mayBeDone = { status: "error", error: { _tag: "OutcomeUnknown", reason: "Interrupted" } }

test("that nobody looks at any more is given up, and says to whoever looks again that it may have been done", async () => {
  const { begin, fake, leave, observe, upload } = setup()
  const { outcome } = await begin()
  await leave()
  expect([fake.count("abandoned"), await outcome]).toMatchObject([1, mayBeDone])
  expect((await observe(upload)).last()).toMatchObject(mayBeDone)
})

test("that nobody looks at any more before it was sent is idle", async () => {
  const { begin, leave, observe, upload } = setup(["queues"])
  const { outcome } = await begin()
  await leave()
  expect(await outcome).toEqual({ status: "cancelled" })
  expect((await observe(upload)).last()).toEqual({ status: "idle" })
})

test("that was under way at a sign-out may have been done, and is not shown to the next person", async () => {
  const { begin, last, registry, client } = setup()
  const { outcome } = await begin()
  await client.session.actions(registry).signOut()
  expect([await outcome, last()]).toMatchObject([mayBeDone, { status: "idle" }])
})

test("takes the place of one under way, and takes its input as a message", async () => {
  const { begin, last, send, settle, upload } = setup()
  const first = await begin()
  await send(upload, file)
  expect(await first.outcome).toEqual({ status: "cancelled" })
  await settle()
  expect(last().status).toBe("success")
})
