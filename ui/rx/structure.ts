/** Values compared by what they hold, not by reference: when two inputs are one query, and what an answer left unchanged. */

const ids = /*#__PURE__*/ new WeakMap<object, number>()
let last = 0

/** A number of its own for each object, for as long as it lives. */
export const idOf = (object: object): number => {
  const known = ids.get(object)
  if (known !== undefined) return known
  last += 1
  ids.set(object, last)
  return last
}

const isPlain = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The text of an input, and whether it means the same in another process. */
export interface Canonical {
  readonly text: string
  readonly isPortable: boolean
}

/**
 * One text for equal inputs and different texts for different ones: fields in the order of their names, those that
 * are undefined left out as they are on the wire, Dates by their time. What has no structure to compare (files,
 * functions, instances of classes) counts by identity.
 */
export const canonical = (input: unknown): Canonical => {
  const parents: Array<object> = []
  let isPortable = true
  const byIdentity = (text: string): string => {
    isPortable = false
    return text
  }
  const writeObject = (value: object): string => {
    if (value instanceof Date) return `D${value.getTime()}`
    if (parents.includes(value) || !(Array.isArray(value) || isPlain(value)))
      return byIdentity(`@${idOf(value)}`)
    parents.push(value)
    const text = Array.isArray(value)
      ? `[${value.map(write).join()}]`
      : `{${Object.entries(value)
          .filter(([, field]) => field !== undefined)
          .map(([name, field]) => [JSON.stringify(name), field] as const)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, field]) => `${name}:${write(field)}`)
          .join()}}`
    parents.pop()
    return text
  }
  const write = (value: unknown): string => {
    if (typeof value === "string") return JSON.stringify(value)
    if (typeof value === "bigint") return `${value}n`
    if (typeof value === "symbol") return byIdentity(String(value))
    if (typeof value === "function") return byIdentity(`@${idOf(value)}`)
    return typeof value === "object" && value !== null ? writeObject(value) : String(value)
  }
  const text = write(input ?? {})
  return { text, isPortable }
}

const shareAny = (previous: unknown, next: unknown): unknown => {
  if (Object.is(previous, next)) return previous
  if (previous instanceof Date && next instanceof Date)
    return previous.getTime() === next.getTime() ? previous : next
  if (Array.isArray(previous) && Array.isArray(next)) {
    const shared = next.map((item, index) =>
      index < previous.length ? shareAny(previous[index], item) : item
    )
    const isSame =
      previous.length === next.length && shared.every((item, index) => Object.is(item, previous[index]))
    return isSame ? previous : shared
  }
  if (!isPlain(previous) || !isPlain(next)) return next
  const isKept = ([name, field]: readonly [string, unknown]) =>
    Object.hasOwn(previous, name) && Object.is(field, previous[name])
  const shared = Object.entries(next).map(([name, field]): [string, unknown] => [
    name,
    Object.hasOwn(previous, name) ? shareAny(previous[name], field) : field
  ])
  const isSame = shared.length === Object.keys(previous).length && shared.every(isKept)
  return isSame ? previous : Object.fromEntries(shared)
}

/** The next value, with every part that equals the previous one's replaced by it; the previous one where all do. */
export const share = <A>(previous: A, next: A): A =>
  // Each part is either the next value's own or one of the previous value that equals it.
  shareAny(previous, next) as A
