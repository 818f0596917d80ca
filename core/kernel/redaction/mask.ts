/** Removes secrets from texts, in any form. */
import { readingsOf } from "./readings.js"
import { formsOf, isShort, shortest } from "./secret-forms.js"

/** A text longer than this is cut before it is masked; less than that is ever shown. */
const longest = 32_768

/** The longest form of one character, with nested escapes. */
const widest = 20

/** The form of access tokens, also of unknown ones, and of what signs an address: whoever has that gets what the address names. */
const token = /\beyJ[\w-]{8,}(?:\.[\w-]+){0,2}|[?&](sig|[\w-]*(signature|credential|-token))=[^&\s"'<>\\]+/gi

const isLetter = /[\p{L}\p{N}]/u

type Span = readonly [begin: number, end: number]

/** A hash below 2³⁰ of the four characters from a position. */
const gramAt = (text: string, at: number): number => {
  let gram = 0
  for (let next = at; next < at + shortest; next++) gram = Math.imul(gram, 31_337) + text.charCodeAt(next)
  return gram & 0x3fffffff
}

/** Finds the longest of many forms at each place of a text, in a time that hardly grows with their number. */
const finder = (forms: ReadonlyArray<string>): ((text: string) => ReadonlyArray<Span>) => {
  const sorted = [...forms].sort((left, right) => (left < right ? -1 : 1))
  const grams = new Set(sorted.map((form) => gramAt(form, 0)))
  const size = sorted.reduce((most, { length }) => Math.max(most, length), 0)
  // For each form, the longest other form that is a prefix of it.
  const shorter: Array<number> = []
  for (const [at, form] of sorted.entries()) {
    let last = at - 1
    while (last >= 0 && !form.startsWith(sorted[last] ?? "")) last = shorter[last] ?? -1
    shorter.push(last)
  }
  const lengthAt = (text: string, at: number): number => {
    const rest = text.slice(at, at + size)
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((sorted[middle] ?? "") <= rest) low = middle + 1
      else high = middle
    }
    // A prefix of the rest is the last form that is not greater, or a prefix of that form.
    let last = low - 1
    while (last >= 0 && !rest.startsWith(sorted[last] ?? "")) last = shorter[last] ?? -1
    return sorted[last]?.length ?? 0
  }
  return (text) => {
    const spans: Array<Span> = []
    if (sorted.length === 0) return spans
    for (let at = 0; at + shortest <= text.length; at++) {
      const length = grams.has(gramAt(text, at)) ? lengthAt(text, at) : 0
      if (length > 0) spans.push([at, at + length])
    }
    return spans
  }
}

/** Finds texts of two or three characters that stand alone. */
const aloneFinder =
  (short: ReadonlySet<string>) =>
  (text: string): ReadonlyArray<Span> => {
    const spans: Array<Span> = []
    if (short.size === 0) return spans
    for (let at = 0; at + 2 <= text.length; at++) {
      for (let end = at + 2; end < at + shortest; end++) {
        if (
          short.has(text.slice(at, end)) &&
          !isLetter.test(text.charAt(at - 1)) &&
          !isLetter.test(text.charAt(end))
        )
          spans.push([at, end])
      }
    }
    return spans
  }

/** Masks a text, of which it looks at so many characters. */
type Masker = (text: string, most: number) => string

const make = (secrets: ReadonlyArray<string>): Masker => {
  const forms = [...new Set(secrets.flatMap(formsOf))]
  const size = forms.reduce((most, { length }) => Math.max(most, length), 0)
  const findForms = finder(forms)
  const findAlone = aloneFinder(new Set(secrets.filter(isShort)))
  const hidden = (text: string): ReadonlyArray<Span> => [
    ...findForms(text),
    ...findAlone(text),
    ...Array.from(text.matchAll(token), ({ 0: { length }, index }) => [index, index + length] as const)
  ]
  return (text, most) => {
    const isCut = text.length > most
    const looked = isCut ? text.slice(0, most) : text
    const all = readingsOf(looked).flatMap((reading) =>
      hidden(reading.text).map(
        ([from, to]) => [reading.places?.[from] ?? from, reading.places?.[to] ?? to] as const
      )
    )
    let masked = ""
    let end = 0
    for (const [from, to] of all.sort(([left], [right]) => left - right)) {
      if (from >= end) masked += `${looked.slice(end, from)}•••`
      end = Math.max(end, to)
    }
    // A form that the cut splits is not found, so its beginning is removed with the end of the text.
    return isCut
      ? masked + looked.slice(end, Math.max(end, most - size * widest))
      : masked + looked.slice(end)
  }
}

const known = /*#__PURE__*/ new WeakMap<ReadonlyArray<string>, Masker>()

/** Replaces every secret in a text, in any form, by dots. The forms of one list are computed once. */
export const mask = (text: string, secrets: ReadonlyArray<string>, most = longest): string => {
  const masker = known.get(secrets) ?? make(secrets)
  known.set(secrets, masker)
  return masker(text, most)
}

/** A value with every secret in its texts and names replaced, however long they are. */
export const maskAll = (value: unknown, secrets: ReadonlyArray<string>): unknown => {
  if (typeof value === "string") return mask(value, secrets, Number.POSITIVE_INFINITY)
  if (Array.isArray(value)) return value.map((item) => maskAll(item, secrets))
  if (typeof value !== "object" || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [String(maskAll(name, secrets)), maskAll(item, secrets)])
  )
}
