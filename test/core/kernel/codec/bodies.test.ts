// The bodies of all calls: what each refuses, what it sends, and the one door past it. A new call is held to the same.
import { describe, expect, it } from "@effect/vitest"
import { encode } from "@quartet/support/encoding.js"
import { Either } from "effect"
import * as AST from "effect/SchemaAST"
import { operations } from "../../../../core/catalogue.js"
import { BodyId } from "../../../../core/kernel/operation/answer.js"
import type { Operation } from "../../../../core/kernel/operation/operation.js"
import * as Raw from "../../../../core/kernel/operation/raw.js"

type AnyOperation = Operation<never, unknown, never>

/** A call with a body: its kind, the names that it knows, and the other fields that the call needs. */
interface Bodied {
  readonly operation: AnyOperation
  readonly name: string
  readonly kind: unknown
  readonly isOptional: boolean
  readonly names: ReadonlyArray<string>
  readonly rest: Readonly<Record<string, string>>
}

const fieldsOf = (operation: AnyOperation) =>
  AST.getPropertySignatures(AST.typeAST(operation.declaration().input.ast))

const givenOf = (type: AST.AST): AST.AST =>
  AST.isUnion(type) ? (type.types.find((member) => !AST.isUndefinedKeyword(member)) ?? type) : type

const bodied: ReadonlyArray<Bodied> = operations.flatMap((operation) => {
  const fields = fieldsOf(operation)
  const payload = fields.find(({ name }) => name === "payload")
  if (payload === undefined) return []
  const ast = givenOf(payload.type)
  const others = fields.filter(({ isOptional, name }) => name !== "payload" && !isOptional)
  return {
    operation,
    name: operation.name,
    kind: ast.annotations[BodyId],
    isOptional: payload.isOptional,
    names: AST.getPropertySignatures(ast).map(({ name }) => String(name)),
    rest: Object.fromEntries(others.map(({ name }) => [String(name), "a"]))
  }
})

const named = bodied.filter(({ kind, names }) => names.length > 0 && kind !== "open")
const ofMoney = bodied.filter(({ kind }) => kind === "all" || kind === "checked")
const ofOwnData = bodied.filter(({ kind }) => kind === "open")
const ofNearNames = bodied.filter(({ kind }) => kind === "near")

const ofProject = { projectId: "p1" }

/** What a call makes of a body: the text that it sends, or what it refuses. */
const given = ({ operation, rest }: Bodied, payload: unknown) =>
  Either.merge(
    Either.map(encode(operation, { ...rest, payload }, ofProject), ({ body }) =>
      body?._tag === "Json" ? body.text : body
    )
  )

/** A name that is near to none. */
const unheard = "zzqxjunheardof"

class Instance {
  readonly type = "VISIT"
}

const cyclic = () => {
  const value: Record<string, unknown> = {}
  value.self = value
  return value
}

describe("the bodies of all calls", () => {
  it("are found", () => {
    expect(bodied.length).toBeGreaterThan(40)
    expect(named.length).toBeGreaterThan(30)
  })

  it("are all of a kind", () => {
    expect(bodied.filter(({ kind }) => kind === undefined)).toEqual([])
    expect(ofOwnData.map(({ name }) => name).sort()).toEqual([
      "boxes.create",
      "boxes.update",
      "content.create",
      "content.update",
      "entities.create",
      "entities.update",
      "providers.activate",
      "providers.deactivate",
      "requests.review"
    ])
  })

  it("are closed where money moves, which is what payments and their links do", () => {
    const payments = bodied.filter(({ name }) => name.startsWith("payments."))
    expect(ofMoney).toEqual(payments)
    expect(payments.map(({ name }) => name).sort()).toEqual(["payments.payWithLink", "payments.refund"])
  })
})

describe.each(bodied.filter(({ isOptional }) => !isOptional))("the body of $name", (call) => {
  it("is required", () => {
    const required = { field: "payload", rule: "is required" }
    expect(Either.merge(encode(call.operation, call.rest, ofProject))).toEqual(required)
    expect(given(call, undefined)).toEqual(required)
  })

  it("is not null", () => {
    expect(given(call, null)).toMatchObject({ field: "payload" })
  })
})

