/**
 * Seeded randomness: the same seed gives the same ids, names and dates on every machine. Each part of the seeded data
 * has its own stream, so that one part can grow without changing the others.
 */

/** A seeded random stream. */
export interface Random {
  /** A number in [0, 1). */
  readonly next: () => number
  /** A whole number from `min` to `max`, both included. */
  readonly int: (min: number, max: number) => number
  readonly chance: (share: number) => boolean
  /** One item of a list that is not empty. */
  readonly pick: <A>(list: readonly [A, ...ReadonlyArray<A>] | ReadonlyArray<A>) => A
  /** Some items of a list, each at most once, in order. */
  readonly some: <A>(list: ReadonlyArray<A>, count: number) => ReadonlyArray<A>
  /** An id of 24 hexadecimal digits. */
  readonly id: () => string
  /** A time between two others. */
  readonly date: (from: Date, to: Date) => Date
}

/** FNV-1a with a final mix: a 32-bit hash that differs widely for similar texts. */
export const hash = (text: string, start = 0x811c9dc5): number => {
  let value = start >>> 0
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

/** The stream of a seed and a name (the generator is sfc32: 128 bits of state, not cryptographic). */
export const make = (seed: number, name: string): Random => {
  const text = `${seed}/${name}`
  let a = hash(text)
  let b = hash(text, a)
  let c = hash(text, b)
  let counter = 1
  const word = (): number => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  for (let index = 0; index < 12; index++) word()

  const next = (): number => word() / 0x1_0000_0000
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  const pick = <A>(list: ReadonlyArray<A>): A => {
    const index = int(0, list.length - 1)
    // The index is within the list, which is not empty.
    return list[index] as A
  }
  const hex = (): string => word().toString(16).padStart(8, "0")
  return {
    next,
    int,
    chance: (share) => next() < share,
    pick,
    some: (list, count) => {
      const left = Math.min(count, list.length)
      const chosen = new Set<number>()
      while (chosen.size < left) chosen.add(int(0, list.length - 1))
      return list.filter((_, index) => chosen.has(index))
    },
    id: () => hex() + hex() + hex(),
    date: (from, to) =>
      new Date(int(Math.floor(from.getTime() / 1000), Math.floor(to.getTime() / 1000)) * 1000)
  }
}
