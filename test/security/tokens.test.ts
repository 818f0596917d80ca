// What a hostile sign-in may answer: no token and no permission map lets a call through that it should not.
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Admin from "../../clients/admin/index.js"
import { base64url, claims, jwt } from "../support/jwt.js"
import { json, type RawServer, serve } from "../support/raw-server.js"
import { ended, type Opened, open, over, ways } from "../support/transports.js"

let server: RawServer
let opened: Opened
let token = ""
let sessionId: unknown = "s-1"

beforeAll(async () => {
  server = await serve(({ target }) => {
    if (target === "/auth/admin/login") return json(JSON.stringify({ accessToken: token, user: {} }))
    if (target === "/auth/login") return json(JSON.stringify({ sessionId }))
    return json('{"items":[]}')
  })
  opened = await open(ways[1] ?? ways[0]!)
})
afterAll(async () => {
  await opened.close()
  await server.close()
})

const client = (config: Partial<Admin.ClientConfig> = {}) =>
  over(
    opened.transport,
    Admin.make({
      baseUrl: server.url,
      projectId: "p",
      email: "a@b.test",
      password: "x",
      ...config
    } as Admin.ClientConfig)
  )

/** Calls with what the sign-in answers; says how the call ended and which targets the server saw. */
const call = async (config: Partial<Admin.ClientConfig> = {}) => {
  const before = server.requests.length
  const { error } = await ended(
    Effect.provideService(Admin.payments.refund({ id: "1", payload: {} }), Admin.Client, client(config))
  )
  return { error, seen: server.requests.slice(before).map(({ target }) => target.split("?")[0]) }
}

const [header = "", payload = ""] = jwt(claims).split(".")

// All rules of tokens and grants: test/core/kernel/session/token.test.ts, test/core/permissions.
describe("a sign-in that answers", () => {
  it.each([
    ["two parts", `${header}.${payload}`],
    ["alg none", jwt(claims, { alg: "none" })],
    ["a megabyte", jwt({ ...claims, name: "x".repeat(1_000_000) })],
    ["a line break", `${header}.${payload}.a\r\nx-evil: 1`],
    ["letters beyond ASCII", `${header}.${payload}.é`],
    ["a session id with a line break", jwt(claims), "a\r\nx-evil: 1"],
    ["a session id of spaces", jwt(claims), "  "]
  ])("%s is refused, and the call is not sent", async (_, answered, session = "s-1") => {
    token = answered
    sessionId = session
    const { error, seen } = await call()
    sessionId = "s-1"
    expect(error).toMatchObject({ _tag: "CredentialsError", reason: "Malformed" })
    expect(seen.sort()).toEqual(["/auth/admin/login", "/auth/login"])
  })

  it.each([
    ["a number for a token", 7],
    ["nothing for a token", ""],
    ["an object for a token", {}]
  ])("%s is not what a sign-in answers", async (_, answered) => {
    token = answered as string
    const { error } = await call()
    expect(error).toMatchObject({ _tag: "AnswerError", operation: "auth.login", field: "accessToken" })
  })

  it.each([
    ["no exp", {}],
    ["an exp that is null, as NaN is in JSON", { exp: null }],
    ["a negative exp", { exp: -1 }],
    ["an exp in text", { exp: "1" }],
    ["an exp in the past", { exp: 1 }],
    ["an exp beyond all dates", { exp: 1e300 }],
    ["a name in another script", { name: "ანა 😀" }]
  ])("%s is used, and asked about once", async (_, more) => {
    token = jwt({ ...claims, ...more })
    const { error, seen } = await call()
    expect(error).toBeUndefined()
    expect(seen.sort()).toEqual(["/auth/admin/login", "/auth/login", "/payment/transaction/1/refund"])
  })
})

describe("a token whose permissions are", () => {
  const nothing: ReadonlyArray<readonly [name: string, p: string]> = [
    ["missing", "{}"],
    ["the text 9 everywhere", '{"p":{"*":{"*":"9"}}}'],
    ["Infinity", '{"p":{"*":{"*":1e999}}}'],
    ["a list around a 9", '{"p":{"*":{"*":[9]}}}'],
    ["only in __proto__", '{"p":{"__proto__":{"payments":{"refund":9},"*":{"*":9}}}}'],
    ["in the resource's __proto__", '{"p":{"payments":{"__proto__":{"refund":9,"*":9}}}}'],
    ["a resource that is a function's name", '{"p":{"toString":{"*":9}}}'],
    ["too low by a more specific grant", '{"p":{"payments":{"refund":1},"*":{"*":9}}}'],
    ["text for the resource", '{"p":{"payments":"9","*":{"*":9}}}'],
    ["none by a more specific grant", '{"p":{"payments":{"refund":0},"*":{"*":9}}}'],
    ["in other letters", '{"p":{"Payments":{"Refund":9}}}']
  ]

  it.each(nothing)("%s is denied before anything is sent", async (_, p) => {
    const more = p.slice(1, -1)
    token = `${header}.${base64url(`{"sub":"a"${more === "" ? "" : `,${more}`}}`)}.s`
    const { error, seen } = await call()
    expect(error).toMatchObject({ _tag: "PermissionDenied", reason: "Grant" })
    expect(seen).not.toContain("/payment/transaction/1/refund")
  })

  it("as wide as they are by the reading of the old product still need one above none", async () => {
    token = jwt({ sub: "a", p: { payments: { refund: 1 } } })
    expect((await call({ permissions: "asBuilt" })).error).toBeUndefined()
    token = jwt({ sub: "a", p: { payments: { refund: 0 } } })
    expect((await call({ permissions: "asBuilt" })).error?._tag).toBe("PermissionDenied")
  })
})

describe("a polluted prototype", () => {
  it("does not send the password to another host", async () => {
    const other = await serve(() => json("{}"))
    const prototype = Object.prototype as unknown as Record<string, unknown>
    prototype.legacyUrl = other.url
    token = jwt(claims)
    const { error } = await call().finally(() => delete prototype.legacyUrl)
    expect(error).toBeUndefined()
    expect(other.connections()).toBe(0)
    await other.close()
  })
})
