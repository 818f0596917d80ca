// The hostile line's own reading of an answer: it notices every silent change of a value, and finds none where there is none.
import { describe, expect, test } from "vitest"
import { difference, isPolluted, saidIn } from "./truth.js"

const said = JSON.parse(
  '{"_id":"x","n":-0.5,"zero":-0,"none":null,"list":[1,[2,{"deep":true}]],"text":"2024-02-30T10:00:00Z",' +
    '"at":"2024-02-29T10:00:00.1234+04:00","":{"toString":1}}'
)
const at = new Date("2024-02-29T06:00:00.123Z")
const read = (): Record<string, unknown> => ({ ...structuredClone(said), at })

const but = (fields: object): unknown => ({ ...read(), ...fields })
const { none: _, ...short } = read()
const nextMillisecond = new Date(at.getTime() + 1)

const changes: ReadonlyArray<readonly [what: string, value: unknown, difference: string]> = [
  ["another text", but({ _id: "y" }), "the answer._id is another text"],
  ["a number that was rounded", but({ n: -0.4 }), "n is another value"],
  ["a zero that lost its sign", but({ zero: 0 }), "zero is another value"],
  ["a null that became undefined", but({ none: undefined }), "none is another value"],
  ["an item that is missing", but({ list: [1] }), "list.1 is no longer an object"],
  ["an item that was added", but({ list: [1, said.list[1], 3] }), "list.2 was not said"],
  ["a list that became an object", but({ list: { ...said.list } }), "list has another prototype"],
  ["a value deep inside", but({ list: [1, [2, { deep: false }]] }), "answer.list.1.1.deep is another value"],
  ["a field that is missing", short, "none is another value"],
  ["a field that was added", but({ more: 1 }), "more was not said"],
  ["a date-time that stayed a text", but({ at: said.at }), "at did not become a date"],
  ["another time", but({ at: nextMillisecond }), "at became a date"],
  [
    "an impossible day that became a date",
    but({ text: new Date("2024-03-01T10:00Z") }),
    "text became a date"
  ],
  ["a number that became a date", but({ n: new Date(0) }), "n became a date"],
  ["another prototype", Object.setPrototypeOf(read(), { x: true }), "the answer has another prototype"],
  ["a text in place of an object", "x", "the answer is no longer an object"]
]

describe("a reading is compared with what was said:", () => {
  test.each(changes)("%s is noticed", (_, value, expected) => {
    expect(difference(value, said)).toContain(expected)
  })

  test("what was read as it was said differs in nothing", () => {
    expect(difference(read(), said)).toBeUndefined()
  })

  test("a key named __proto__ may be dropped, and must not become a prototype", () => {
    const own = JSON.parse('{"__proto__":{"x":1},"a":1}')
    expect(difference({ a: 1 }, own)).toBeUndefined()
    expect(difference(JSON.parse('{"__proto__":{"x":1},"a":1}'), own)).toBeUndefined()
    expect(difference(Object.setPrototypeOf({ a: 1 }, { x: 1 }), own)).toBe(
      "the answer has another prototype"
    )
  })

  test.each([
    ["2024-01-02T03:04Z", "2024-01-02T03:04:00.000Z"],
    ["2024-01-02T03:04:05Z", "2024-01-02T03:04:05.000Z"],
    ["2024-01-02T03:04:05.6Z", "2024-01-02T03:04:05.600Z"],
    ["2024-01-02T03:04:05.678901-01:30", "2024-01-02T04:34:05.678Z"]
  ])("%s is read as a date", (text, time) => {
    expect(difference(new Date(time), text)).toBeUndefined()
  })

  test.each(["2024-01-02", "2024-13-01T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T10:00Z x", ""])(
    "%j stays a text",
    (text) => expect(difference(text, text)).toBeUndefined()
  )
})

test("a number that JavaScript cannot hold is said by its decimal text, and no other number is", () => {
  expect(saidIn('{"a":9007199254740993,"b":[-9223372036854775808,1e400]}')).toEqual({
    a: "9007199254740993",
    b: ["-9223372036854775808", "1e400"]
  })
  const numbers = [
    "[9007199254740992,-9007199254740992]",
    '{"9007199254740993":"1e400"}',
    '"\\"1e400"',
    "0.1",
    "{}"
  ]
  for (const json of numbers) expect(saidIn(json)).toEqual(JSON.parse(json))
})

const isSeen = (key: string, enumerable: boolean): boolean => {
  Object.defineProperty(Object.prototype, key, { value: 1, enumerable, configurable: true, writable: true })
  const seen = isPolluted()
  Reflect.deleteProperty(Object.prototype, key)
  return seen
}

test("a polluted prototype is noticed by any key that is enumerable, and by the key that hostile answers carry", () => {
  expect(isPolluted()).toBe(false)
  expect(isSeen("polluted", false)).toBe(true)
  expect(isSeen("other", true)).toBe(true)
  expect(isPolluted()).toBe(false)
})
