/** Which dates are numbers, and what they count. */

import { thingsOf } from "./entities.js"
import { type Exchange, nodes, wordOf } from "./exchange.js"
import { fields } from "./known.js"
import { nothing, type Recognised } from "./line.js"

type Unit = "seconds" | "milliseconds"

/** What a number of a date counts: seconds from 1990 to 2100, or milliseconds of the same time. */
const unitOf = (value: unknown): Unit | undefined => {
  const number = typeof value === "string" && /^\d{9,14}$/.test(value) ? Number(value) : value
  if (typeof number !== "number") return undefined
  if (number >= 631_152_000 && number <= 4_102_444_800) return "seconds"
  return number >= 631_152_000_000 && number <= 4_102_444_800_000 ? "milliseconds" : undefined
}

/** Words that names of dates end with, and what they count. */
const isNamed = (name: string): boolean =>
  /(at|date|time|on|timestamp|since|until|created|updated|changed|modified|deleted|started|ended|expires)(ms|millis|milliseconds|s|secs?|seconds|epoch|unix|ts|utc)?$/.test(
    wordOf(name)
  )

/** The names that the SDK knows as dates, in one form. */
const known = (): ReadonlySet<string> =>
  new Set([...fields()].flatMap(([name, isDate]) => (isDate ? [wordOf(name)] : [])))

/** Dates of the things: for each name what its values count, or that they are text. */
export const dates = (exchanges: ReadonlyArray<Exchange>): Recognised => {
  const things = thingsOf(exchanges)
  const names = known()
  const units = new Map<string, Set<Unit | "text">>()
  for (const { name, value } of things.flatMap((thing) => nodes(thing, 4, true))) {
    const isKnown = names.has(wordOf(name))
    if (!isKnown && !isNamed(name)) continue
    const unit = unitOf(value)
    const isText = typeof value === "string" && /^\d{4}-\d\d-\d\d[T ]/.test(value)
    if (unit === undefined && !isText) continue
    const all = units.get(name) ?? new Set()
    units.set(name, all.add(unit ?? "text"))
  }
  const numeric = [...units].flatMap(([name, all]) => {
    const [only, ...others] = all
    return only !== undefined && only !== "text" && others.length === 0 ? [[name, only] as const] : []
  })
  const mixed = [...units].flatMap(([name, all]) => (all.size > 1 ? [name] : []))
  const unseen = mixed.map((name) => `dates: \`${name}\` is not always of one form`)
  if (units.size === 0) return { ...nothing, unseen: ["dates: no field that looks like one was answered"] }
  if (numeric.length === 0)
    return { ...nothing, fits: mixed.length === 0 ? ["dates are ISO texts"] : [], unseen }
  const [first] = numeric
  const isOne = numeric.length === units.size && new Set(numeric.map(([, unit]) => unit)).size === 1
  return {
    fits: [],
    unseen,
    lines: [
      isOne && first !== undefined
        ? {
            at: "dates",
            value: first[1],
            reason: `${listedNames(numeric)} ${numeric.length === 1 ? "is a number" : "are numbers"} that ${numeric.length === 1 ? "counts" : "count"} them since 1970`
          }
        : {
            at: "dates",
            value: Object.fromEntries(numeric),
            reason: "these are numbers; other dates are not"
          }
    ]
  }
}

const listedNames = (numeric: ReadonlyArray<readonly [name: string, unit: Unit]>): string =>
  numeric
    .slice(0, 4)
    .map(([name]) => `\`${name}\``)
    .join(", ")
