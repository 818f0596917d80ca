/** A 53-bit hash (cyrb53), kept instead of a message or an item. */

export class Hash {
  // A whole number of 32 bits, as all that follow: V8 keeps others apart from their object.
  private high = 0xdeadbeef | 0
  private low = 0x41c6ce57

  /** Two multiplications per character, one for each half. */
  text(text: string): this {
    let { high, low } = this
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      high = Math.imul(high ^ code, 2_654_435_761)
      low = Math.imul(low ^ code, 1_597_334_677)
    }
    this.high = high
    this.low = low
    return this
  }

  /** A whole number of 32 bits. */
  number(number: number): this {
    this.high = Math.imul(this.high ^ number, 2_654_435_761)
    this.low = Math.imul(this.low ^ number, 1_597_334_677)
    return this
  }

  /** Its two 32-bit halves. */
  get halves(): readonly [high: number, low: number] {
    const { high, low } = this
    const mixedHigh =
      Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
    const mixedLow =
      Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(mixedHigh ^ (mixedHigh >>> 13), 3_266_489_909)
    return [mixedHigh, mixedLow]
  }
}

/** The hash of a text. */
export const halves = (text: string): readonly [high: number, low: number] => new Hash().text(text).halves

/** One number from two halves. */
export const joined = ([high, low]: readonly [high: number, low: number]): number =>
  (high & 0x1fffff) * 0x1_0000_0000 + (low >>> 0)
