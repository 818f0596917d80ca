// What a client refuses to be made of: values that no header may carry, and a private key in a browser.
import { inspect } from "node:util"
import { afterEach, describe, expect, it } from "@effect/vitest"
import { Effect, Either, Redacted } from "effect"
import * as Admin from "../../clients/admin/index.js"
import * as EndUser from "../../clients/end-user/index.js"
import * as Private from "../../clients/private/index.js"
import { createPrivateClient } from "../../clients/promise/index.js"
import * as Public from "../../clients/public/index.js"
import { Transport } from "../../core/ports/transport.js"
import * as Fake from "../support/fake-transport.js"
import { jwt } from "../support/jwt.js"

const canary = "c4n4ry"
const token = jwt({ sub: "a", p: { "*": { "*": 9 } } })
const baseUrl = "https://api.example.test"

/** Every field that ends in a header, and a client made with a value in it. */
const fields: Readonly<Record<string, (value: string) => Effect.Effect<unknown, unknown, Transport>>> = {
  "the admin's session id": (sessionId) =>
    Admin.make({ baseUrl, projectId: "p", sessionId, accessToken: token }),
  "the admin's access token": (accessToken) =>
    Admin.make({ baseUrl, projectId: "p", sessionId: "s-1", accessToken }),
  "the admin's API key": (apiKey) =>
    Admin.make({ baseUrl, projectId: "p", sessionId: "s-1", accessToken: token, apiKey }),
  "the visitor's API key": (apiKey) => Public.make({ baseUrl, apiKey }),
  "the private key": (privateKey) => Private.make({ baseUrl, privateKey }),
  "the end user's API key": (apiKey) => EndUser.make({ baseUrl, apiKey, sessionId: "s-1" }),
  "the end user's session id": (sessionId) => EndUser.make({ baseUrl, apiKey: "k-1", sessionId })
}

const bad: Readonly<Record<string, string>> = {
  "CRLF and a header": `${canary}\r\nx-evil: 1`,
  "a line feed at the end, as files end": `${canary}\n`,
  "a carriage return": `${canary}\r`,
  NUL: `${canary}\u0000`,
  "a tab": `${canary}\t`,
  "a space": `${canary} ${canary}`,
  DEL: `${canary}\u007f`,
  "a letter beyond ASCII": `${canary}é`,
  "a line separator": `${canary}\u2028`,
  "a letter whose low byte is a line feed": `${canary}\u010a`,
  "half of a surrogate pair": `${canary}\ud800`,
  "something that is no text": { toString: () => canary } as unknown as string
}

/** The error with which a client is not made; undefined where it is made. */
const refusal = (made: Effect.Effect<unknown, unknown, Transport>): unknown =>
  Either.getOrUndefined(Either.flip(make(made)))

const make = <A, E>(made: Effect.Effect<A, E, Transport>) =>
  Effect.runSync(Effect.either(Effect.provideService(made, Transport, Fake.make([]).service)))

const cases = Object.entries(fields).flatMap(([field, client]) =>
  Object.entries(bad).flatMap(([name, value]) => [
    { field, name, made: () => make(client(value)) },
    { field, name: `${name}, redacted`, made: () => make(client(Redacted.make(value) as unknown as string)) }
  ])
)

describe("a client is not made", () => {
  it.each(cases)("where $field holds $name, and the value is shown nowhere", ({ made }) => {
    const result = made()
    expect(Either.isLeft(result)).toBe(true)
    if (Either.isRight(result)) return
    const error = result.left as Error
    expect(error).toMatchObject({
      _tag: "CredentialsError",
      reason: expect.stringMatching(/^(Malformed|Missing)$/)
    })
    const all = [
      error.message,
      error.stack,
      JSON.stringify(error),
      inspect(error, { depth: 10, showHidden: true })
    ]
    expect(all.join("\n")).not.toContain(canary)
  })

  it.each(["a b", "a:b", "a\r\nb", "", "é", "__proto__", "constructor"])(
    "with %j for a header's name",
    (name) => {
      expect(refusal(Public.make({ baseUrl, apiKey: "k-1", headerNames: { apiKey: name } }))).toMatchObject({
        _tag: "InputError",
        field: "headerNames.apiKey"
      })
    }
  )

  it.each([
    ["that another credential has", { session: "x-key", apiKey: "X-Key" }],
    ["that the client sends itself", { apiKey: "Accept" }],
    ["that the client sends itself", { apiKey: "content-type" }],
    ["that the client sends itself", { apiKey: "idempotency-key" }],
    ["that the transport sends", { apiKey: "Host" }],
    ["that the transport sends", { apiKey: "content-length" }],
    ["that the transport sends", { apiKey: "transfer-encoding" }],
    ["that the transport sends", { apiKey: "connection" }]
  ])("with a header's name %s: %o", (_, headerNames) => {
    expect(refusal(EndUser.make({ baseUrl, apiKey: "k-1", sessionId: "s-1", headerNames }))).toMatchObject({
      _tag: "InputError",
      field: expect.stringMatching(/^headerNames/)
    })
  })
})

