// What the calls on CMS models and content models put on the wire: two ids in one path, and the client's own project.
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ContentModels from "../../../core/content-models/operations.js"
import * as Models from "../../../core/models/operations.js"
import * as Sample from "../../support/dispatcher.js"
import * as Fake from "../../support/fake-transport.js"

describe("a field of a CMS model", () => {
  it.effect("is named by the model's id and its own", () => {
    const { fake, dispatcher } = Sample.make([Fake.json(200, { _id: "m1", fields: [{ _id: "f/1" }] })])
    return Effect.gen(function* () {
      const model = yield* dispatcher.call(Models.updateField, {
        id: "m1",
        fieldId: "f/1",
        payload: { name: "title" }
      })
      expect(model.fields).toEqual([{ _id: "f/1" }])
      expect(fake.at(0).request).toMatchObject({
        method: "PUT",
        path: "/v9/cms/model/m1/field/f%2F1",
        body: { _tag: "Json", text: '{"name":"title"}' }
      })
    })
  })

  it.effect("is refused where its id is empty", () => {
    const { fake, dispatcher } = Sample.make([])
    return Effect.gen(function* () {
      const error = yield* Effect.flip(dispatcher.call(Models.deleteField, { id: "m1", fieldId: "" }))
      expect(error).toMatchObject({ _tag: "InputError", field: "fieldId" })
      expect(fake.requests()).toHaveLength(0)
    })
  })
})

describe("content models", () => {
  const legacyUrl = "https://legacy.example.test"

  // Spec 7.13
  it.effect("are those of the client's project", () => {
    const { fake, dispatcher } = Sample.make([Fake.json(200, [{ _id: "c1" }])], {
      settings: { projectId: "p 1" },
      config: { legacyUrl }
    })
    return Effect.gen(function* () {
      const page = yield* dispatcher.call(ContentModels.list, {})
      expect(page.items).toEqual([{ _id: "c1" }])
      expect(fake.at(0).request).toMatchObject({ origin: legacyUrl, path: "/project/p%201/customType" })
    })
  })

  it.effect("are deleted by their id", () => {
    const { fake, dispatcher } = Sample.make([Fake.text(204, "")], {
      settings: { projectId: "p1" },
      config: { legacyUrl }
    })
    return Effect.gen(function* () {
      yield* dispatcher.call(ContentModels.remove, { id: "c1" })
      expect(fake.at(0).request).toMatchObject({ method: "DELETE", path: "/project/p1/customType/c1" })
    })
  })
})
