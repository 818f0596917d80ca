/** Files over real HTTP: what is uploaded comes back byte for byte, to those who may have it. */
import { expect } from "@effect/vitest"
import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user"
import * as Private from "@quartet/sdk/private"
import * as Public from "@quartet/sdk/public"
import { answers, asBeka, refused, rejected, story } from "@quartet/support/clients.js"
import { Effect, Stream } from "effect"

const file = (name: string, bytes: Uint8Array<ArrayBuffer>, type = "application/pdf") => ({
  name,
  content: new Blob([bytes], { type })
})

const bytesOf = <E, R>(stream: Stream.Stream<Uint8Array, E, R>) =>
  Effect.map(Stream.runCollect(stream), (chunks) => Buffer.concat([...chunks]))

const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7 + (index >> 8)) % 256)

// Spec 3.21, admin.files.delete, endUser.files.upload
story("an upload is kept byte for byte, listed, downloaded, deleted and gone", function* () {
  const stored = yield* EndUser.files.upload({ file: file("plan é.pdf", bytes) })
  expect(stored).toMatchObject({ name: "plan é.pdf", size: 300_000, type: "application/pdf" })
  const id = stored._id
  expect(Buffer.compare(yield* bytesOf(EndUser.files.download({ id })), bytes)).toBe(0)
  expect(Buffer.compare(yield* bytesOf(Admin.files.download({ id })), bytes)).toBe(0)
  expect((yield* Admin.files.list({ limit: 1 })).items[0]?._id).toBe(id)
  expect(yield* Admin.files.get({ id })).toEqual(stored)
  yield* Admin.files.delete({ id })
  yield* refused(Admin.files.get({ id }), "NotFound")
  yield* refused(bytesOf(EndUser.files.download({ id })), "NotFound")
})

// Spec private.files.upload
story("a private file is its owner's and the admins' alone", function* ({ url }) {
  const { _id: userId } = yield* EndUser.auth.self()
  const upload = file("contract.txt", new TextEncoder().encode("signed"), "text/plain")
  const { _id: id } = yield* Private.files.upload({ file: upload, isPrivate: true, userId })
  expect((yield* bytesOf(EndUser.files.download({ id }))).toString()).toBe("signed")
  expect((yield* bytesOf(Admin.files.download({ id }))).toString()).toBe("signed")
  yield* refused(bytesOf(EndUser.files.download({ id })), "NotFound").pipe(asBeka(url))
  const open = yield* Private.files.upload({ file: upload })
  expect((yield* bytesOf(EndUser.files.download({ id: open._id })).pipe(asBeka(url))).length).toBe(6)
  yield* rejected(Private.files.upload({ file: upload, userId: "nobody" }), "userId")
})

// Spec public.files.upload, public.images.upload
story("a visitor's upload keeps the form that it belongs to, and an image must be one", function* () {
  const form = { subject: "Complaint", floor: 5 }
  const stored = yield* Public.files.upload({ form, file: file("photo.jpg", bytes, "image/jpeg") })
  yield* answers(Admin.files.get({ id: stored._id }), { form, userId: null })
  const image = yield* Public.images.upload({ file: file("photo.png", bytes, "image/png") })
  expect(image).toMatchObject({ name: "photo.png", url: expect.stringContaining("/download") })
  yield* rejected(Public.images.upload({ file: file("a.txt", bytes, "text/plain") }), "file")
})

story("an empty file and the seeded ones download too", function* () {
  const empty = yield* EndUser.files.upload({ file: file("empty", new Uint8Array(), "") })
  expect(empty).toMatchObject({ size: 0, type: "application/octet-stream" })
  expect((yield* bytesOf(EndUser.files.download({ id: empty._id }))).length).toBe(0)
  const { items } = yield* Admin.files.list({ query: { name: "house-rules.txt" } })
  const text = yield* bytesOf(Admin.files.download({ id: items[0]?._id ?? "" }))
  expect(text.toString()).toContain("Bicycles")
})

story("the seeded pictures, document and large table are there to the byte", function* () {
  const { items } = yield* Admin.items.search({ limit: 500 })
  const shown = new Set(items.flatMap(({ pictures }) => (Array.isArray(pictures) ? pictures : [])))
  expect(shown.size).toBe(10)
  const { items: files } = yield* Admin.files.list({ limit: 500 })
  for (const { _id: id, size, type } of files) {
    if (shown.has(id)) expect(type).toBe("image/svg+xml")
    expect((yield* bytesOf(Admin.files.download({ id }))).length).toBe(size)
  }
  const most = (type: string) =>
    Math.max(...files.filter((file) => file.type === type).map(({ size }) => size ?? 0))
  expect(most("application/pdf")).toBeLessThan(1_000)
  expect(most("text/csv")).toBeGreaterThan(1_000_000)
})
