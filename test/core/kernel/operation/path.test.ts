// Values in paths: percent-encoded so that the platform reads back what was meant, or refused.
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FC from "effect/FastCheck"
import * as Path from "../../../../core/kernel/operation/path.js"

describe("a template", () => {
  it.each([
    ["projects", ["projects"], []],
    ["/project/{id}", ["project/", ""], ["id"]],
    ["a/{b}/c/{d}/e", ["a/", "/c/", "/e"], ["b", "d"]],
    ["{a}{b}", ["", "", ""], ["a", "b"]],
    ["///x", ["x"], []]
  ])("%s is cut at its parameters", (template, texts, names) => {
    expect(Path.parse(template)).toEqual({ texts, names })
  })
})

describe("a path value", () => {
  it.prop(
    "is read back by URL decoding as it was given",
    [FC.string({ unit: "binary", minLength: 1 })],
    ([text]) => {
      const encoded = Path.encode(text)
      const isRefused = text === "." || text === ".." || /\p{Surrogate}/u.test(text)
      expect(Either.isLeft(encoded)).toBe(isRefused)
      if (Either.isRight(encoded)) expect(decodeURIComponent(encoded.right)).toBe(text)
    }
  )

  it.prop(
    "stays one segment of the URL, and the URL stays where it was",
    [
      FC.oneof(
        FC.string({ unit: "binary" }),
        FC.string({ unit: FC.constantFrom(..."./\\%?#@:&=;2eEfF \t\r\n~") })
      )
    ],
    ([text]) => {
      const encoded = Path.encode(text)
      if (Either.isLeft(encoded)) return
      const url = new URL(`https://api.example.test/v9/things/${encoded.right}/seen`)
      expect(url.origin).toBe("https://api.example.test")
      expect(url.search + url.hash).toBe("")
      const segments = url.pathname.split("/")
      expect(segments).toHaveLength(5)
      expect(decodeURIComponent(segments[3] ?? "")).toBe(text)
    },
    { fastCheck: { numRuns: 2_000 } }
  )

  it.each([
    ["a/b", "a%2Fb"],
    ["a\\b", "a%5Cb"],
    ["%2e%2e", "%252e%252e"],
    ["%2F", "%252F"],
    ["...", "..."],
    ["..;", "..%3B"],
    [" ..", "%20.."],
    ["?q=1", "%3Fq%3D1"],
    ["#x", "%23x"],
    ["@evil.test", "%40evil.test"],
    ["//evil.test", "%2F%2Fevil.test"],
    ["a\r\nx-evil: 1", "a%0D%0Ax-evil%3A%201"],
    ["\u0000", "%00"],
    ["a+b", "a%2Bb"],
    ["é", "%C3%A9"],
    ["😀", "%F0%9F%98%80"],
    ["{id}", "%7Bid%7D"]
  ])("%j is written %s", (value, expected) => {
    expect(Path.encode(value)).toEqual(Either.right(expected))
  })

  it.each([
    [0, "0"],
    [42, "42"],
    [-1.5, "-1.5"],
    [1e21, "1e+21"]
  ])("%d, a number, is written in digits", (value, expected) => {
    expect(Path.encode(value)).toEqual(Either.right(expected))
  })

  it.each([
    ["nothing", "", "must not be empty"],
    ["a dot", ".", 'must not be "." or ".."'],
    ["two dots", "..", 'must not be "." or ".."'],
    ["half a character pair", "a\ud800b", "must not hold half of a surrogate pair"],
    ["the other half", "\udc00", "must not hold half of a surrogate pair"],
    ["a pair the wrong way round", "\udc00\ud800", "must not hold half of a surrogate pair"],
    ["NaN", Number.NaN, "must be a finite number"],
    ["Infinity", Number.POSITIVE_INFINITY, "must be a finite number"],
    ["undefined", undefined, "must be text or a number"],
    ["null", null, "must be text or a number"],
    ["true", true, "must be text or a number"],
    ["an object", { toString: () => "x" }, "must be text or a number"],
    ["a list", ["x"], "must be text or a number"],
    ["a Date", new Date(0), "must be text or a number"],
    ["a BigInt", 1n, "must be text or a number"],
    ["a symbol", Symbol("x"), "must be text or a number"],
    ["a function", () => "x", "must be text or a number"]
  ])("that is %s is refused", (_, value, rule) => {
    expect(Either.getOrThrow(Either.flip(Path.encode(value)))).toContain(rule)
  })
})
