// The memory of delivered messages: what it must still know, and what it may have forgotten.
import { FastCheck } from "effect"
import { expect, test } from "vitest"
import { Digests } from "../../../core/chat/digests.js"

/** Keys that differ in their higher half alone meet at one place. */
const key = FastCheck.tuple(FastCheck.nat(40), FastCheck.nat(3)).map(
  ([low, high]) => high * 2 ** 32 + low + 1
)

test("knows the latest digest of the last keys, and none but those that were set", () => {
  const sets = FastCheck.array(FastCheck.tuple(key, FastCheck.integer({ min: 1 })), { maxLength: 400 })
  FastCheck.assert(
    FastCheck.property(sets, FastCheck.integer({ min: 1, max: 60 }), (pairs, half) => {
      const digests = new Digests(half)
      // In the order of the latest setting.
      const all = new Map<number, number>()
      for (const [name, digest] of pairs) {
        digests.set(name, digest)
        all.delete(name)
        all.set(name, digest)
      }
      const latest = [...all.keys()].slice(-half)
      const known = [...all.keys()].filter((name) => digests.get(name) !== undefined)
      expect(known).toEqual(expect.arrayContaining(latest))
      expect(known.length).toBeLessThanOrEqual(2 * half)
      for (const name of known) expect(digests.get(name)).toBe(all.get(name))
      expect(digests.get(2 ** 50)).toBeUndefined()
    })
  )
})
