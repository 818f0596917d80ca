/** Counts of things, and choices by their weights. */
import type { Random as Seeded } from "@quartet/sandbox/extend"

export const weighted = <A extends { readonly weight: number }>(
  random: Seeded.Random,
  items: ReadonlyArray<A>
): A => {
  let left = random.next() * items.reduce((sum, { weight }) => sum + weight, 0)
  const chosen = items.find(({ weight }) => {
    left -= weight
    return left < 0
  })
  if (chosen === undefined) throw new Error("the weights do not add up")
  return chosen
}

export const grouped = (value: number): string => value.toLocaleString("en")

export const tally = <A>(items: Iterable<A>): Map<A, number> => {
  const times = new Map<A, number>()
  for (const item of items) times.set(item, (times.get(item) ?? 0) + 1)
  return times
}

export const toldTally = (times: Iterable<readonly [name: string, times: number]>): string =>
  [...times].map(([name, count]) => `${grouped(count)} ${name}`).join(", ")
