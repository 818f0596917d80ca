// Content models are reached by the client's own project.
import { expect } from "@effect/vitest"
import * as ContentModels from "../../../core/content-models/operations.js"
import * as Sample from "../../support/dispatcher.js"
import { effect } from "../../support/effect.js"
import { json, text } from "../../support/fake-transport.js"

// Spec admin.contentModels.list
effect("content models are those of the client's project", function* () {
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
