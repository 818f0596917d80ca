// A message's digest: it tells contents apart, in whatever order their fields come.
import { FastCheck } from "effect"
import { expect, test } from "vitest"
import { digest } from "../../../core/chat/identity.js"

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, field]) => [name, reversed(field)])
  )
}

test("is the same for the same content in another order of fields", () => {
  FastCheck.assert(
    FastCheck.property(FastCheck.jsonValue(), (value) => {
      expect(digest(reversed(value))).toBe(digest(value))
    })
  )
})

test("differs where anything differs: a kind, a place, a name, a border between texts", () => {
  const time = Date.parse("2024-05-01T10:00:00Z")
  const contents: ReadonlyArray<unknown> = [
    ...[
      "",
      "5",
      "5;",
      "null",
      5,
      -5,
      5.5,
      null,
      undefined,
      true,
      "true",
      {},
      [],
      [[]],
      [{}],
      [""],
      [1, 2],
      [2, 1],
      [12]
    ],
    ...[{ a: 1 }, { a: "1" }, { b: 1 }, { a: { b: 1 } }, { b: { a: 1 } }, { a: 1, b: 2 }, { a: 2, b: 1 }],
    ...[
      { a: "bc" },
      { ab: "c" },
      { a: "b", c: "" },
      { a: ["b", "c"] },
      { a: ["bc"] },
      { a: 1, b: 1 },
      { a: 1, c: 1 }
    ],
    ...[time, time + 1, time + 2 ** 32].map((millis) => new Date(millis)),
    ...[time, `@${time};`, new Uint8Array([1, 2]), new Uint8Array([12]), { a: undefined }]
  ]
  expect(new Set(contents.map(digest)).size).toBe(contents.length)
})
