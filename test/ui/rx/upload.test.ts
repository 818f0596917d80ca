// A file on its way up: how far it is, how it ends, and how it is stopped.
import { Registry } from "@effect-rx/rx-react"
import * as Layer from "effect/Layer"
import { describe, expect, test } from "vitest"
import * as EndUser from "../../../clients/end-user/index.js"
import { makeQueryClient } from "../../../ui/rx/index.js"
import * as Fake from "../../support/fake-transport.js"
import { send, turn, watch } from "./scripted.js"

const file = { file: { content: new Blob(["abc"]), name: "a.txt" } }
const stored = Fake.json(200, { _id: "f1" })

const setup = (script: Fake.Script = ["waits"]) => {
  const fake = Fake.make(script)
  const config = { baseUrl: "https://api.example.com", apiKey: "k", sessionId: "s" }
  const client = makeQueryClient(Layer.provide(EndUser.layer(config), fake.layer))
  const registry = Registry.make()
  const upload = client.upload(EndUser.files.upload)
  const place = upload.actions(registry)
  return { fake, client, registry, upload, place, ...watch(registry, upload) }
}

describe("an upload", () => {
  test("shows how far it is, and then what the platform answered", async () => {
    const { fake, last, place, seen } = setup()
    const outcome = place.start(file)
    await turn()
    expect(last()).toEqual({ status: "uploading", sent: 0, total: undefined, progress: undefined })
    fake.at(0).request.onUpload?.(50, 200)
    expect(last()).toEqual({ status: "uploading", sent: 50, total: 200, progress: 0.25 })
    fake.at(0).request.onUpload?.(200, 200)
    fake.at(0).settle(stored)
    await turn()
    expect(last()).toEqual({ status: "success", data: { _id: "f1" } })
    expect(await outcome).toEqual({ status: "success", data: { _id: "f1" } })
    expect(seen.map(({ status }) => status)).toEqual([
      "idle",
      "uploading",
      "uploading",
      "uploading",
      "success"
    ])
  })

  test("tells each percent once, however often the transport tells", async () => {
    const { fake, place, seen } = setup()
    void place.start(file)
    await turn()
    const before = seen.length
    for (let sent = 0; sent <= 100_000; sent += 100) fake.at(0).request.onUpload?.(sent, 100_000)
    expect(seen.length - before).toBe(101)
  })

  test("of a stream, whose size is not known, shows what was sent and no progress", async () => {
    const { fake, last, place } = setup()
    void place.start(file)
    await turn()
    fake.at(0).request.onUpload?.(100_000, 0)
    expect(last()).toEqual({ status: "uploading", sent: 100_000, total: undefined, progress: undefined })
    fake.at(0).request.onUpload?.(200_000, 0)
    expect(last()).toMatchObject({ sent: 200_000 })
  })

  test("that fails says why", async () => {
    const { last, place } = setup([Fake.json(400, {})])
    const outcome = await place.start(file)
    expect(outcome).toMatchObject({ status: "error", error: { _tag: "Rejected" } })
    expect(last()).toMatchObject({ status: "error", error: { _tag: "Rejected" } })
  })

  test("that is cancelled abandons the exchange and is idle again", async () => {
    const { fake, last, place } = setup()
    const outcome = place.start(file)
    await turn()
    place.cancel()
    expect(await outcome).toEqual({ status: "cancelled" })
    await turn()
    expect(last()).toEqual({ status: "idle" })
    expect(fake.count("abandoned")).toBe(1)
  })

  test("is given up when nobody looks any more", async () => {
    const { fake, leave, place } = setup()
    void place.start(file)
    await turn()
    await leave()
    expect(fake.count("abandoned")).toBe(1)
  })

  test("takes the place of one under way", async () => {
    const { fake, last, place } = setup()
    const first = place.start(file)
    await turn()
    const second = place.start(file)
    await turn()
    expect(await first).toEqual({ status: "cancelled" })
    fake.at(1).settle(stored)
    expect(await second).toMatchObject({ status: "success" })
    expect(last().status).toBe("success")
  })

  test("progress that comes late changes nothing", async () => {
    const { fake, last, place } = setup()
    void place.start(file)
    await turn()
    fake.at(0).settle(stored)
    await turn()
    fake.at(0).request.onUpload?.(1, 2)
    expect(last().status).toBe("success")
  })

  test("as a value, takes its input as a message", async () => {
    const { fake, registry, upload } = setup()
    const { last } = watch(registry, upload)
    await send(registry, upload, file)
    fake.at(0).settle(stored)
    await turn()
    expect(last().status).toBe("success")
  })
})
