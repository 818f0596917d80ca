// Where a client sends its credentials: to the host of its base URL, whatever that URL or a route of the configuration says.
import { describe, expect, it } from "@effect/vitest"
import * as Boxes from "../../core/boxes/operations.js"
import type { CallError } from "../../core/kernel/errors/errors.js"
import { ended, visitor } from "../support/transports.js"
import { overEachTransport } from "../support/wire.js"

overEachTransport((wire) => {
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
      expect(wire.sent().map((one) => [one.target, one.headers.host])).toEqual([
        [target, `127.0.0.1:${wire.server.port}`]
      ])
    })

    it("with another host behind an @ is refused: the key would go there", async () => {
      expect(String(await attempt(`${wire.server.url}@127.0.0.1:${wire.other.port}`))).toMatch(
        /must (not hold credentials|be an http)/
      )
      expect(
        String(await attempt(`http://127.0.0.1:${wire.server.port}@127.0.0.1:${wire.other.port}`))
      ).toMatch(/must not hold credentials/)
      expect(wire.other.connections()).toBe(0)
    })
  })

  describe("a route of the configuration", () => {
    it.each([
      "//evil.test/x",
      "@evil.test/x",
      ":1@evil.test",
      "https:evil.test",
      "http://evil.test/x",
      ".evil.test",
      "/absolute/{id}"
    ])("%j stays on the host", async (path) => {
      await wire.call(Boxes.get, { id: "1" }, { routes: { "boxes.get": { path } } })
      for (const { headers } of wire.sent()) expect(headers.host).toBe(`127.0.0.1:${wire.server.port}`)
      expect(wire.sent().every(({ target }) => target.startsWith("/"))).toBe(true)
      expect(wire.other.connections()).toBe(0)
    })

    it.each([
      "../x",
      "a/../b",
      "%2e%2e/x",
      "a/%2E%2e/b",
      ".%2e/x",
      "a b",
      "a\r\nb",
      "a?b",
      "a#b",
      "a\\b",
      "\u00e9"
    ])("%j is refused", (path) => {
      expect(() => wire.dispatcher({ routes: { "boxes.get": { path } } })).toThrow(/must be a relative path/)
    })
  })
})
