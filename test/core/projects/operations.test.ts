// A project as each client reads it: its providers of type v2 alone, its dates as Dates, and what else the platform says.
import { describe, expect } from "@effect/vitest"
import * as Sample from "@quartet/support/dispatcher.js"
import { effect } from "@quartet/support/effect.js"
import * as Fake from "@quartet/support/fake-transport.js"
import type { Operation } from "../../../core/kernel/operation/operation.js"
import type { Project } from "../../../core/projects/model.js"
import * as Projects from "../../../core/projects/operations.js"

const answer = {
  _id: "p1",
  name: "House",
  users: ["u1"],
  custom_types: [{ _id: "m1" }],
  files: [],
  languages: ["en", "ka"],
  providers: [
    { _id: "1", type: "v1", name: "old" },
    { _id: "2", type: "v2", name: "new" },
    { _id: "3", name: "untyped" },
    { _id: "4", type: "v2", since: "2024-05-01T10:00:00Z" }
  ],
  api_key: "key-1",
  private_api_key: "key-2",
  created: "2024-01-02T03:04:05.000Z",
  metadata: { colour: "green" }
}

const read = (operation: Operation<{ readonly id: string }, Project, "admin">, answered: unknown) => {
  const { dispatcher } = Sample.make([Fake.json(200, answered)])
  return dispatcher.call(operation, { id: "p1" })
}

describe("a project", () => {
  // Spec 3.1, admin.projects.get
  effect("keeps only its providers of type v2, whole", function* () {
    const { providers } = yield* read(Projects.get, answer)
    expect(providers).toEqual([
      { _id: "2", type: "v2", name: "new" },
      { _id: "4", type: "v2", since: new Date("2024-05-01T10:00:00Z") }
    ])
  })

  effect("keeps all its other fields, and its date as a Date", function* () {
    const { providers: _, ...rest } = yield* read(Projects.get, answer)
    const { providers: __, ...said } = answer
    expect(rest).toEqual({ ...said, created: new Date(said.created) })
  })

  effect("may have no providers, or none of type v2", function* () {
    expect(yield* read(Projects.get, { _id: "p1" })).toEqual({ _id: "p1" })
    const old = { _id: "p1", providers: [{ type: "v1" }] }
    expect(yield* read(Projects.get, old)).toEqual({ _id: "p1", providers: [] })
  })

  effect("is shown so in the admin's list and to those who have a key, too", function* () {
    const shown = [expect.objectContaining({ _id: "2" }), expect.objectContaining({ _id: "4" })]
    const list = Sample.make([Fake.json(200, [answer])])
    const { items } = yield* list.dispatcher.call(Projects.list, {})
    expect(items.map(({ providers }) => providers)).toEqual([shown])
    const self = Sample.make([Fake.json(200, answer)], { settings: { audience: "public" } })
    expect((yield* self.dispatcher.call(Projects.self, {})).providers).toEqual(shown)
  })
})
