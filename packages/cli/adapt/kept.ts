/** What a person has said of a platform and answers do not speak against: it stays beside what is recognised. */

import { isObject } from "./recognition/exchange.js"
import { isCode, type Line, type Recognised, type Value } from "./recognition/line.js"

/** What is said at one field of a definition. */
export interface Said {
  readonly at: string
  readonly value: unknown
}

/** Parts of a definition that have fields of their own; a party of the sign-in has further ones. */
const isPart = (at: string): boolean =>
  /^(signIn|token|credentials|lists|entities|errors|routes)$|^signIn\.(admin|legacy|endUser)$/.test(at)

/** All that a definition says, field by field as lines stand for them. */
export const saidIn = (value: unknown, at = ""): ReadonlyArray<Said> => {
  if (value === undefined) return []
  if (at === "token" && typeof value === "string") return [{ at: "token.kind", value }]
  if (!isObject(value) || (at !== "" && !isPart(at))) return [{ at, value }]
  return Object.entries(value).flatMap(([name, inner]) => saidIn(inner, at === "" ? name : `${at}.${name}`))
}

/** The places that something said takes: that of its line, and those of the fields in it. */
export const placesIn = ({ at, value }: Said): ReadonlyArray<string> => [
  at,
  ...(isObject(value)
    ? Object.entries(value).flatMap(([name, inner]) => (inner === undefined ? [] : [`${at}.${name}`]))
    : [])
]

const codesIn = (value: Value): ReadonlyArray<string> => {
  if (typeof value !== "object") return []
  return isCode(value) ? [value.code] : Object.values(value).flatMap(codesIn)
}

/**
 * What is said as a line's value; undefined where it cannot be written. Of functions the recognised ones can: what another one refers to does
 * not come along with its text.
 */
const written = (said: unknown, isWritable: (code: string) => boolean): Value | undefined => {
  if (typeof said === "string" || typeof said === "number" || typeof said === "boolean") return said
  if (typeof said === "function") {
    const code = String(said)
    return isWritable(code) ? { code } : undefined
  }
  if (Array.isArray(said)) return { code: JSON.stringify(said) }
  if (!isObject(said)) return undefined
  const fields = Object.entries(said)
    .filter(([, inner]) => inner !== undefined)
    .map(([name, inner]) => [name, written(inner, isWritable)] as const)
  return fields.some(([, inner]) => inner === undefined)
    ? undefined
    : Object.fromEntries(fields.flatMap(([name, inner]) => (inner === undefined ? [] : [[name, inner]])))
}

/** Whether one stands at the place of the other, or in it. */
export const areOne = (a: string, b: string): boolean =>
  a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`)

const isSame = (a: Value, b: Value): boolean => {
  if (typeof a !== "object" || typeof b !== "object" || isCode(a) || isCode(b))
    return JSON.stringify(a) === JSON.stringify(b)
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].every((name) => {
    const [left, right] = [(a as Record<string, Value>)[name], (b as Record<string, Value>)[name]]
    return left !== undefined && right !== undefined && isSame(left, right)
  })
}

/** What is recognised, with what is kept of a definition. */
export interface Kept extends Recognised {
  /** Where something is said that cannot be written: a function that somebody wrote may need more of their module. */
  readonly unwritten: ReadonlyArray<string>
}

/** What is said of a call's route, with what was found of it. */
const merged = ({ at }: Said, said: Value, found: Line | undefined): Value =>
  at.startsWith("routes.") && isObject(said) && isObject(found?.value) ? { ...said, ...found.value } : said

/** That a credential was never accepted stays so, whatever is said of it. */
const isOfAcceptance = (unseen: string): boolean => /was accepted$|was answered to an admin/.test(unseen)

/** What could not be told, and is not said at one of these places either. */
export const unsaidOf = (now: Recognised, places: ReadonlyArray<string>): ReadonlyArray<string> =>
  now.unseen.filter((text) => isOfAcceptance(text) || !places.includes(text.split(/[: ]/)[0] ?? ""))

/** What else is known of a module. */
interface Context {
  /** Whether nobody has changed it since it was written here: its functions need nothing else. */
  readonly isOurs?: boolean
  readonly unconfirmed?: ReadonlyArray<string>
}

/**
 * What is recognised, with what a definition says beside it. `contradicted` are the fields that answers speak against; `unconfirmed` tells of what was never tried. All else goes before what is recognised.
 */
export const withKept = (
  now: Recognised,
  definition: unknown,
  contradicted: ReadonlyArray<string>,
  { isOurs = false, unconfirmed = [] }: Context = {}
): Kept => {
  const codes = new Set(now.lines.flatMap(({ value }) => codesIn(value)))
  const all = saidIn(definition).filter(({ at }) => !contradicted.some((other) => areOne(at, other)))
  const unwritten: Array<string> = []
  const kept = all.flatMap((said): ReadonlyArray<Line> => {
    const { at } = said
    const found = now.lines.find((line) => line.at === at)
    const writable = written(said.value, (code) => isOurs || codes.has(code))
    if (writable === undefined) {
      unwritten.push(at)
      return []
    }
    const value = merged(said, writable, found)
    if (found !== undefined && isSame(found.value, value)) return [found]
    const isRefused = now.unseen.some((text) => text.startsWith(`${at}:`) && isOfAcceptance(text))
    const reason = isRefused
      ? "it is said so, but nothing that was sent so was accepted"
      : found === undefined || unconfirmed.some((text) => text.startsWith(`${at}:`))
        ? "it is said so, and nothing that was seen speaks against it"
        : "it is said so, and answers that were seen fit it"
    return [{ at, value, reason }]
  })
  const byPlace = new Map(kept.map((line) => [line.at, line]))
  const others = now.lines.filter(
    ({ at }) => byPlace.has(at) || ![...byPlace.keys(), ...unwritten].some((place) => areOne(place, at))
  )
  const found = new Set(others.map(({ at }) => at))
  return {
    lines: [
      ...others.map((line) => byPlace.get(line.at) ?? line),
      ...kept.filter(({ at }) => !found.has(at))
    ],
    fits: now.fits,
    unseen: [
      ...unsaidOf(now, all.filter(({ at }) => byPlace.has(at)).flatMap(placesIn)),
      ...unconfirmed,
      ...unwritten.map(
        (at) => `${at}: what is said of it by hand is a function, and has to be taken over by hand`
      )
    ],
    unwritten
  }
}