describe.each(bodied)("the body of $name", (call) => {
  it("goes through Input.raw as it is", () => {
    for (const value of [{ [unheard]: [1, { a: null }] }, [], [{ a: 1 }], "text", 7, false, null])
      expect(given(call, Raw.raw(value))).toBe(JSON.stringify(value))
  })

  it("is something that can be sent, however it comes", () => {
    for (const [value, rule] of [
      [undefined, "must not be Input.raw of undefined"],
      [Raw.raw({}), "must not be Input.raw"],
      [() => 1, "must not be a function"],
      [Symbol("s"), "must not be a symbol"],
      [1n, "must not be a BigInt"],
      [Number.NaN, "must be a finite number"],
      [new Map([["a", 1]]), "must be plain data"],
      [new Instance(), "must be plain data"]
    ] as const)
      expect(given(call, Raw.raw(value))).toEqual({ field: "payload", rule: expect.stringContaining(rule) })
    expect(given(call, Raw.raw(cyclic()))).toEqual({ field: "payload.self", rule: "must not hold itself" })
  })

  it("has nothing raw inside of it, at any depth, and never sends the mark", () => {
    const rule = expect.stringContaining("must not be Input.raw")
    for (const deep of [Raw.raw({ a: [Raw.raw(1)] }), Raw.raw({ a: [{ toJSON: () => Raw.raw(1) }] })])
      expect(given(call, deep)).toEqual({ field: "payload.a.0", rule })
  })
})

describe.each(bodied)("the body of $name", (call) => {
  it("is not raw since somebody wrote JSON that looks so, and is not sent", () => {
    for (const value of [{ type: "a" }, "x", null, { amout: 5 }]) {
      const forged = JSON.parse(JSON.stringify({ [Raw.mark]: value }))
      for (const payload of [forged, { ...forged, toJSON: undefined }, { deep: [forged] }])
        expect(given(call, payload)).toMatchObject({ field: expect.stringMatching(/^payload/) })
    }
  })
})

describe.each(named)("a field of the body of $name", (call) => {
  const slips = (name: string) =>
    [
      `${name}${name.at(-1)}`,
      name.toUpperCase(),
      `${name[0]?.toUpperCase()}${name.slice(1)}`,
      `${name}_`
    ].filter((slip) => !call.names.includes(slip))

  it("is refused under nearly its name, with the one that was meant", () => {
    for (const slip of call.names.flatMap(slips))
      expect([slip, given(call, { [slip]: "s3cr3t" })]).toEqual([
        slip,
        {
          field: `payload.${slip}`,
          rule: expect.stringMatching(
            /^is not a field of this body \(did you mean "(\w+)"\?\); Input\.raw passes others$/
          )
        }
      ])
  })

  it("suggests a name that the body has", () => {
    for (const name of call.names)
      for (const slip of slips(name)) {
        const { rule } = Object(given(call, { [slip]: 1 }))
        expect(call.names).toContain(/"(\w+)"/.exec(rule)?.[1])
      }
  })

  it("passes under nearly its name by Input.raw", () => {
    for (const slip of call.names.flatMap(slips))
      expect(given(call, Raw.raw({ [slip]: 1 }))).toBe(JSON.stringify({ [slip]: 1 }))
  })
})

describe.each(bodied.filter(({ kind }) => kind !== undefined && kind !== "own"))(
  "the body of $name",
  (call) => {
    it("is an object of fields", () => {
      for (const [value, rule] of [
        [[], "must be an object; Input.raw passes others"],
        [[{}], "must be an object; Input.raw passes others"],
        ["text", "must be an object; Input.raw passes others"],
        [5, "must be an object; Input.raw passes others"],
        [() => 1, "must be an object; Input.raw passes others"],
        [new Map([["type", 1]]), "must be a plain object"],
        [new Set([1]), "must be a plain object"],
        [new Date(0), "must be a plain object"],
        [Buffer.from("ab"), "must be a plain object"],
        [new URLSearchParams("type=a"), "must be a plain object"],
        [Promise.resolve({}), "must be a plain object, not a Promise: await it"],
        [{ toJSON: () => "text" }, "must be an object; Input.raw passes others"]
      ] as const)
        expect(given(call, value)).toEqual({ field: "payload", rule })
    })
  }
)

