/** Content over real HTTP, as admins keep it: models and their fields, and entries. */

import { expect } from "@effect/vitest"
import { Input } from "@quartet/sdk"
import * as Admin from "@quartet/sdk/admin"
import * as Public from "@quartet/sdk/public"
import { answers, refused, rejected, story } from "@quartet/support/clients.js"

// Spec 3.21, admin.models.update
story("a model is created, gets fields, changes, and takes its entries with it when it goes", function* () {
  const model = yield* Admin.models.create({
    payload: { apiId: "jobs", name: "Jobs", fields: [{ apiId: "title", type: "TEXT" }] }
  })
  const { _id: id } = model
  expect(model.fields?.map((field) => field.apiId)).toEqual(["title"])
  const wider = yield* Admin.models.addField({ id, payload: { apiId: "salary", type: "NUMERIC" } })
  const fieldId = wider.fields?.[1]?._id ?? ""
  const renamed = yield* Admin.models.updateField({ id, fieldId, payload: { name: "Pay" } })
  expect(renamed.fields?.[1]).toMatchObject({ _id: fieldId, apiId: "salary", name: "Pay" })
  yield* Admin.models.update({ id, payload: { name: "Open jobs" } })
  yield* answers(Admin.contentModels.get({ id }), { name: "Open jobs" })
  expect((yield* Admin.models.list({ query: { apiId: "jobs" } })).items.length).toBe(1)

  const entry = yield* Admin.content.create({ id, payload: { title: "Architect", salary: 5_000 } })
  expect((yield* Public.cms.list({ apiId: "jobs" })).items[0]).toMatchObject({ title: "Architect" })
  yield* Admin.models.deleteField({ id, fieldId })
  expect((yield* Admin.models.get({ id })).fields?.length).toBe(1)
  yield* refused(Admin.models.deleteField({ id, fieldId }), "NotFound")

  yield* Admin.models.delete({ id })
  yield* refused(Admin.models.get({ id }), "NotFound")
  yield* refused(Admin.content.get({ id: entry._id }), "NotFound")
  yield* refused(Public.cms.list({ apiId: "jobs" }), "NotFound")
})

story("models have names of their own, and fields known types", function* () {
  yield* refused(Admin.models.create({ payload: { apiId: "news" } }), "Conflict")
  const { items } = yield* Admin.models.list({ query: { apiId: "faq" } })
  const id = items[0]?._id ?? ""
  yield* refused(Admin.models.addField({ id, payload: { apiId: "answer" } }), "Conflict")
  yield* rejected(Admin.models.addField({ id, payload: { apiId: "x", type: "COLOUR" } }), "type")
})

// Spec 3.21, admin.contentModels.create
story("the legacy service knows the same models under its own addresses", function* () {
  const created = yield* Admin.contentModels.create({ payload: { apiId: "tips", name: "Tips" } })
  const listed = yield* Admin.contentModels.list()
  expect(listed.paging).toEqual({})
  expect(listed.items.map((model) => model.apiId)).toEqual(["news", "faq", "buildings", "banners", "tips"])
  const changed = yield* Admin.contentModels.update({ id: created._id, payload: { name: "Good tips" } })
  expect(changed).toMatchObject({ name: "Good tips" })
  yield* answers(Admin.models.get({ id: created._id }), { name: "Good tips" })
  yield* Admin.contentModels.delete({ id: created._id })
  yield* refused(Admin.contentModels.get({ id: created._id }), "NotFound")
})

// Spec 3.21, admin.content.delete, public.cms.get, public.content.get
story("an entry lives through create, list, update, delete and 404, in its model's types", function* () {
  const { items } = yield* Admin.contentModels.list()
  const id = items.find((model) => model.apiId === "news")?._id ?? ""
  const payload = {
    title: "A title",
    views: 7,
    featured: true,
    publishedAt: new Date("2025-08-01T10:00:00Z"),
    translations: { ka: { title: "სათაური" } }
  }
  const entry = yield* Admin.content.create({ id, payload })
  expect(entry).toMatchObject({ apiId: "news", title: "A title", publishedAt: payload.publishedAt })

  const page = yield* Admin.content.paginated({ limit: 9, page: 8, query: { apiId: "news" } })
  expect(page.paging).toEqual({ page: 8, limit: 9, total: 64, pages: 8 })
  expect(page.items.map((row) => row._id)).toEqual([entry._id])

  const inGeorgian = yield* Public.content.get({ id: entry._id, lang: "ka" })
  expect(inGeorgian).toMatchObject({ title: "სათაური", views: 7, lang: "ka" })
  yield* answers(Public.cms.get({ apiId: "news", id: entry._id }), { title: "A title" })

  yield* Admin.content.update({ id: entry._id, payload: { views: 8 } })
  yield* answers(Admin.content.get({ id: entry._id }), { title: "A title", views: 8 })

  yield* rejected(Admin.content.update({ id: entry._id, payload: { views: "many" } }), "views")
  yield* rejected(Admin.content.create({ id, payload: { colour: "red" } }), "colour")

  yield* Admin.content.delete({ id: entry._id })
  yield* refused(Public.content.get({ id: entry._id }), "NotFound")
  yield* refused(Public.cms.get({ apiId: "faq", id: page.items[0]?._id ?? "" }), "NotFound")
})

