/** Values that callers pass by mistake or on purpose, and what of them JSON can say. */
import { types } from "node:util"
import type { Random as Seeded } from "@quartet/sandbox/extend"
import { text } from "./texts.js"

class Custom {
  readonly secret = 1
}

const cycle = (): unknown => {
  const value: Record<string, unknown> = { name: "cycle" }
  value.self = value
  return value
}

const nested = (levels: number): unknown => {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { value }
  return value
}

/** Reads as a number once, and as something that JSON cannot say from then on. */
const turning = (): unknown => {
  let reads = 0
  return {
    get turning() {
      reads += 1
      return reads === 1 ? 1 : Number.NaN
    }
  }
}

const fail = (): never => {
  throw new Error("hostile input throws")
}

const throwing = (): unknown => ({
  get throwing(): number {
    return fail()
  }
})

const trap = (): unknown => new Proxy({}, { ownKeys: fail })

const revoked = (): unknown => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const notADate = (): unknown => Object.create(new Date(0))

/** Values that JSON has no word for, or that JSON.stringify would change in silence. */
const unspeakable: ReadonlyArray<() => unknown> = [
  () => Number.NaN,
  () => Number.POSITIVE_INFINITY,
  () => Number.NEGATIVE_INFINITY,
  () => 10n,
  () => Symbol("hostile"),
  () => () => 1,
  () => new Date(Number.NaN),
  () => new Map([["a", 1]]),
  () => new Set([1]),
  () => new Custom(),
  () => /hostile/,
  () => new Uint8Array([1, 2]),
  () => new ArrayBuffer(2),
  () => new Error("hostile"),
  () => Promise.resolve(1),
  () => new WeakMap(),
  () => [1, undefined, 2],
  () => Object.assign([1], { length: 3 }),
  cycle,
  () => nested(2_000),
  () => ({ toJSON: () => Number.NaN }),
  () => ({ toJSON: fail }),
  throwing,
  turning,
  trap,
  revoked,
  notADate
]

/** Puts an own field, also where the key is `__proto__`. */
export const put = (record: Record<string, unknown>, key: string, value: unknown) =>
  Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true })

const plain = (random: Seeded.Random, evil: string, depth: number): unknown => {
  switch (random.int(0, depth > 3 ? 5 : 8)) {
    case 0:
      return text(random, evil)
    case 1:
      return random.pick([0, -0, 1, -1, 0.1, 1e21, 5e-324, 2 ** 53, -(2 ** 53) - 2, random.next() * 1e9])
    case 2:
      return random.pick([true, false, null])
    case 3:
      return new Date(random.int(-1_000_000_000, 4_000_000_000) * 1000 + random.int(0, 999))
    case 4:
      return undefined
    case 5: {
      const size = text(random, evil).length
      return { toJSON: () => size }
    }
    case 6:
      return Array.from({ length: random.int(0, 4) }, () => plain(random, evil, depth + 1) ?? null)
    default: {
      const record: Record<string, unknown> = {}
      for (let count = random.int(0, 4); count > 0; count--)
        put(record, text(random, evil), plain(random, evil, depth + 1))
      return record
    }
  }
}

/** One value; about every fourth holds something that cannot be sent as it is. */
export const value = (random: Seeded.Random, evil: string): unknown => {
  if (random.chance(0.75)) return plain(random, evil, 0)
  const bad = random.pick(unspeakable)()
  return random.chance(0.5) ? bad : put({}, text(random, evil), random.chance(0.5) ? bad : [bad])
}

/** A value that a query can say: what its text is, or undefined where it has none. */
export const scalarText = (value: unknown): string | undefined => {
  if (typeof value === "string") return /\p{Surrogate}/u.test(value) ? undefined : value
  if (typeof value === "boolean") return String(value)
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : undefined
  return types.isDate(value) && Number.isFinite(value.getTime()) ? value.toISOString() : undefined
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

class Unsayable extends Error {}

const say = (value: unknown, above: ReadonlyArray<object>): unknown => {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value
  if (typeof value === "number" && Number.isFinite(value)) return value
  if (typeof value !== "object" || above.includes(value) || above.length > 1_000) throw new Unsayable()
  if (types.isDate(value)) return value.toISOString()
  const inside = [...above, value]
  if (Array.isArray(value)) return Array.from(value, (item) => say(item, inside))
  const own: unknown = Reflect.get(value, "toJSON")
  if (typeof own === "function") return say(own.call(value), inside)
  if (!isPlain(value)) throw new Unsayable()
  const said: Record<string, unknown> = Object.create(null)
  for (const key of Object.keys(value)) {
    const item: unknown = Reflect.get(value, key)
    if (item !== undefined) said[key] = say(item, inside)
  }
  return said
}

/** What JSON must carry of a value; undefined where it cannot. Written apart from the SDK's own rules. */
export const sayable = (value: unknown): { readonly json: unknown } | undefined => {
  try {
    return { json: say(value, []) }
  } catch {
    return undefined
  }
}

/** Whether two values of JSON are the same; −0 is 0, as JSON has it. */
export const same = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && same(Reflect.get(a, key), Reflect.get(b, key)))
  )
}
