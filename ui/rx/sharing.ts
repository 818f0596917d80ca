/** Keeps what did not change: an answer that says the same as the last one does not make a screen render again. */

const isPlain = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const shareList = (previous: ReadonlyArray<unknown>, next: ReadonlyArray<unknown>): unknown => {
  let isSame = previous.length === next.length
  const shared = next.map((item, index) => {
    const kept = index < previous.length ? shareAny(previous[index], item) : item
    if (!Object.is(kept, previous[index])) isSame = false
    return kept
  })
  return isSame ? previous : shared
}

const shareRecord = (previous: Record<string, unknown>, next: Record<string, unknown>): unknown => {
  const names = Object.keys(next)
  let isSame = names.length === Object.keys(previous).length
  const shared = names.map((name): [string, unknown] => {
    const isKnown = Object.hasOwn(previous, name)
    const kept = isKnown ? shareAny(previous[name], next[name]) : next[name]
    if (!isKnown || !Object.is(kept, previous[name])) isSame = false
    return [name, kept]
  })
  return isSame ? previous : Object.fromEntries(shared)
}

const shareAny = (previous: unknown, next: unknown): unknown => {
  if (Object.is(previous, next)) return previous
  if (previous instanceof Date && next instanceof Date)
    return previous.getTime() === next.getTime() ? previous : next
  if (Array.isArray(previous) && Array.isArray(next)) return shareList(previous, next)
  return isPlain(previous) && isPlain(next) ? shareRecord(previous, next) : next
}

/** The next value, with every part that equals the previous one's replaced by it; the previous one where all do. */
export const share = <A>(previous: A, next: A): A =>
  // Each part is either the next value's own or one of the previous value that equals it.
  shareAny(previous, next) as A
