// Where a request goes, and its credentials: what stands in a path or a query is data there and nothing else, and the
// origin is that of the base URL, whatever that URL or a route of the configuration says.

import { describe, expect, it } from "@effect/vitest"
import { Input } from "@quartet/sdk"
import { ended, visitor } from "@quartet/support/transports.js"
import { overEachTransport } from "@quartet/support/wire.js"
import * as EndUser from "../../clients/end-user/index.js"
import * as Boxes from "../../core/boxes/operations.js"
import * as Files from "../../core/files/operations.js"
import type { CallError } from "../../core/kernel/errors/errors.js"

const mustNotBeDots = 'must not be "." or "..", as it stands in the path'
const mustBeText = "must be a string"
const mustNotBeHalf = "must not hold half of a surrogate pair"

/** A path value, and what must stand in the request line, or the rule that it breaks. */
const values: ReadonlyArray<
  readonly [name: string, value: unknown, expected: { readonly path?: string; readonly rule?: string }]
> = [
  ["a plain id", "5eed-1_a.b~c", { path: "5eed-1_a.b~c" }],
  ["nothing", "", { rule: "must be a non-empty id" }],
  ["a dot", ".", { rule: mustNotBeDots }],
  ["two dots", "..", { rule: mustNotBeDots }],
  ["three dots", "...", { path: "..." }],
  ["two encoded dots", "%2e%2e", { path: "%252e%252e" }],
  ["one encoded dot", "%2E", { path: "%252E" }],
  ["a dot and an encoded one", ".%2e", { path: ".%252e" }],
  ["a slash", "a/b", { path: "a%2Fb" }],
  ["a climb", "../../admin", { path: "..%2F..%2Fadmin" }],
  ["a climb with backslashes", "..\\..\\admin", { path: "..%5C..%5Cadmin" }],
  ["a query", "a?b=c", { path: "a%3Fb%3Dc" }],
  ["a fragment", "a#b", { path: "a%23b" }],
  ["an ampersand and a semicolon", "a&b;c", { path: "a%26b%3Bc" }],
  ["an apostrophe", "a'b", { path: "a%27b" }],
  ["a space and a plus", "a b+c", { path: "a%20b%2Bc" }],
  ["a line break and a header", "a\r\nx-evil: 1", { path: "a%0D%0Ax-evil%3A%201" }],
  [
    "a whole second request",
    "a HTTP/1.1\r\nhost: evil.test\r\n\r\nGET /",
    { path: "a%20HTTP%2F1.1%0D%0Ahost%3A%20evil.test%0D%0A%0D%0AGET%20%2F" }
  ],
  ["NUL", "a\u0000b", { path: "a%00b" }],
  ["half of a surrogate pair", "a\ud800", { rule: mustNotBeHalf }],
  ["the other half", "\udc00a", { rule: mustNotBeHalf }],
  ["an emoji", "😀", { path: "%F0%9F%98%80" }],
  ["an @ and a host", "@evil.test/", { path: "%40evil.test%2F" }],
  ["a whole URL", "https://evil.test/", { path: "https%3A%2F%2Fevil.test%2F" }],
  ["an authority", "//evil.test", { path: "%2F%2Fevil.test" }],
  ["an authority with backslashes", "\\\\evil.test", { path: "%5C%5Cevil.test" }],
  ["a template's parameter", "{projectId}", { path: "%7BprojectId%7D" }],
  ["a fullwidth slash and dots", "．．／", { path: "%EF%BC%8E%EF%BC%8E%EF%BC%8F" }],
  ["an object", { toString: () => "x" }, { rule: mustBeText }],
  ["a list", ["a"], { rule: mustBeText }],
  ["a number", 7, { path: "7" }],
  ["NaN", Number.NaN, { rule: mustBeText }],
  ["null", null, { rule: mustBeText }],
  ["undefined", undefined, { rule: mustBeText }],
  ["a function", () => "x", { rule: mustBeText }],
  ["a symbol", Symbol("x"), { rule: mustBeText }],
  ["a BigInt", 1n, { rule: mustBeText }],
  ["a text object", Object("x"), { rule: mustBeText }]
]

