// Numbers only: quantiles, ratios by round, and an order by chance that a seed repeats.

/** The quantile `q` (0 to 1), between the two nearest values. */
const quantile = (values, q) => {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (sorted.length - 1) * q
  const low = Math.floor(at)
  const high = Math.ceil(at)
  return sorted[low] + (sorted[high] - sorted[low]) * (at - low)
}

export const median = (values) => quantile(values, 0.5)

export const spread = (values) => ({
  median: median(values),
  p10: quantile(values, 0.1),
  p90: quantile(values, 0.9)
})

/** Each round's value as a multiple of the base's in the same round. */
export const ratios = (values, base) => values.map((value, round) => value / base[round])

/** A generator of numbers from 0 to 1 (mulberry32). */
export const random = (seed) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The values in an order by chance (Fisher and Yates). */
export const shuffled = (values, next) => {
  const order = [...values]
  for (let last = order.length - 1; last > 0; last--) {
    const swapIndex = Math.floor(next() * (last + 1))
    const swapped = order[last]
    order[last] = order[swapIndex]
    order[swapIndex] = swapped
  }
  return order
}
