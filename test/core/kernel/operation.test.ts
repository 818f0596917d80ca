// What operations are made of: their declaration, paths, list parameters and the building blocks of models.
import { describe, expect, it } from "@effect/vitest"
import * as Things from "@quartet/support/things.js"
import { SchemaAST as AST, Either, FastCheck as FC, Schema } from "effect"
import * as Decoder from "../../../core/kernel/codec/decoder.js"
import * as Entity from "../../../core/kernel/operation/entity.js"
import * as Input from "../../../core/kernel/operation/input.js"
import { Operation } from "../../../core/kernel/operation/operation.js"
import * as Path from "../../../core/kernel/operation/path.js"

describe("an operation", () => {
  it("is declared once, on first use", () => {
    let count = 0
    const input = { input: Entity.Nothing, success: Entity.Anything }
    const operation: Operation<Entity.Nothing, unknown, "admin"> = Operation.make("things.once", () => {
      count += 1
      return { method: "GET", path: "once", audiences: ["admin"], ...input }
    })
    expect([count, operation.name]).toEqual([0, "things.once"])
    operation.declaration()
    operation.declaration()
    expect(count).toBe(1)
  })

  it("is told from other values", () => {
    for (const value of [Things.get, Things.get.as(Things.Thing)])
      expect(Operation.isOperation(value)).toBe(true)
    for (const value of [undefined, null, {}, "things.get", { name: "things.get" }])
      expect(Operation.isOperation(value)).toBe(false)
  })
})

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
    ["a value that is only a comma", [","], "must not hold a comma, which parts the values of a list"],
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

const decode = <A, I>(schema: Schema.Schema<A, I>, value: unknown) =>
  Decoder.make(schema)(value, JSON.stringify(value))

it("an open enumeration keeps a value that the platform added later, and says which are known", () => {
  const Status = Entity.openLiteral("pending", "confirmed")
  expect(decode(Status, "pending")).toEqual(Either.right("pending"))
  expect(decode(Status, "added later")).toEqual(Either.right("added later"))
  const rule = "must be text, such as pending, confirmed"
  expect(decode(Status, 7)).toEqual(Either.left({ reason: "Shape", field: "", rule }))
})

it("a field that may be missing may be missing, null or there", () => {
  const Thing = Entity.open({ name: Entity.maybe(Schema.String) })
  for (const value of [{}, { name: null }, { name: "a" }])
    expect(decode(Thing, value)).toEqual(Either.right(value))
  expect(decode(Thing, { name: 7 })).toMatchObject(Either.left({ field: "name" }))
})
