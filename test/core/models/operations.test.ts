// What the calls on CMS models and content models put on the wire: two ids in one path, and the client's own project.
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ContentModels from "../../../core/content-models/operations.js"
import * as Models from "../../../core/models/operations.js"
import * as Sample from "../../support/dispatcher.js"
import { json, text } from "../../support/fake-transport.js"

it.effect(
  "a field of a CMS model is named by the model's id and its own, and refused where one is empty",
  () =>
    Effect.gen(function* () {
      const { fake, dispatcher } = Sample.make([json(200, { _id: "m1", fields: [{ _id: "f/1" }] })])
      const payload = { name: "title" }
      const model = yield* dispatcher.call(Models.updateField, { id: "m1", fieldId: "f/1", payload })
      expect(model.fields).toEqual([{ _id: "f/1" }])
      const body = { _tag: "Json", text: '{"name":"title"}' }
      expect(fake.at(0).request).toMatchObject({ method: "PUT", path: "/v9/cms/model/m1/field/f%2F1", body })
      const error = yield* Effect.flip(dispatcher.call(Models.deleteField, { id: "m1", fieldId: "" }))
      expect(error).toMatchObject({ _tag: "InputError", field: "fieldId" })
      expect(fake.requests()).toHaveLength(1)
    })
)

// Spec 7.13
it.effect("content models are those of the client's project", () =>
  Effect.gen(function* () {
    const legacyUrl = "https://legacy.example.test"
    const options = { settings: { projectId: "p 1" }, config: { legacyUrl } }
    const { fake, dispatcher } = Sample.make([json(200, [{ _id: "c1" }]), text(204, "")], options)
    expect((yield* dispatcher.call(ContentModels.list, {})).items).toEqual([{ _id: "c1" }])
    yield* dispatcher.call(ContentModels.remove, { id: "c1" })
    expect(fake.requests()).toMatchObject([
      { method: "GET", origin: legacyUrl, path: "/project/p%201/customType" },
      { method: "DELETE", origin: legacyUrl, path: "/project/p%201/customType/c1" }
    ])
  })
)