describe("the private client", () => {
  const globals = globalThis as unknown as Record<string, unknown>
  const navigator = Object.getOwnPropertyDescriptor(globalThis, "navigator")
  const names = ["window", "document", "WorkerGlobalScope", "navigator"]
  afterEach(() => {
    for (const name of names) delete globals[name]
    if (navigator !== undefined) Object.defineProperty(globalThis, "navigator", navigator)
  })
  const become = (own: object) => {
    for (const [name, value] of Object.entries(own))
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
  const browser = { window: {}, document: {} }
  const worker = (userAgent: string) => ({ WorkerGlobalScope: class {}, navigator: { userAgent } })
  const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0"
  const config = { baseUrl, privateKey: `key-${canary}` }

  it("does not start in a browser, and says so without showing its key", () => {
    become(browser)
    const error = refusal(Private.make(config))
    expect(error).toMatchObject({ _tag: "CredentialsError", reason: "Browser" })
    expect(String(error)).toContain("does not start in a browser")
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(canary)
    expect(() => createPrivateClient(config)).toThrow(/does not start in a browser/)
  })

  it.each<[where: string, own: object, more: object, starts: boolean]>([
    ["on a server", {}, {}, true],
    ["on a server that has one of the two names", { window: {} }, {}, true],
    ["in a browser with an explicit flag", browser, { allowBrowser: true }, true],
    ...[false, undefined, 1, "true"].map((allowBrowser): [string, object, object, boolean] => [
      `in a browser with a flag that is ${typeof allowBrowser} ${allowBrowser}`,
      browser,
      { allowBrowser },
      false
    ]),
    ["in a worker of a browser", worker(chrome), {}, false],
    ["in a worker of Cloudflare's", worker("Cloudflare-Workers"), {}, true],
    ["in Deno's worker", worker("Deno/2.4.0"), {}, true]
  ])("%s starts, or does not", (_, own, more, starts) => {
    become(own)
    expect(Either.isRight(make(Private.make({ ...config, ...more })))).toBe(starts)
  })

  it("does not start with a flag that only a polluted prototype sets", () => {
    become(browser)
    const prototype = Object.prototype as unknown as Record<string, unknown>
    prototype.allowBrowser = true
    const result = make(Private.make(config))
    delete prototype.allowBrowser
    expect(Either.isLeft(result)).toBe(true)
  })

  it("is the only client that minds: the others start in a browser", () => {
    become(browser)
    expect(Either.isRight(make(Public.make({ baseUrl, apiKey: "k-1" })))).toBe(true)
    expect(Either.isRight(make(EndUser.make({ baseUrl, apiKey: "k-1", sessionId: "s-1" })))).toBe(true)
  })
})

describe("an admin client without a whole pair of credentials fails with the words of the specification", () => {
  // Spec 5.1, 5.2, 8.1
  it.each([
    {},
    { email: "a@b.test" },
    { password: "x" },
    { email: "", password: "" },
    { email: "a@b.test", password: "" },
    { sessionId: "s" },
    { accessToken: token },
    { sessionId: "", accessToken: token },
    { email: "a@b.test", sessionId: "s" },
    { email: "a@b.test", password: Redacted.make("") },
    { sessionId: Redacted.make(""), accessToken: Redacted.make(token) }
  ])("%o", (credentials) => {
    expect(
      refusal(Admin.make({ baseUrl, projectId: "p", ...credentials } as Admin.ClientConfig))
    ).toMatchObject({ message: "Session ID and access token or email and password must be provided" })
  })
})
