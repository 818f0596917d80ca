// Answers that are made to do harm, by their keys or by their depth, do none.
import { afterEach, describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Decoder from "../../../core/kernel/codec/decoder.js"
import { maxDepth } from "../../../core/kernel/codec/state.js"
import * as Entity from "../../../core/kernel/operation/entity.js"
import { date, decode, failure, value, when } from "./sample-decoder.js"

describe("hostile keys", () => {
  const names = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"]
  const Closed = Schema.Struct({ _id: Schema.String })

  it.each(names)("%s stays own data, and no prototype is touched", (name) => {
    const source = `{"_id":"a","${name}":{"isAdmin":true,"at":"${when}"},"in":[{"${name}":"${when}"}]}`
    for (const schema of [Closed, Entity.open({ _id: Schema.String }), Schema.Unknown]) {
      const decoded = Either.getOrThrow(decode<unknown>(schema, source))
      expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype)
      expect(Object.getOwnPropertyDescriptor(decoded, name)?.value).toEqual({ isAdmin: true, at: date })
      expect(decoded).not.toHaveProperty("isAdmin")
      expect(Object.prototype).not.toHaveProperty("isAdmin")
    }
  })

  it.each(names)("%s as a required field is not found on the prototype", (name) => {
    const Needs = Schema.Struct({ [name]: Schema.Unknown.pipe(Schema.filter(() => true)) })
    expect(Either.isLeft(decode(Needs, "{}"))).toBe(true)
    expect(Either.isRight(decode(Needs, `{"${name}":1}`))).toBe(true)
  })
})

describe("a polluted Object.prototype", () => {
  const polluted = ["_id", "items", "evil", "note"]
  afterEach(() => {
    for (const name of polluted) Reflect.deleteProperty(Object.prototype, name)
  })
  const pollute = (value: unknown) => {
    for (const name of polluted)
      Object.defineProperty(Object.prototype, name, {
        value,
        configurable: true,
        writable: true,
        enumerable: true
      })
  }

  it("gives no required field", () => {
    pollute("from the prototype")
    expect(failure(Schema.Struct({ _id: Entity.Id }), {})).toMatchObject({
      field: "_id",
      rule: "is required"
    })
  })

  it("gives no optional field, and adds nothing to a value", () => {
    pollute(when)
    const decoded = value(Entity.open({ a: Schema.Number, note: Entity.maybe(Schema.String) }), { a: 1 })
    expect(Object.keys(decoded)).toEqual(["a"])
    expect(Object.entries(Object.prototype).map(([, held]) => held)).toEqual(polluted.map(() => when))
  })

  it("does not change how a value's own fields are read", () => {
    pollute(() => "wrong")
    expect(value(Schema.Unknown, { evil: when })).toEqual({ evil: date })
    expect(value(Schema.Struct({ a: Schema.Number }), { a: 1, evil: "x" })).toEqual({ a: 1, evil: "x" })
  })
})

describe("nesting", () => {
  const nested = (levels: number, open: string, close: string): string =>
    open.repeat(levels) + close.repeat(levels)
  interface Tree {
    readonly children?: ReadonlyArray<Tree> | undefined
  }
  const Tree: Schema.Schema<Tree> = Schema.Struct({
    children: Schema.optional(Schema.Array(Schema.suspend(() => Tree)))
  })

  it.each([
    ["lists", Schema.Unknown, "[", "]"],
    ["objects", Schema.Unknown, '{"a":', "1}"],
    ["declared things", Tree, '{"children":[', "]}"],
    ["lists in a declared thing", Tree, '{"children":[{"x":', "1}]}"]
  ])("of %s 100,000 deep is refused, not a crash", (_, schema, open, close) => {
    const source = nested(100_000, open, close).replaceAll("1}", "}").replace('":}', '":1}')
    const parsed = Decoder.json(source)
    expect(Either.isRight(parsed), "the text itself is JSON").toBe(true)
    const said = Either.getOrThrow(Either.flip(decode<unknown>(schema, source)))
    expect(said).toMatchObject({
      reason: "TooDeep",
      rule: `must not be nested more than ${maxDepth} levels deep`
    })
  })

  it(`of ${maxDepth} levels is taken, and of one more is not`, () => {
    expect(Either.isRight(decode(Schema.Unknown, nested(maxDepth, "[", "]")))).toBe(true)
    expect(Either.isLeft(decode(Schema.Unknown, nested(maxDepth + 1, "[", "]")))).toBe(true)
  })

  it("is counted along one branch, not over the whole answer", () => {
    const wide = JSON.stringify(Array.from({ length: 5_000 }, () => ({ a: [[{}]] })))
    expect(Either.isRight(decode(Schema.Unknown, wide))).toBe(true)
    expect(Either.isRight(decode(Schema.Array(Schema.Struct({ a: Schema.Unknown })), wide))).toBe(true)
  })
})
