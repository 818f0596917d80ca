// What callers pass in a query: plain values as text, lists joined by commas.
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FC from "effect/FastCheck"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import * as Input from "../../../../core/kernel/operation/input.js"

describe("a plain value", () => {
  it.each([
    ["text", "a b", "a b"],
    ["empty text", "", ""],
    ["a number", 1.5, "1.5"],
    ["nothing but nought", 0, "0"],
    ["true", true, "true"],
    ["false", false, "false"],
    ["a Date", new Date(0), "1970-01-01T00:00:00.000Z"]
  ])("that is %s is written as text", (_, value, text) => {
    expect(Input.scalar(value)).toEqual(Either.right(text))
  })

  it.each([
    ["NaN", Number.NaN, "must be a finite number"],
    ["-Infinity", Number.NEGATIVE_INFINITY, "must be a finite number"],
    ["a BigInt", 10n, "must not be a BigInt: pass it as text"],
    ["an invalid Date", new Date(Number.NaN), "must be a valid date"],
    ["null", null, "must be text, a number, a boolean or a Date"],
    ["an object", {}, "must be text, a number, a boolean or a Date"],
    ["a list", ["a"], "must be text, a number, a boolean or a Date"],
    ["a symbol", Symbol("s"), "must be text, a number, a boolean or a Date"],
    ["a function", () => "", "must be text, a number, a boolean or a Date"]
  ])("that is %s is refused", (_, value, rule) => {
    expect(Input.scalar(value)).toEqual(Either.left(rule))
  })
})

describe("a list parameter", () => {
  const encoding = Input.encodingOf(Input.list(Schema.String).ast)
  const write = (value: unknown) => encoding?.("ids", value)

  it.prop(
    "of values without commas is read back by splitting at the commas",
    [
      FC.array(
        FC.oneof(
          FC.string({ minLength: 1 }).filter((text) => !text.includes(",")),
          FC.integer(),
          FC.boolean()
        )
      )
    ],
    ([values]) => {
      const pairs = Either.getOrThrow(write(values)!)
      expect(pairs).toEqual(values.length === 0 ? [] : [["ids", values.map(String).join(",")]])
      if (pairs[0] !== undefined) expect(pairs[0][1].split(",")).toEqual(values.map(String))
    }
  )

  it("that is empty is left out", () => {
    expect(write([])).toEqual(Either.right([]))
  })

  it.each([
    ["a comma in a value", ["a", "b,c"], "must not hold a comma: the list is sent joined by commas"],
    ["a value that is only a comma", [","], "must not hold a comma: the list is sent joined by commas"],
    ["an empty value", ["a", ""], "must not hold an empty value: the list is sent joined by commas"],
    ["NaN", [Number.NaN], "must be a finite number"],
    ["a BigInt", [1n], "must not be a BigInt: pass it as text"],
    ["a list in the list", [["a"]], "must be text, a number, a boolean or a Date"],
    ["a gap", new Array<string>(1), "must be text, a number, a boolean or a Date"],
    ["text in place of a list", "a,b", "must be a list"],
    ["an object in place of a list", { 0: "a", length: 1 }, "must be a list"]
  ])("with %s is refused", (_, value, rule) => {
    expect(write(value)).toEqual(Either.left(rule))
  })

  it("is known in a struct, optional or not, annotated further or not", () => {
    const list = Input.list(Schema.String)
    for (const field of [list, Schema.optional(list), Schema.optional(Schema.NullOr(list))]) {
      const [property] = AST.getPropertySignatures(Schema.Struct({ ids: field }).ast)
      expect(Input.encodingOf(property!.type)).toBe(encoding)
    }
    expect(Input.encodingOf(list.annotations({ description: "of users" }).ast)).toBe(encoding)
    expect(Input.encodingOf(Schema.Array(Schema.String).ast)).toBeUndefined()
  })
})
