/** A 53-bit hash of a text (cyrb53), kept instead of a message or an item. */

/** Its two 32-bit halves: two multiplications per character, one for each half. */
export const halves = (text: string): readonly [high: number, low: number] => {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  const one = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  const two = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909)
  return [one, two]
}

/** One number from two halves. */
export const joined = ([high, low]: readonly [high: number, low: number]): number =>
  (high & 0x1fffff) * 0x1_0000_0000 + (low >>> 0)
