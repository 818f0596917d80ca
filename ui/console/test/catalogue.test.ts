// @vitest-environment happy-dom
// What the forms of calls offer, beside what the sandbox asks for.

import * as Sandbox from "@quartet/sandbox"
import { Transport } from "@quartet/sdk/extend"
import { everyone } from "@quartet/support/clients.js"
import { Effect, Either, Layer } from "effect"
import * as AST from "effect/SchemaAST"
import { expect, onTestFinished, test } from "vitest"
import { entries, groupOf, payloadOf } from "../app/catalogue.js"

const tables: Readonly<Record<string, string>> = {
  content: "entries",
  contentModels: "models",
  payments: "transactions",
  profiles: "users"
}

test("the form of every call offers what the sandbox cannot do without", async () => {
  // The private client starts on servers alone.
  const { window } = globalThis
  Reflect.deleteProperty(globalThis, "window")
  onTestFinished(() => void Object.assign(globalThis, { window }))
  const { platform, transport } = await Effect.runPromise(Sandbox.make())
  const { state } = platform
  const clients = Layer.provide(everyone("http://sandbox.test"), Layer.succeed(Transport, transport))
  const ana = state.users.find(({ email }) => email === Sandbox.accounts.endUsers.ana.email)?._id
  const [[model], [provider], [entry]] = [state.models.all(), state.providers.all(), state.entries.all()]
  const lacking: Array<string> = []
  const left: Array<string> = []
  for (const of of entries.filter(({ fields }) => fields.some(({ name }) => name === "payload"))) {
    const group = of.name === "content.create" ? "models" : groupOf(of)
    const rows: ReadonlyArray<Readonly<Record<string, unknown>>> =
      group === "projects" ? [state.project] : (Object(state)[tables[group] ?? group]?.all() ?? [])
    const owner = { admin: undefined, private: undefined, public: null, endUser: ana }[of.audience]
    // What the audience sees, and what takes the change.
    const id = rows.find(
      ({ status, userId }) =>
        (owner === undefined || userId === owner) &&
        (group !== "payments" || status === "succeeded") &&
        status !== "archived"
    )?._id
    const named = {
      id,
      key: "theme",
      kind: "complex",
      providerId: provider?._id,
      fieldId: model?.fields[0]?._id
    }
    const path = Object.entries(named).filter(([name]) => of.fields.some((field) => field.name === name))
    const samples: Readonly<Record<string, unknown>> = {
      ...{ _id: id, id, userId: ana, userIds: [ana], ids: [entry?._id], amount: 1, password: "a-password" },
      ...{ email: `${of.key}@quartet.test`, apiId: of.key.replaceAll(".", "_") }
    }
    const body = payloadOf(of)
    const offered = body === undefined ? [] : AST.getPropertySignatures(body).map(({ name }) => name)
    const payload: Record<string, unknown> = {}
    const send = Effect.suspend(() => of.call({ ...Object.fromEntries(path), payload }))
    for (let times = 0; times < 5; times += 1) {
      const ended = await Effect.runPromise(Effect.either(Effect.provide(send, clients)))
      if (Either.isRight(ended)) break
      // The client names the body, the platform only what is in it.
      const field = "field" in ended.left ? String(ended.left.field).replace(/^payload\./, "") : ""
      if (field === "" || field in payload) {
        left.push(`${of.key}: ${ended.left.message}`)
        break
      }
      if (!offered.includes(field)) lacking.push(`${of.key}: ${field}`)
      payload[field] = samples[field] ?? "Some text"
    }
  }
  expect({ lacking, left }).toEqual({ lacking: [], left: [] })
})
