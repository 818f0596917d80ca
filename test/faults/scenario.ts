/** A scenario of the torture: how large it is, what it must say, and what it says. */
import { openWay, type TransportName, type Way } from "./clients.js"
import type { Far } from "./far/far.js"
import type { Finding } from "./reconcile.js"
import { toldTally } from "./tally.js"

/** How large a run is; a sample is what the lies to a scenario take, where it has one. */
export type Scale = "full" | "quick" | "sample"

export interface Context {
  readonly far: Far
  readonly seed: number
  readonly scale: Scale
}

export interface Result {
  readonly must: string
  readonly got: string
  readonly holds: boolean
  /** What else is worth knowing, a line each. */
  readonly details: ReadonlyArray<string>
  readonly figures: Readonly<Record<string, number>>
}

export interface Scenario {
  readonly name: string
  readonly title: (scale: Scale) => string
  /** The seconds that it may take where that is more than the others may. */
  readonly limit?: (scale: Scale) => number
  readonly run: (context: Context) => Promise<Result>
}

/** Where a scenario of some size runs. Transports that are opened here are closed after it, and so is the far end. */
export interface World<S> extends Context {
  readonly size: S
  readonly open: (name: TransportName, connections?: number) => Way
}

/** What a scenario says: it holds where `none` are all 0, nothing was found, and whatever else it asks for holds. */
interface Said extends Partial<Result> {
  readonly none: Readonly<Record<string, number>>
  readonly findings?: ReadonlyArray<Finding>
}

interface Spec<S> {
  readonly sizes: Readonly<Record<"full" | "quick", S>> & { readonly sample?: S }
  readonly title: (size: S) => string
  readonly must: string
  readonly limit?: (size: S) => number
  readonly run: (world: World<S>) => Promise<Said>
}

export const scenario = <S>(
  name: string,
  { limit = () => 0, must, run, sizes, title }: Spec<S>
): Scenario => {
  const sizeOf = (scale: Scale): S => sizes[scale] ?? sizes.quick
  return {
    name,
    title: (scale) => title(sizeOf(scale)),
    limit: (scale) => limit(sizeOf(scale)),
    run: async (context) => {
      const opened: Array<Way> = []
      const open = (name: TransportName, connections?: number): Way => {
        const way = openWay(name, connections)
        opened.push(way)
        return way
      }
      const said = await run({ ...context, size: sizeOf(context.scale), open })
      await Promise.all(opened.map(({ close }) => close()))
      await context.far.stop()
      const { details = [], figures, findings = [], got = "", holds = true, none } = said
      const isNone = Object.values(none).every((count) => count === 0)
      return {
        must,
        got: got + toldTally(Object.entries(none)),
        holds: holds && isNone && findings.length === 0,
        details: [...details, ...listed(findings)],
        figures: { ...figures, ...none }
      }
    }
  }
}

const most = 25

const listed = (findings: ReadonlyArray<Finding>): ReadonlyArray<string> => [
  ...findings.slice(0, most).map(({ call, what }) => `✗ ${call}: ${what.split("\n", 3).join(" ")}`),
  ...(findings.length > most ? [`✗ and ${findings.length - most} more`] : [])
]
