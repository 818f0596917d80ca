// A client's configuration is checked once, before anything is sent.

import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as FC } from "effect"
import * as Settings from "../../../../core/kernel/dispatch/settings.js"

const baseUrl = "https://api.example.test"
const right = (config: Partial<Settings.Common>) => Either.getOrThrow(Settings.base({ baseUrl, ...config }))
const refusal = (config: Partial<Settings.Common>) => {
  const { field, message, rule } = Either.getOrThrow(Either.flip(Settings.base({ baseUrl, ...config })))
  return { field, rule, message }
}

describe("a base URL", () => {
  it.each([
    ["https://api.example.test", "https://api.example.test", ""],
    ["https://api.example.test/", "https://api.example.test", ""],
    ["http://127.0.0.1:4400", "http://127.0.0.1:4400", ""],
    ["https://api.example.test:443/v9/", "https://api.example.test", "/v9"],
    ["https://api.example.test/a/b//", "https://api.example.test", "/a/b"],
    ["https://API.example.test/A", "https://api.example.test", "/A"],
    ["https://api.example.test/a/../b", "https://api.example.test", "/b"],
    ["https://bücher.example/ü", "https://xn--bcher-kva.example", "/%C3%BC"],
    ["http://[::1]:80/x", "http://[::1]", "/x"]
  ])("%s has the origin %s and the prefix %j", (url, origin, prefix) => {
    expect(right({ baseUrl: url }).api).toEqual({ origin, prefix })
  })

  it("may have letters of any language, however many addresses were read before", () => {
    const read = Array.from({ length: 20_000 }, () => Settings.address("baseUrl", "https://bücher.example"))
    expect(read.filter(Either.isLeft)).toEqual([])
  })

  it("of the legacy service is the same where none is given", () => {
    expect(right({}).legacy).toEqual(right({}).api)
    expect(right({ legacyUrl: "https://old.example.test/x" }).legacy).toEqual({
      origin: "https://old.example.test",
      prefix: "/x"
    })
    expect(refusal({ legacyUrl: "old" }).field).toBe("legacyUrl")
  })
})

describe("a route", () => {
  it.each(["things", "/things", "a/{id}/b.c", "things//more", "a-._~!$&'()*+,;=:@b"])("may be %j", (path) => {
    expect(right({ routes: { "things.get": { path, method: "POST" } } }).routes).toEqual({
      "things.get": { path, method: "POST" }
    })
  })

  it.prop(
    "that is taken never leaves the origin",
    [FC.string({ unit: FC.constantFrom(..."/\\.@:%2e?#ab{}") })],
    ([path]) => {
      const base = Settings.base({ baseUrl, routes: { "things.get": { path } } })
      if (Either.isLeft(base)) return
      expect(new URL(`${baseUrl}/${path.replace(/^\/+/, "")}`).origin).toBe(baseUrl)
    }
  )
})

describe("headers", () => {
  it("of a client are sent by names in lower case", () => {
    expect(right({ headers: { "X-App": "1", "x-b": undefined, "x-c": null } }).headers).toEqual({
      "x-app": "1"
    })
    expect(right({}).headers).toEqual({})
  })

  it.each([
    [{ "X-Session-Id": "hush" }, "headers.X-Session-Id", "is for credentials, which the client alone sends"],
    [{ host: "hush" }, "headers.host", "must not be the name of another header that is sent"],
    [{ "x-a": "hüsh" }, "headers.x-a", "must be ASCII text"],
    [["hush"], "headers", "must be a plain object of names and texts"]
  ])("%j are refused", (headers, field, rule) => {
    const error = refusal({ headers: headers as never })
    expect(error).toMatchObject({ field, rule })
    expect(JSON.stringify(error)).not.toContain("hush")
  })

  it("may not have a name that the client has for a credential", () => {
    const { field } = refusal({ headerNames: { apiKey: "x-shop" }, headers: { "X-Shop": "1" } })
    expect(field).toBe("headers.X-Shop")
  })
})

describe("header names", () => {
  it("have defaults, which may be replaced one by one, in any case", () => {
    expect(right({}).headerNames).toEqual({
      authorization: "authorization",
      session: "x-session-id",
      apiKey: "x-api-key",
      privateKey: "x-private-key"
    })
    expect(right({ headerNames: { session: "X-Session" } }).headerNames).toMatchObject({
      session: "x-session",
      apiKey: "x-api-key"
    })
  })
})

