/** One line of the table: what is counted, what it must say, and what it says. */
import type { Random } from "../../adapters/sandbox/state/random.js"
import type { Far } from "./far/far.js"

/** How large a run is; a sample is what `npm test` and the lies to a line take, where it has one. */
export type Scale = "full" | "quick" | "sample"

export interface Context {
  readonly far: Far
  readonly seed: number
  readonly scale: Scale
}

export interface Result {
  /** What the line must say. */
  readonly must: string
  /** What it says. */
  readonly got: string
  readonly holds: boolean
  /** What else is worth knowing, a line each. */
  readonly details: ReadonlyArray<string>
  /** The numbers of the line, for a file. */
  readonly figures: Readonly<Record<string, number>>
}

export interface Line {
  readonly name: string
  readonly title: (scale: Scale) => string
  readonly run: (context: Context) => Promise<Result>
}

export interface Sizes<A> {
  readonly full: A
  readonly quick: A
  readonly sample?: A
}

/** Chooses by the scale of a run. */
export const scaled = <A>(scale: Scale, sizes: Sizes<A>): A => sizes[scale] ?? sizes.quick

/** A verdict by counts: those of what must not be are nothing, and whatever else is asked for holds. */
export const verdict = ({
  figures = {},
  got = "",
  holds = true,
  none,
  ...told
}: Pick<Result, "must" | "details"> &
  Partial<Pick<Result, "figures" | "got" | "holds">> & {
    readonly none: Readonly<Record<string, number>>
  }): Result => {
  const counts = Object.entries(none).map(([name, count]) => `${grouped(count)} ${name}`)
  const isNone = Object.values(none).every((count) => count === 0)
  return { ...told, got: got + counts.join(", "), holds: holds && isNone, figures: { ...figures, ...none } }
}

/** One of several by chance, each as likely as its weight. */
export const weighted = <A extends { readonly weight: number }>(
  random: Random,
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

/** A number with separators. */
export const grouped = (value: number): string => value.toLocaleString("en")

/** At most this many findings are printed. */
const most = 25

/** Findings as printed lines. */
export const listed = (
  findings: ReadonlyArray<{ readonly call: string; readonly what: string }>
): Array<string> => [
  ...findings.slice(0, most).map(({ call, what }) => `✗ ${call}: ${what.split("\n", 3).join(" ")}`),
  ...(findings.length > most ? [`✗ and ${findings.length - most} more`] : [])
]

/** How often each item is there. */
export const tally = <A>(items: Iterable<A>): Map<A, number> => {
  const times = new Map<A, number>()
  for (const item of items) times.set(item, (times.get(item) ?? 0) + 1)
  return times
}

/** A tally in a line of text. */
export const toldTally = (times: Iterable<readonly [name: string, times: number]>): string =>
  [...times].map(([name, count]) => `${name} ${grouped(count)}`).join(", ")
