// What an admin's grants allow: the most specific one decides, none means denied (specification, point 6).
import { describe, expect, it } from "@effect/vitest"
import * as FC from "effect/FastCheck"
import { check, type Reading } from "../../../core/permissions/grants.js"
import * as Level from "../../../core/permissions/level.js"

const levels = [Level.None, Level.Read, Level.Write, Level.Admin] as const
const level = FC.constantFrom(...levels)
const resource = FC.constantFrom("requests", "orders", "users")
const action = FC.constantFrom("list", "get", "create")

type Grants = Readonly<Record<string, Readonly<Record<string, number>>>>

const grants: FC.Arbitrary<Grants> = FC.dictionary(
  FC.oneof(resource, FC.constant("*")),
  FC.dictionary(FC.oneof(action, FC.constant("*")), level, { maxKeys: 3 }),
  { maxKeys: 4 }
)

/** The specification's words: the resource and action, the resource's wildcard, the global wildcard. */
const model = (map: Grants, ofResource: string, ofAction: string): readonly [string, number] | undefined => {
  const exact = map[ofResource]?.[ofAction]
  if (exact !== undefined) return [`${ofResource}.${ofAction}`, exact]
  const wide = map[ofResource]?.["*"]
  if (wide !== undefined) return [`${ofResource}.*`, wide]
  const global = map["*"]?.["*"]
  return global === undefined ? undefined : ["*.*", global]
}

const runs = { fastCheck: { numRuns: 2_000 } }

describe("the intended reading", () => {
  // Spec 3.3, 6.2, 6.5
  it.prop(
    "allows what the most specific grant reaches",
    [grants, resource, action, level],
    ([map, ofResource, ofAction, required]) => {
      const expected = model(map, ofResource, ofAction)
      expect(check(map, ofResource, ofAction, required, "intended")).toEqual({
        allowed: expected === undefined ? required === 0 : expected[1] >= required,
        grant: expected?.[0],
        level: expected?.[1]
      })
    },
    runs
  )

  it("takes a global level in its short form", () => {
    expect(check({ "*": 9 }, "orders", "get", Level.Admin, "intended")).toEqual({
      allowed: true,
      grant: "*.*",
      level: 9
    })
  })
})

describe("a bare level in place of a map", () => {
  it("is the resource's wildcard, and decides before the global one", () => {
    expect(check({ orders: 3, "*": { "*": 9 } }, "orders", "get", Level.Admin, "intended")).toEqual({
      allowed: false,
      grant: "orders.*",
      level: 3
    })
    expect(check({ orders: 9 }, "orders", "get", Level.Admin, "intended").allowed).toBe(true)
  })
})

describe("the reading as built", () => {
  // Spec 6.4
  it.prop(
    "allows whatever any grant above None names",
    [grants, resource, action, level],
    ([map, ofResource, ofAction, required]) => {
      const expected = model(map, ofResource, ofAction)
      expect(check(map, ofResource, ofAction, required, "asBuilt")).toEqual({
        allowed: required === 0 || (expected !== undefined && expected[1] > 0),
        grant: expected?.[0],
        level: expected?.[1]
      })
    },
    runs
  )
})

describe("no grant", () => {
  // Spec 6.3
  it.each([undefined, null, {}, [], "admin", 9, true, { "*": {} }, { orders: {} }, { "*": { get: 9 } }])(
    "in %j means denied",
    (map) => {
      for (const reading of ["intended", "asBuilt"] as const) {
        expect(check(map, "orders", "refund", Level.Read, reading)).toEqual({
          allowed: false,
          grant: undefined,
          level: undefined
        })
      }
    }
  )

  it("means allowed where nothing is required, and where the check is off", () => {
    expect(check({}, "orders", "get", Level.None, "intended").allowed).toBe(true)
    expect(check({}, "orders", "get", Level.Admin, "off").allowed).toBe(true)
    expect(check({ orders: { get: 0 } }, "orders", "get", Level.Admin, "off").allowed).toBe(true)
  })
})

describe("hostile grants are denied:", () => {
  const readings: ReadonlyArray<Reading> = ["intended", "asBuilt"]

  it.each([
    ["text", "3"],
    ["text that says admin", "9"],
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["minus Infinity", Number.NEGATIVE_INFINITY],
    ["a negative level", -1],
    ["a list", [5]],
    ["an object", { valueOf: () => 9 }],
    ["true", true],
    ["null", null],
    ["a BigInt", 9n],
    ["a Date", new Date(9)],
    ["a function", () => 9]
  ])("a level that is %s", (_, hostile) => {
    for (const reading of readings) {
      for (const map of [
        { orders: { get: hostile } },
        { orders: { "*": hostile } },
        { "*": { "*": hostile } }
      ]) {
        expect(check(map, "orders", "get", Level.Read, reading).allowed).toBe(false)
      }
      const narrow = check(
        { orders: { get: hostile }, "*": { "*": 9 } },
        "orders",
        "get",
        Level.Read,
        reading
      )
      expect(narrow.allowed, "and no wider grant is looked for").toBe(false)
    }
  })

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"])(
    "a resource or action named %s that only the prototype has",
    (name) => {
      for (const reading of readings) {
        expect(check({}, name, name, Level.Read, reading).allowed).toBe(false)
        expect(check({ orders: {} }, "orders", name, Level.Read, reading).allowed).toBe(false)
        expect(check({}, name, "length", Level.Read, reading).allowed).toBe(false)
      }
    }
  )

  it("grants that a token tries to give through a prototype", () => {
    const map: unknown = JSON.parse('{"__proto__":{"orders":{"get":9},"*":{"*":9}}}')
    for (const reading of readings)
      expect(check(map, "orders", "get", Level.Read, reading).allowed).toBe(false)
  })

  it("grants of a polluted Object.prototype", () => {
    Object.defineProperty(Object.prototype, "orders", {
      value: { get: 9 },
      configurable: true,
      enumerable: true
    })
    Object.defineProperty(Object.prototype, "*", { value: { "*": 9 }, configurable: true, enumerable: true })
    const verdicts = readings.map((reading) => check({}, "orders", "get", Level.Read, reading).allowed)
    Reflect.deleteProperty(Object.prototype, "orders")
    Reflect.deleteProperty(Object.prototype, "*")
    expect(verdicts).toEqual([false, false])
  })

  it.prop("whatever the map is, nothing is thrown", [FC.anything(), level], ([map, required]) => {
    for (const reading of readings) {
      const { allowed, level: granted } = check(map, "orders", "get", required, reading)
      expect(allowed && required > 0 ? (granted ?? 0) > 0 : true).toBe(true)
    }
  })
})