describe.each(ofNearNames)("the body of $name", (call) => {
  it("sends fields that the SDK does not know, whatever they hold", () => {
    const payload = {
      [unheard]: { deep: [1, null, { amout: 5 }] },
      constructor: 1,
      toString: "a",
      left: undefined
    }
    expect(given(call, payload)).toBe(
      JSON.stringify({ [unheard]: { deep: [1, null, { amout: 5 }] }, constructor: 1, toString: "a" })
    )
    expect(given(call, JSON.parse('{"__proto__":{"admin":true}}'))).toBe('{"__proto__":{"admin":true}}')
  })

  it("counts an undefined field as left out, also under nearly a known name", () => {
    expect(given(call, { [`${call.names[0]}${call.names[0]?.at(-1)}`]: undefined })).toBe("{}")
  })

  it("refuses what is raw inside of it", () => {
    for (const [payload, field] of [
      [{ [call.names[0] ?? ""]: Raw.raw(1) }, call.names[0]],
      [{ [unheard]: [{ a: Raw.raw(1) }] }, `${unheard}.0.a`]
    ] as const)
      expect(given(call, payload)).toEqual({
        field: `payload.${field}`,
        rule: expect.stringContaining("must not be Input.raw")
      })
  })

  it("is what its own toJSON says, whose names are checked", () => {
    const name = call.names[0] ?? ""
    const document = (said: unknown) => ({ internal: 1, toJSON: () => said })
    expect(given(call, document({ [name]: 1 }))).toBe(JSON.stringify({ [name]: 1 }))
    expect(given(call, document({ [name.toUpperCase()]: 1 }))).toMatchObject({
      field: `payload.${name.toUpperCase()}`
    })
  })
})

describe.each(ofOwnData)("the body of $name", (call) => {
  it("takes data of any names, also of those that are near to a known one", () => {
    for (const name of [unheard, "date", "table", "translation", "Type", "constructor"])
      expect(given(call, { [name]: 1 })).toBe(JSON.stringify({ [name]: 1 }))
  })

  it("refuses what is raw inside of it", () => {
    expect(given(call, { own: [Raw.raw(1)] })).toEqual({
      field: "payload.own.0",
      rule: expect.stringContaining("must not be Input.raw")
    })
  })
})

describe.each(ofMoney)("the body of $name", (call) => {
  it("refuses every name that it does not know, with or without a value", () => {
    for (const name of [unheard, "amout", "constructor", "toString", "hasOwnProperty", "valueOf", "_"])
      for (const value of [5, null, undefined])
        expect([name, given(call, { [name]: value })]).toEqual([
          name,
          { field: `payload.${name}`, rule: expect.stringContaining("is not a field of this body") }
        ])
    expect(given(call, JSON.parse('{"__proto__":{"amount":5}}'))).toMatchObject({
      field: "payload.__proto__"
    })
  })

  it("does not look up the names of a prototype", () => {
    expect(given(call, Object.create({ amount: 5 }))).toMatchObject({ field: "payload" })
    expect(given(call, Object.assign(Object.create(null), { amount: 5 }))).toBe('{"amount":5}')
  })

  it("is no instance of a class, whose fields may be of its own making", () => {
    class Refund {
      readonly amount = 5
    }
    expect(given(call, new Refund())).toEqual({
      field: "payload",
      rule: expect.stringContaining("must be plain data")
    })
  })

  it("is what its own toJSON says, which is checked as well", () => {
    class Refund {
      readonly amount = 5
      constructor(readonly said: unknown) {}
      toJSON() {
        return this.said
      }
    }
    expect(given(call, new Refund({ amount: 7 }))).toBe('{"amount":7}')
    expect(given(call, new Refund({ amout: 7 }))).toMatchObject({ field: "payload.amout" })
    expect(given(call, new Refund(5))).toMatchObject({ field: "payload" })
  })
})