describe("a configuration of a caller without types", () => {
  const url = "must be an http or https URL"
  const get = (route: unknown) => ({ routes: { "things.get": route } })
  const route = "must be an object of method, path"
  it.each<readonly [object, string, string]>([
    ...[5, null, {}, Symbol("url")].map((legacyUrl) => [{ legacyUrl }, "legacyUrl", url] as const),
    [
      get({ method: "get" }),
      "routes.things.get.method",
      'must be one of GET, POST, PUT, PATCH, DELETE (did you mean "GET"?)'
    ],
    [get({ path: 5 }), "routes.things.get.path", "must be text"],
    ...[
      "https://other.test/things",
      "HTTP://other.test",
      "//other.test/things",
      "https:/other.test/things",
      "http:other.test",
      "WSS:other.test",
      "file:///things"
    ].map(
      (path) =>
        [
          get({ path }),
          "routes.things.get.path",
          "must be a path below baseUrl, without scheme and host"
        ] as const
    ),
    [get(null), "routes.things.get", route],
    [get("things"), "routes.things.get", route],
    [get({ ptah: "x" }), "routes.things.get.ptah", 'is not an option (did you mean "path"?)'],
    [get({ pth: "x" }), "routes.things.get.pth", 'is not an option (did you mean "path"?)'],
    [{ routes: { things: { path: "x" } } }, "routes.things", "must be the name of a call, slice.call"],
    [{ routes: { "/things/get": {} } }, "routes./things/get", "must be the name of a call, slice.call"],
    [{ headerNames: "x" }, "headerNames", "must be an object of authorization, session, apiKey, privateKey"],
    [{ headerNames: { apikey: "x" } }, "headerNames.apikey", 'is not an option (did you mean "apiKey"?)'],
    [{ policy: { retries: 5 } }, "policy.retries", 'is not an option (did you mean "attempts"?)'],
    [{ policy: { timeout: 5 } }, "policy.timeout", 'is not an option (did you mean "deadline"?)'],
    ...["5", -1, Number.NaN, Number.POSITIVE_INFINITY].map(
      (retryBudget) =>
        [{ retryBudget }, "retryBudget", "must be a finite number of tokens, at least 0"] as const
    )
  ])("is refused with %j", (config, field, rule) => {
    expect(refusal(config)).toMatchObject({ field, rule })
  })
})

describe("a policy", () => {
  it("has defaults, which may be replaced one by one", () => {
    expect(right({ policy: { attempts: 5 } }).policy).toEqual({
      attempts: 5,
      pause: 200,
      longestPause: 8_000,
      deadline: 30_000,
      longestRetryAfter: 30_000,
      retryCost: 5,
      timeoutCost: 10,
      maxBytes: 64 * 1024 * 1024
    })
  })

  it.each([
    [{ attempts: 0 }, "policy.attempts", "must be a whole number from 1 to 20"],
    [{ attempts: 21 }, "policy.attempts", "must be a whole number from 1 to 20"],
    [{ attempts: 1.5 }, "policy.attempts", "must be a whole number from 1 to 20"],
    [{ attempts: Number.NaN }, "policy.attempts", "must be a whole number from 1 to 20"],
    [{ maxBytes: 0 }, "policy.maxBytes", "must be a whole number of bytes, at least 1"],
    [
      { maxBytes: Number.POSITIVE_INFINITY },
      "policy.maxBytes",
      "must be a whole number of bytes, at least 1"
    ],
    [{ retryCost: Number.NaN }, "policy.retryCost", "must be a finite number of tokens, at least 0"],
    [{ timeoutCost: -1 }, "policy.timeoutCost", "must be a finite number of tokens, at least 0"],
    [{ pause: -1 }, "policy.pause", "must be a finite number of milliseconds, at least 0"],
    [
      { longestPause: Number.NaN },
      "policy.longestPause",
      "must be a finite number of milliseconds, at least 0"
    ],
    [
      { longestRetryAfter: -1 },
      "policy.longestRetryAfter",
      "must be a finite number of milliseconds, at least 0"
    ],
    [
      { deadline: Number.POSITIVE_INFINITY },
      "policy.deadline",
      "must be a finite number of milliseconds, at least 0"
    ],
    [{ deadline: 0 }, "policy.deadline", "must be more than 0 milliseconds"]
  ])("of %j is refused", (policy, field, rule) => {
    expect(refusal({ policy })).toMatchObject({ field, rule })
  })
})
