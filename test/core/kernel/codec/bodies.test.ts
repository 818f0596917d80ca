// The bodies of all calls: what each refuses, what it sends, and the one door past it. A new call is held to the same.
import { describe, expect, it } from "@effect/vitest"
import { encode } from "@quartet/support/encoding.js"
import { Either } from "effect"
import * as AST from "effect/SchemaAST"
import { operations } from "../../../../core/catalogue.js"
import { BodyId, WordsId } from "../../../../core/kernel/operation/answer.js"
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

const named = bodied.filter(({ names }) => names.length > 0)
const ofMoney = bodied.filter(({ kind }) => kind === "checked")
const ofOwnFields = bodied.filter(({ kind }) => kind === "open")
const ofSearches = bodied.filter(({ kind }) => kind === "search")
const ofNearNames = named.filter(({ kind }) => kind === "near")
const closed = [...ofMoney, ...ofSearches]

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
    expect(ofOwnFields.map(({ name }) => name).sort()).toEqual([
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

  it("are searches where a list is chosen by them", () => {
    const lists = bodied.filter(({ operation }) => "page" in operation.declaration().success)
    expect(ofSearches).toEqual(lists)
    expect(ofSearches.length).toBeGreaterThan(3)
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

  it("is Input.raw of all of it: what is added to that would not be sent", () => {
    const added = [
      { ...Object(Raw.raw({ note: 1 })), amount: 5 },
      Object.assign({ amount: 5 }, Raw.raw({ note: 1 }))
    ]
    for (const value of added)
      expect(given(call, value)).toEqual({
        field: "payload",
        rule: expect.stringContaining("Input.raw of all")
      })
  })

  it("is a field of the input's own, which would not be sent otherwise", () => {
    const own = { ...Object(call.rest) }
    const inherited = Object.assign(Object.create({ payload: { amount: 5 } }), { own: undefined }, own)
    const hidden = Object.defineProperty({ ...own }, "payload", { value: { amount: 5 }, enumerable: false })
    class Computed {
      readonly own = undefined
      get payload() {
        return { amount: 5 }
      }
    }
    for (const input of [inherited, hidden, Object.assign(new Computed(), own)])
      expect(Either.merge(encode(call.operation, input, ofProject))).toEqual({
        field: "payload",
        rule: expect.stringContaining("must be an own field")
      })
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
  it("is one of the body's own, which would not be sent otherwise", () => {
    for (const name of call.names) {
      const inherited = Object.assign(Object.create({ [name]: 5 }), { [unheard]: undefined })
      expect(given(call, inherited)).toMatchObject({ field: `payload.${name}` })
    }
  })
})

describe.each(named.filter(({ kind }) => kind !== "open"))("a field of the body of $name", (call) => {
  const slips = (name: string) =>
    [
      ...(name.replaceAll("_", "").length < 3
        ? []
        : [`${name}${name.at(-1)}`, `${name.slice(0, -2)}${name.at(-1)}${name.at(-2)}`]),
      ...(name.length < 4 ? [] : [name.slice(0, -1)]),
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

/** What a call needs in its body beside anything else. */
const leastOf = ({ names }: Bodied): Readonly<Record<string, unknown>> =>
  names.includes("toAll") ? { userId: "u1" } : {}

describe.each([...ofNearNames, ...ofOwnFields])("the body of $name", (call) => {
  const least = leastOf(call)

  it("sends fields that the SDK does not know, whatever they hold", () => {
    const payload = {
      ...least,
      [unheard]: { deep: [1, null, { amout: 5 }] },
      constructor: 1,
      toString: "a",
      left: undefined
    }
    expect(given(call, payload)).toBe(
      JSON.stringify({
        ...least,
        [unheard]: { deep: [1, null, { amout: 5 }] },
        constructor: 1,
        toString: "a"
      })
    )
    const named = JSON.stringify({ ...least, constructor: { admin: true } }).replace(
      "constructor",
      "__proto__"
    )
    expect(given(call, JSON.parse(named))).toBe(named)
  })

  it("counts an undefined field as left out, also under nearly a known name", () => {
    const slip = `${call.names[0]}${call.names[0]?.at(-1)}`
    expect(given(call, { ...least, [slip]: undefined })).toBe(JSON.stringify(least))
  })

  it("has no slip of a name that is given beside it", () => {
    const all = Object.fromEntries(call.names.map((name) => [name, Raw.raw("a")]))
    for (const known of call.names)
      expect(given(call, { ...all, [`${known}_`]: 1 })).not.toMatchObject({ field: `payload.${known}_` })
  })

  it("refuses what is raw inside of it", () => {
    expect(given(call, { ...least, [unheard]: [{ a: Raw.raw(1) }] })).toEqual({
      field: `payload.${unheard}.0.a`,
      rule: expect.stringContaining("must not be Input.raw")
    })
    const name = call.names[0] ?? unheard
    expect(given(call, { ...least, [name]: Raw.raw(1) })).toMatchObject({ field: `payload.${name}` })
  })
})

describe.each(ofNearNames)("the body of $name", (call) => {
  it("has a slip of a name that is given beside it as undefined", () => {
    const name = call.names.at(-1) ?? ""
    const slip = `${name}_`
    expect(given(call, { [name]: undefined, [slip]: 1 })).toMatchObject({ field: `payload.${slip}` })
  })

  it("is what its own toJSON says, whose names are checked", () => {
    const name = call.names[0] ?? ""
    const document = (said: unknown) => ({ internal: 1, toJSON: () => said })
    const said = { ...leastOf(call), [unheard]: 1 }
    expect(given(call, document(said))).toBe(JSON.stringify(said))
    expect(given(call, document({ [name.toUpperCase()]: 1 }))).toMatchObject({
      field: `payload.${name.toUpperCase()}`
    })
  })
})

describe.each(ofOwnFields)("the body of $name", (call) => {
  it("takes data of any names, also near to those that are known", () => {
    const near = call.names.flatMap((name) => [name.toUpperCase(), `${name}2`, `${name}s`, name.slice(0, -1)])
    for (const name of [unheard, "date", "table", "tile", "translation", "Type", "constructor", ...near])
      expect(given(call, { [name]: 1 })).toBe(JSON.stringify({ [name]: 1 }))
  })
})

describe.each(closed)("the body of $name", (call) => {
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
})

describe.each(ofMoney)("the body of $name", (call) => {
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

describe.each(ofSearches)("the body of $name", (call) => {
  const wordsOf = (type: AST.AST): ReadonlyArray<string> | undefined => {
    const { annotations } = givenOf(type)
    return annotations[WordsId] as ReadonlyArray<string> | undefined
  }
  const types = new Map(
    AST.getPropertySignatures(
      givenOf(fieldsOf(call.operation).find(({ name }) => name === "payload")?.type ?? AST.neverKeyword)
    ).map(({ name, type }) => [String(name), type])
  )
  const itemOf = (type: AST.AST): AST.AST | undefined => {
    const list = givenOf(type)
    return AST.isTupleType(list) ? list.rest[0]?.type : undefined
  }

  it("holds its page and limit to numbers, and its lists to lists", () => {
    for (const [field, value, rule] of [
      ["page", "1", "must be a number"],
      ["page", -1, "must be a whole number, at least 0"],
      ["limit", "5", "must be a number"],
      ["limit", 0, "must be a whole number, at least 1"],
      ["search", 5, "must be a string"]
    ] as const)
      expect(given(call, { [field]: value })).toEqual({ field: `payload.${field}`, rule })
    for (const [field, type] of types)
      if (itemOf(type) !== undefined)
        expect(given(call, { [field]: "a" })).toEqual({ field: `payload.${field}`, rule: "must be a list" })
    expect(given(call, { page: 2, limit: 5 })).toBe('{"page":2,"limit":5}')
  })

  it("closes its status, which is one of the known words, or another one through Input.raw", () => {
    const words = ["status", "statusIn"].flatMap((field) => {
      const type = types.get(field)
      if (type === undefined) return []
      const item = itemOf(type)
      const known = wordsOf(item ?? type)?.[0]
      const wrap = (word: unknown) => ({ [field]: item === undefined ? word : [word] })
      return [{ known, wrap, path: item === undefined ? field : `${field}.0` }]
    })
    expect(words.length).toBeGreaterThan(0)
    for (const { known, path, wrap } of words) {
      expect(given(call, wrap(known))).toBe(JSON.stringify(wrap(known)))
      expect(given(call, wrap(Raw.raw("on_hold")))).toBe(JSON.stringify(wrap("on_hold")))
      for (const word of ["on_hold", { [Raw.mark]: "on_hold" }, 5])
        expect(given(call, wrap(word))).toEqual({
          field: `payload.${path}`,
          rule: expect.stringContaining("must be one of")
        })
      expect(given(call, wrap(Raw.raw(undefined)))).toMatchObject({ field: `payload.${path}` })
    }
  })
})

const callOf = (name: string): Bodied => {
  const found = bodied.find((call) => call.name === name)
  if (found === undefined) throw new Error(`there is no call ${name} with a body`)
  return found
}

describe("the body of a payment by link", () => {
  const link = callOf("payments.payWithLink")

  it("needs an amount above 0", () => {
    expect(given(link, { amount: 5 })).toBe('{"amount":5}')
    for (const body of [{}, { currency: "USD" }])
      expect(given(link, body)).toEqual({ field: "payload.amount", rule: "is required" })
    for (const amount of [undefined, "5", 0, -5, Number.NaN, Number.POSITIVE_INFINITY, null, [5]])
      expect(given(link, { amount })).toEqual({
        field: "payload.amount",
        rule: expect.stringMatching(/^must be a (finite )?number/)
      })
  })
})

describe.each(ofMoney)("the body of $name", (call) => {
  it("holds every known field to its kind", () => {
    for (const name of call.names)
      expect([name, given(call, { amount: 5, [name]: { not: "so" } })]).toEqual([
        name,
        { field: `payload.${name}`, rule: expect.stringMatching(/^must be/) }
      ])
  })
})

describe("a body inside of a body", () => {
  const model = callOf("models.create")

  it("is held to its names, as where it is the whole", () => {
    expect(given(model, { apiId: "news", fields: [{ apiid: "t", tipe: "TEXT" }] })).toEqual({
      field: "payload.fields.0.apiid",
      rule: 'is not a field of this body (did you mean "apiId"?); Input.raw passes others'
    })
    const fields = [{ apiId: "t", type: "TEXT", unique: true }]
    expect(given(model, { fields })).toBe(JSON.stringify({ fields }))
  })

  it("passes by Input.raw alone, and beside others", () => {
    const fields = [{ apiId: "t" }, Raw.raw({ apiid: "u" })]
    expect(given(model, { fields })).toBe('{"fields":[{"apiId":"t"},{"apiid":"u"}]}')
  })
})

describe("the body of a search of groups of orders", () => {
  it("refuses what filters other searches, since a page without its filter would come", () => {
    const search = callOf("orderGroups.search")
    expect(given(search, { statusIn: ["paid"] })).toEqual({
      field: "payload.statusIn",
      rule: 'is not a field of this body (did you mean "status"?); Input.raw passes others'
    })
    for (const name of ["filters", "offset", "sortDireciton"])
      expect(given(search, { [name]: 1 })).toMatchObject({ field: `payload.${name}` })
    expect(given(search, Raw.raw({ statusIn: ["paid"] }))).toBe('{"statusIn":["paid"]}')
  })
})

describe("an entity that was read", () => {
  it("is sent back with both of its ids", () => {
    const order = { _id: "o1", id: "o1", status: "paid" }
    expect(given(callOf("orders.update"), order)).toBe(JSON.stringify(order))
  })
})

const senders = ["notifications.send", "notifications.sendInApp", "notifications.pushToUsers"]

describe.each(senders.map(callOf))("the notification of $name", (send) => {
  it("goes through a known channel, or another one by Input.raw", () => {
    const to = { toAll: true }
    expect(given(send, { ...to, channel: "PUSH" })).toBe('{"toAll":true,"channel":"PUSH"}')
    expect(given(send, { ...to, channel: Raw.raw("PIGEON") })).toBe('{"toAll":true,"channel":"PIGEON"}')
    expect(given(send, { ...to, channel: "PIGEON" })).toMatchObject({ field: "payload.channel" })
  })

  it("names who receives it: one, several or all", () => {
    for (const to of [
      { userId: "u1" },
      { userId: 7 },
      { userIds: ["u1", 7] },
      { toAll: true },
      { toAll: false, userId: "u1" },
      { userId: "u1", userIds: [] }
    ])
      expect(given(send, { ...to, title: "Hi" })).toBe(JSON.stringify({ ...to, title: "Hi" }))
  })

  it.each([
    ["userIds", {}],
    ["userIds", { recipients: ["u1"] }],
    ["userIds", { userIds: undefined }],
    ["userIds", { toAll: false }],
    ["userIds", { userIds: [] }],
    ["userIds", { userIds: [undefined] }],
    ["userIds", { userIds: [""] }],
    ["userIds", { userIds: "u1" }],
    ["userIds", { userIds: null }],
    ["userId", { userId: "" }],
    ["userId", { userId: null, userIds: ["u1"] }],
    ["toAll", { toAll: "false", userId: "u1" }],
    ["toAll", { toAll: null, userId: "u1" }]
  ])("is refused for its %s, since it might reach everybody: %j", (field, to) => {
    const rule = expect.stringMatching(/^(is required|must be).*; Input\.raw passes others$/)
    expect(given(send, { ...to, title: "Hi" })).toEqual({ field: `payload.${field}`, rule })
  })

  it("has other receivers by Input.raw", () => {
    expect(given(send, Raw.raw({ segment: "new" }))).toBe('{"segment":"new"}')
  })
})

describe("a field that is another word than a known one", () => {
  it.each([
    ["requests.create", "date"],
    ["requests.create", "users"],
    ["boxes.create", "date"],
    ["users.create", "state"],
    ["users.create", "mail"],
    ["orders.update", "state"],
    ["users.update", "phone2"],
    ["users.update", "emails"],
    ["events.update", "palace"],
    ["requests.update", "title2"]
  ])("of %s is sent: %s", (name, field) => {
    expect(given(callOf(name), { [field]: 1 })).toBe(`{"${field}":1}`)
  })
})
