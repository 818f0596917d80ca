/** The input of a call of the wire: what was sent is read back from its request. */

import { type Audience, type Declared, Encoder } from "@quartet/sdk/extend"
import { operations } from "@quartet/sdk/extend/catalogue"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { inputOf } from "../wire/input.js"

const declaredOf = (name: string, audience: Audience): Declared => {
  const match = operations
    .map((operation) => ({ name: operation.name, declared: operation.declaration() }))
    .find((candidate) => candidate.name === name && candidate.declared.audiences.includes(audience))
  if (match === undefined) throw new Error(`there is no ${name}`)
  return match.declared
}

const encode = (declared: Declared, input: object) =>
  Either.getOrThrow(Encoder.make(declared, { prefix: "/api", projectId: "p1", projectInQuery: true })(input))

describe("the input of a request", () => {
  it.each<readonly [string, Audience, object]>([
    ["requests.list", "admin", { statusIn: ["pending", "reviewed"], page: 2 }],
    ["requests.list", "admin", { inUserIds: ["u1"], page: 2, query: { sort: "-createdAt" } }],
    ["requests.markSeen", "admin", { id: "r/1", version: 4 }],
    ["payments.refund", "admin", { id: "t1", payload: { amount: 12.5 } }],
    ["notifications.sendSms", "private", { to: "+995555123456", body: "It’s “done”" }]
  ])("of %s is read from its path, its query and its body", (name, audience, input) => {
    const declared = declaredOf(name, audience)
    const { body, path } = encode(declared, input)
    const sent = { path, body: body?._tag === "Json" ? body.text : "" }
    const read = inputOf(declared, sent)
    expect(encode(declared, read)).toEqual(encode(declared, input))
    expect(Object.keys(read).sort()).toEqual(Object.keys(input).sort())
  })
})