story(
  "a change of translations replaces all of them, so one language is changed beside the others",
  function* () {
    const { items } = yield* Admin.content.paginated({ limit: 1, query: { apiId: "news" } })
    const id = items[0]?._id ?? ""
    const before = { en: { title: "A title" }, ka: { title: "სათაური", summary: "მოკლედ" } }
    const entry = yield* Admin.content.update({ id, payload: { translations: before } })
    const ka = { ...entry.translations?.ka, title: "ახალი" }
    const changed = yield* Admin.content.update({
      id,
      payload: { translations: { ...entry.translations, ka } }
    })
    expect(changed.translations).toEqual({ en: before.en, ka: { title: "ახალი", summary: "მოკლედ" } })
    const left = yield* Admin.content.update({ id, payload: { translations: { ka: { title: "ახალი" } } } })
    expect(left.translations).toEqual({ ka: { title: "ახალი" } })
    const translated = yield* Admin.content.translate({ key: id, text: "Another title" })
    expect(translated?.translations).toMatchObject({ en: "Another title" })
    yield* answers(Admin.content.get({ id }), { translations: { ka: { title: "ახალი" } } })
  }
)

// Spec admin.content.paginated
story("the order in which entries are put is kept", function* () {
  const ids = (yield* Admin.content.paginated({ query: { apiId: "faq" } })).items.map((entry) => entry._id)
  const reversed = [...ids].reverse()
  expect(yield* Admin.content.reorder({ payload: { ids: reversed } })).toEqual({ reordered: 6 })
  const after = yield* Public.cms.list({ apiId: "faq" })
  expect(after.items.map((entry) => entry._id)).toEqual(reversed)
  yield* refused(Admin.content.reorder({ payload: { ids: ["nothing"] } }), "NotFound")
  yield* rejected(Admin.content.reorder({ payload: Input.raw({}) }), "ids")
})

story.each([
  ["a text for a number", { views: "many" }, "views"],
  ["a number for a text", { title: 7 }, "title"],
  ["a text for a switch", { featured: "yes" }, "featured"],
  ["a text for a date", { publishedAt: "soon" }, "publishedAt"],
  ["a language that the project lacks", { translations: { xx: { title: "?" } } }, "translations.xx"],
  ["a wrong translation", { translations: { ka: { title: 7 } } }, "translations.ka.title"],
  ["translations that are none", { translations: [] }, "translations"]
] as const)("an entry with %s is refused, naming the field", function* ([, payload, field]) {
  const { items } = yield* Admin.content.paginated({ limit: 1, query: { apiId: "news" } })
  yield* rejected(Admin.content.update({ id: items[0]?._id ?? "", payload }), field)
})

// Spec admin.content.translate, public.cms.structure
story("a draft is the admins' until it is published, and a state that is none is refused", function* () {
  const drafts = yield* Admin.content.paginated({ query: { apiId: "news", status: "draft" } })
  const id = drafts.items[0]?._id ?? ""
  expect(drafts.items).toHaveLength(3)
  const before = yield* Public.cms.list({ apiId: "news", limit: 500 })
  expect(before.items.map((entry) => entry._id)).not.toContain(id)
  yield* refused(Public.content.get({ id }), "NotFound")
  yield* refused(Public.cms.get({ apiId: "news", id }), "NotFound")

  yield* rejected(Admin.content.update({ id, payload: { status: "secret" } }), "status")
  yield* answers(Admin.content.update({ id, payload: { status: "published" } }), { status: "published" })
  const after = yield* Public.cms.list({ apiId: "news", limit: 500 })
  expect(after.items.map((entry) => entry._id)).toContain(id)
})

story("a status that is a field of the model hides nothing", function* () {
  const fields = [{ apiId: "status", type: "TEXT" }]
  const { _id: modelId } = yield* Admin.models.create({ payload: { apiId: "letters", fields } })
  const { _id: id } = yield* Admin.content.create({ id: modelId, payload: { status: "draft" } })
  yield* answers(Public.content.get({ id }), { status: "draft" })
})

story("texts of the seeded news are translated both ways, paragraph by paragraph", function* () {
  const { items } = yield* Admin.content.paginated({ limit: 1, query: { apiId: "news" } })
  const [entry] = items
  const [body, ka] = [String(entry?.body), String(entry?.translations?.ka?.body)]
  expect(body.split("\n\n").length).toBeGreaterThan(1)
  const translated = yield* Admin.content.translate({ key: "body", text: body })
  expect(translated?.translations).toEqual({ en: body, ka })
  const back = yield* Admin.content.translate({ key: "body", text: ka })
  expect(back?.translations).toEqual({ en: body, ka })
  const title = yield* Admin.content.translate({ key: "title", text: "New playground in Vake" })
  expect(title?.translations?.ka).toBe("ვაკე: ახალი სათამაშო მოედანი")
})

story("the structure names all models with their fields, and a translation is kept by its key", function* () {
  const structure = yield* Public.cms.structure()
  expect(structure).toMatchObject({
    languages: ["en", "ka"],
    models: [{ apiId: "news" }, { apiId: "faq" }, { apiId: "buildings" }, { apiId: "banners" }]
  })
  const translated = yield* Admin.content.translate({ key: "hello", text: "Hello" })
  expect(translated).toEqual({
    key: "hello",
    text: "Hello",
    translations: { en: "Hello", ka: "[ka] Hello" }
  })
})
