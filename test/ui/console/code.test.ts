/** A call of the wire as text to copy: a shell and the SDK read from it what was sent. */
import { execFileSync } from "node:child_process"
import { Either } from "effect"
import { describe, expect, it, vi } from "vitest"
import { operations } from "../../../core/catalogue.js"
import * as Encoder from "../../../core/kernel/codec/encoder.js"
import type { Audience, Declared } from "../../../core/kernel/operation/operation.js"

vi.mock("../../../ui/console/app/config.js", () => ({
  baseUrl: "http://platform.test",
  apiKey: "key",
  projectId: "p1"
}))
const { codeOf, curlOf, inputOf } = await import("../../../ui/console/wire/code.js")

const declaredOf = (name: string, audience: Audience): Declared => {
  const found = operations
    .map((operation) => ({ name: operation.name, declared: operation.declaration() }))
    .find((one) => one.name === name && one.declared.audiences.includes(audience))
  if (found === undefined) throw new Error(`there is no ${name}`)
  return found.declared
}

const encode = (declared: Declared, input: object) =>
  Either.getOrThrow(Encoder.make(declared, { prefix: "/api", projectId: "p1", projectInQuery: true })(input))

describe("the input of a request", () => {
  it.each<readonly [string, Audience, object]>([
    ["requests.list", "admin", { statusIn: ["pending", "done"], page: 2 }],
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

describe("as curl", () => {
  const sent = {
    method: "POST",
    origin: "http://platform.test",
    path: "/notification?code=••••••",
    headers: { "content-type": "application/json", authorization: "Bearer ••••••" },
    body: `{"title": "It's $HOME"}`
  }
  /** What a real shell passes to a program named curl. */
  const inShell = (command: string): ReadonlyArray<string> =>
    execFileSync("sh", ["-c", `curl() { printf '%s\\0' "$@"; }\n${command}`], {
      env: { AUTHORIZATION: "token", SECRET: "s" },
      encoding: "utf8"
    })
      .split("\0")
      .slice(0, -1)

  it("a shell sends the same again, with the secrets of its variables", () => {
    expect(inShell(curlOf(sent))).toEqual([
      ...["-X", "POST", "http://platform.test/notification?code=s"],
      ...["-H", "content-type: application/json", "-H", "authorization: Bearer token"],
      ...["-d", `{"title": "It's $HOME"}`]
    ])
  })

  it("a form has its parts, a file by its name", () => {
    const form = { ...sent, headers: {}, body: `folder: "a"\nfile: plan; 1.png (34 bytes)` }
    expect(inShell(curlOf(form)).slice(3)).toEqual(["-F", `folder="a"`, "-F", "file=@plan; 1.png"])
  })
})

describe("as code", () => {
  it.each(["effect", "promise"] as const)("with %s it is a program that calls the operation", (style) => {
    const declared = declaredOf("requests.markSeen", "admin")
    const code = codeOf(style, {
      audience: "admin",
      operation: "requests.markSeen",
      declared,
      input: { id: "r1", version: 4, "odd name": "a" }
    })
    expect(code).toContain(`.requests.markSeen({\n  id: "r1",\n  version: 4,\n  "odd name": "a"\n})`)
  })
})