/** What no query and no body can say: one case of each kind; all of them are in test/core/kernel/codec/json.test.ts. */
const cycle: Record<string, unknown> = {}
cycle.self = cycle
const deep = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], 1)
const unsayable: ReadonlyArray<readonly [name: string, value: unknown, rule: string]> = [
  ["NaN", Number.NaN, "must be a finite number"],
  ["a BigInt", 1n, "must not be a BigInt: pass it as text"],
  ["an object that holds itself", cycle, "must not hold itself"],
  ["a list 100,000 deep", deep, "must not be nested more than 1000 levels deep"]
]

overEachTransport((wire) => {
  it.each(values)("%s as a path value", async (_, id, { path, rule }) => {
    const { error } = await wire.call(Boxes.get, { id: id as string })
    if (path === undefined) {
      expect(error).toMatchObject({ _tag: "InputError", field: "id", rule })
      expect(wire.sent()).toHaveLength(0)
    } else {
      expect(error).toBeUndefined()
      expect(wire.sent().map(({ target }) => target)).toEqual([`/v1/box/${path}`])
      expect(wire.sent()[0]?.headers.host).toBe(`127.0.0.1:${wire.server.port}`)
      expect(decodeURIComponent(path)).toBe(String(id))
    }
  })

  it.each(unsayable)(
    "%s is refused in a query and in a body, and nothing is sent",
    async (_, value, rule) => {
      expect((await wire.call(Boxes.list, { query: Object({ q: value }) })).error).toMatchObject({
        _tag: "InputError",
        field: "query.q"
      })
      expect((await wire.call(Boxes.create, { payload: Input.raw(value) })).error).toMatchObject({
        _tag: "InputError",
        rule
      })
      expect(wire.sent()).toHaveLength(0)
    }
  )

  it("a query's names and values are data: none adds a parameter, ends the line or leaves the query", async () => {
    const nasty = "a&b=c#d?e\r\nf: g %00 ' \" < > \\ ; + 😀"
    await wire.call(Boxes.list, { query: { [nasty]: nasty } })
    const [request] = wire.sent()
    const query = request?.target.replace("/v1/box?", "") ?? ""
    expect([...new URLSearchParams(query)]).toEqual([[nasty, nasty]])
    expect(request?.target).toMatch(/^[!-~]+$/)
    expect(request?.headers).not.toHaveProperty("f")
  })

  it("a blob that lies about its type adds no header to its part of a form", async () => {
    class Liar extends Blob {
      override get type(): string {
        return "text/plain\r\nx-evil: 1"
      }
    }
    const config = { baseUrl: wire.server.url, apiKey: "k-1", sessionId: "s-1" }
    const file = { content: new Liar(["bytes"]), name: "a.txt" }
    const { error } = await ended(wire.over(EndUser.make(config)).dispatcher.call(Files.upload, { file }))
    if (error !== undefined) expect(error._tag).toBe("InputError")
    for (const { body } of wire.sent()) expect(body.toString("latin1")).not.toMatch(/\r\nx-evil/)
  })

  describe("a base URL", () => {
    const attempt = async (baseUrl: string): Promise<CallError | undefined> => {
      try {
        return (await ended(visitor(wire.transport, baseUrl).dispatcher.call(Boxes.get, { id: "1" }))).error
      } catch (cause) {
        return cause as CallError
      }
    }

    it.each([
      ["nothing", "", "must be an http or https URL"],
      ["no scheme", "api.example.test", "must be an http or https URL"],
      ["only an authority", "//api.example.test", "must be an http or https URL"],
      ["another scheme", "ftp://127.0.0.1", "must be an http or https URL"],
      ["a file", "file:///etc/passwd", "must be an http or https URL"],
      ["a script", "javascript:alert(1)", "must be an http or https URL"],
      ["data", "data:text/html,x", "must be an http or https URL"],
      ["no host", "http://", "must be an http or https URL"],
      ["a port that is none", "http://127.0.0.1:99999", "must be an http or https URL"],
      ["a space in the host", "http://a b.test", "must be an http or https URL"],
      ["a user", "http://user@127.0.0.1", "must not hold credentials"],
      ["a user and a password", "http://user:pass@127.0.0.1", "must not hold credentials"],
      ["a password alone", "http://:pass@127.0.0.1", "must not hold credentials"],
      ["a query", "http://127.0.0.1/?key=1", "must not hold a query or a fragment"],
      ["an empty query", "http://127.0.0.1/?", "must not hold a query or a fragment"],
      ["a fragment", "http://127.0.0.1/#a", "must not hold a query or a fragment"],
      ["an empty fragment", "http://127.0.0.1#", "must not hold a query or a fragment"]
    ])("with %s is refused", async (_, baseUrl, rule) => {
      const error = await attempt(baseUrl)
      expect(String(error)).toContain(`the field "baseUrl" ${rule}`)
      expect(String(error)).not.toContain("pass@")
    })

    it.each([
      ["a trailing slash", "/", "/v1/box/1"],
      ["a path", "/api", "/api/v1/box/1"],
      ["a path and slashes", "/api///", "/api/v1/box/1"],
      ["a path that climbs", "/a/b/../../../c", "/c/v1/box/1"],
      ["a path that climbs, encoded", "/a/%2e%2e/c", "/c/v1/box/1"],
      ["an authority for a path", "//evil.test", "//evil.test/v1/box/1"],
      ["a backslash and an @", "\\@evil.test", "/@evil.test/v1/box/1"],
      ["an @", "/@evil.test", "/@evil.test/v1/box/1"],
      ["a space", "/a b", "/a%20b/v1/box/1"]
    ])("with %s stays on its host", async (_, path, target) => {
      expect(await attempt(wire.server.url + path)).toBeUndefined()
      expect(wire.sent().map((request) => [request.target, request.headers.host])).toEqual([
        [target, `127.0.0.1:${wire.server.port}`]
      ])
    })

    it("with another host behind an @ is refused: the key would go there", async () => {
      const hosts = [`127.0.0.1:${wire.server.port}`, `127.0.0.1:${wire.elsewhere.port}`]
      expect(String(await attempt(`http://${hosts.join("@")}`))).toMatch(/must not hold credentials/)
      expect(wire.elsewhere.connections()).toBe(0)
    })
  })

  describe("a route of the configuration", () => {
    it.each(["@evil.test/x", ":1@evil.test", ".evil.test", "/absolute/{id}"])(
      "%j stays on the host",
      async (path) => {
        await wire.call(Boxes.get, { id: "1" }, { routes: { "boxes.get": { path } } })
        for (const { headers } of wire.sent()) expect(headers.host).toBe(`127.0.0.1:${wire.server.port}`)
        expect(wire.sent().every(({ target }) => target.startsWith("/"))).toBe(true)
        expect(wire.elsewhere.connections()).toBe(0)
      }
    )

    it.each(["//evil.test/x", "http://evil.test/x", "https:evil.test", "HTTPS:/evil.test"])(
      "%j is refused",
      (path) => {
        expect(() => wire.dispatcher({ routes: { "boxes.get": { path } } })).toThrow(/routes/)
      }
    )

    const climbs = ["a/./b", "../x", "a/../b", "%2e%2e/x", "a/%2E%2e/b", ".%2e/x"]
    it.each(["", ...climbs, "a b", "a\r\nb", "a?b", "a#b", "a\\b", "\u00e9"])("%j is refused", (path) => {
      expect(() => wire.dispatcher({ routes: { "boxes.get": { path } } })).toThrow(/must be a relative path/)
    })
  })
})
