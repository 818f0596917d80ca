// What a hostile sign-in may answer: no token lets a call through that it should not.
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { claims, jwt } from "@quartet/support/jwt.js"
import { json, type RawServer, serve } from "@quartet/support/raw-server.js"
import { ended, type Opened, open, over, ways } from "@quartet/support/transports.js"
import * as Effect from "effect/Effect"
import * as Admin from "../../clients/admin/index.js"

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

/** Calls with what the sign-in answers; says how the call ended and which targets the server saw. */
const call = async () => {
  const before = server.requests.length
  const config = { baseUrl: server.url, projectId: "p", email: "a@b.test", password: "x" }
  const client = over(opened.transport, Admin.make(config))
  const refund = Admin.payments.refund({ id: "1", payload: {} })
  const { error } = await ended(Effect.provideService(refund, Admin.Client, client))
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
    const reason = session.trim() === "" ? "Rejected" : "Malformed"
    expect(error).toMatchObject({ _tag: "CredentialsError", reason })
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
