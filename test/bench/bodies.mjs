// The three answers of the benchmark, one shape in three sizes: what the server sends and what every
// contender must bring back.

/** Items in the page and in the large answer. */
const pageItems = 100
const largeItems = 10_000

const start = Date.UTC(2024, 0, 1, 8, 30, 15, 250)
const minute = 60_000

/** An id of 24 hexadecimal digits. */
const id = (prefix, index) => prefix + index.toString(16).padStart(24 - prefix.length, "0")

/** One request as the platform would answer it: about 200 bytes, and `title` on top. */
const item = (index, title) => ({
  _id: id("66a1", index),
  title,
  status: "pending",
  version: (index % 9) + 1,
  createdAt: new Date(start + index * minute).toISOString(),
  updatedAt: new Date(start + index * minute + 7 * minute).toISOString(),
  author: { _id: id("66b2", index % 50), name: `Author ${index % 50}` }
})

const page = (count) => ({
  items: Array.from({ length: count }, (_, index) =>
    item(index, `Request number ${index} about a delivery that came late`)
  ),
  paging: { page: 1, limit: count, total: count }
})

/** The answers as plain values, by name. */
export const bodies = {
  small: () => item(0, "Late"),
  page: () => page(pageItems),
  large: () => page(largeItems)
}

/**
 * Says what is wrong with a contender's answer, or `undefined` where it is right. Checked once before the
 * measuring, so that nobody is measured on failing fast.
 */
export const complaint = (name, answer, dates) => {
  const expected = bodies[name]()
  const pairs =
    "items" in expected
      ? expected.items.map((wanted, index) => [wanted, answer?.items?.[index]])
      : [[expected, answer]]
  if ("items" in expected && answer?.items?.length !== expected.items.length) {
    return `${name}: expected ${expected.items.length} items, got ${answer?.items?.length}`
  }
  for (const [wanted, got] of pairs) {
    if (
      got?._id !== wanted._id ||
      got.version !== wanted.version ||
      got.author?.name !== wanted.author.name
    ) {
      return `${name}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`
    }
    for (const field of ["createdAt", "updatedAt"]) {
      const right = dates ? got[field] instanceof Date && got[field].toISOString() : got[field]
      if (right !== wanted[field]) {
        const kind = dates ? "the Date" : "the string"
        return `${name}: ${field} should be ${kind} ${wanted[field]}, got ${String(got[field])}`
      }
    }
  }
  return undefined
}
