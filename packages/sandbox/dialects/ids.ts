/**
 * Ids as whole numbers, some of them beyond 2⁵³: each text id has one number, as long as its sandbox lives. A number is
 * its decimal digits here, and never a number of JavaScript, which has none for most of the large ones.
 */

/** Digits that JSON holds as a number. */
export class Digits {
  constructor(readonly text: string) {}
}

/** The numbers of a sandbox's ids. */
export interface Ids {
  /** The number of an id. */
  readonly numberOf: (id: string) => string
  /** The id of a number; the number itself where it is nobody's, which finds nothing. */
  readonly textOf: (digits: string) => string
}

/** Above the largest whole number that JavaScript holds exactly; odd ones are never held. */
const beyond = 9_007_199_254_740_993n

/** Ids in text stay as they are. */
export const texts: Ids = { numberOf: (id) => id, textOf: (digits) => digits }

/** Numbers in the order in which ids are seen, every third of them beyond 2⁵³. `kept` stays text. */
export const numbers = (kept: string): Ids => {
  const byId = new Map([[kept, kept]])
  const byNumber = new Map([[kept, kept]])
  return {
    numberOf: (id) => {
      const known = byId.get(id)
      if (known !== undefined) return known
      const count = byId.size
      const digits = count % 3 === 0 ? String(beyond + BigInt(2 * count)) : String(1000 + count)
      byId.set(id, digits)
      byNumber.set(digits, id)
      return digits
    },
    textOf: (digits) => byNumber.get(digits) ?? digits
  }
}
