/** Which dates are numbers, and what they count. */

import { thingsOf } from "./entities.js"
import { type Exchange, isScalar, nodes, wordOf } from "./exchange.js"
import { fields } from "./known.js"
import { nothing, type Recognised } from "./line.js"

type Unit = "seconds" | "milliseconds"

/** What a number of a date counts: seconds from 1990 to 2100, or milliseconds of the same time. */
export const unitOf = (value: unknown): Unit | undefined => {
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
const dateNames = (): ReadonlySet<string> =>
  new Set([...fields()].flatMap(([name, isDate]) => (isDate ? [wordOf(name)] : [])))

/** Names of what is counted or numbered, and is no date however large it is. */
const isCount = (name: string): boolean =>
  /(id|ids|key|no|number|phone|price|amount|size|code)$/.test(wordOf(name))

/**
 * What a value is: one that counts from 1970, a text that the SDK reads by itself, one as databases write it, that of a date in
 * another form, or something else.
 */
type Form = Unit | "text" | "database" | "foreign" | "other"

const formOf = (value: unknown): Form => {
  const unit = unitOf(value)
  if (unit !== undefined || typeof value !== "string") return unit ?? "other"
  if (/^([+-]\d{6}|\d{4})-\d\d-\d\d[Tt]\d\d:\d\d/.test(value)) return "text"
  if (/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?$/.test(value)) return "database"
  return /^(\d{4}-\d\d-\d\d \d|\d{4}[./]\d{1,2}[./]\d{1,2}([ ,T]|$)|\d{1,2}[./-]\d{1,2}[./-]\d{4}([ ,T]|$)|[A-Z][a-z]{2,8},? \d)/.test(
    value
  )
    ? "foreign"
    : "other"
}

/** The one form of all values of a name; undefined where they have several. */
const oneOf = (forms: ReadonlySet<Form>): Form | undefined => (forms.size === 1 ? [...forms][0] : undefined)

/** The names whose values all count from 1970, with what they count. */
const numbersOf = (names: ReadonlyArray<readonly [name: string, forms: ReadonlySet<Form>]>) =>
  names.flatMap(([name, forms]) => {
    const form = oneOf(forms)
    return form === "seconds" || form === "milliseconds" ? [[name, form] as const] : []
  })

const quoted = (names: ReadonlyArray<string>): string => {
  const few = names.slice(0, 4).map((name) => `\`${name}\``)
  return names.length > few.length
    ? `${few.join(", ")} and ${names.length - few.length} more`
    : few.join(", ")
}

/** Reads and writes a text such as `2026-10-01 09:00:00`. */
const databaseForm = {
  read: {
    code: '(text) => (/^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d/.test(text) ? new Date(text.replace(" ", "T") + "Z") : undefined)'
  },
  write: { code: '(date) => date.toISOString().slice(0, 19).replace("T", " ")' }
}

/** The numbers in fields of dates, or in those of a name. */
export const countIn = (exchanges: ReadonlyArray<Exchange>, name?: string): ReadonlyArray<unknown> => {
  const known = dateNames()
  return thingsOf(exchanges)
    .flatMap((thing) => nodes(thing, 4, true))
    .filter(
      (node) =>
        isScalar(node.value) &&
        node.value !== 0 &&
        (name === undefined
          ? known.has(wordOf(node.name)) || (isNamed(node.name) && unitOf(node.value) !== undefined)
          : node.name === name)
    )
    .map(({ value }) => value)
}

/** Dates of the things: for each name what its values count, or that they are text. */
export const dates = (exchanges: ReadonlyArray<Exchange>): Recognised => {
  const known = dateNames()
  const isKnown = (name: string): boolean => known.has(wordOf(name))
  const all = new Map<string, Set<Form>>()
  // Zero stands for no date at all.
  for (const { name, value } of thingsOf(exchanges).flatMap((thing) => nodes(thing, 4, true)))
    if (isScalar(value) && value !== 0) all.set(name, (all.get(name) ?? new Set()).add(formOf(value)))
  // A name that only ends like that of a date shows by its values whether it is one.
  const named = [...all].filter(
    ([name, forms]) => isKnown(name) || (isNamed(name) && oneOf(forms) !== "other")
  )
  const odd = named.filter(([, forms]) => oneOf(forms) === "other")
  const dated = named.filter(([, forms]) => oneOf(forms) !== "other")
  const mixed = dated.filter(([, forms]) => oneOf(forms) === undefined)
  const of = (form: Form) => dated.filter(([, forms]) => oneOf(forms) === form).map(([name]) => name)
  const texts = of("text")
  const database = of("database")
  const foreign = of("foreign")
  const isDatabaseAll = database.length > 0 && database.length === dated.length
  const numeric = numbersOf(dated)
  const unseen = [
    ...mixed.map(([name]) => `dates: \`${name}\` is not always of one form`),
    ...odd.map(
      ([name]) => `dates: \`${name}\` is neither an ISO text nor a number of seconds or milliseconds`
    ),
    ...(foreign.length === 0
      ? []
      : [`dates: texts of another form in ${quoted(foreign)}: write { read, write }`]),
    ...(database.length === 0
      ? []
      : isDatabaseAll
        ? ["dates: the time zone of the texts, for which UTC is assumed"]
        : [
            `dates: texts as databases write them in ${quoted(database)}, beside others: write { read, write }`
          ]),
    ...numbersOf([...all].filter(([name]) => !isKnown(name) && !isNamed(name) && !isCount(name))).map(
      ([name, unit]) => `dates: \`${name}\` may count ${unit} since 1970, which its name does not say`
    )
  ]
  if (isDatabaseAll)
    return {
      fits: [],
      unseen,
      lines: [
        {
          at: "dates",
          value: databaseForm,
          reason: `the values of ${quoted(database)} are texts as databases write them, which are taken for UTC`
        }
      ]
    }
  const [first] = numeric
  if (first === undefined && texts.length === 0)
    return {
      ...nothing,
      unseen: unseen.length > 0 ? unseen : ["dates: no field that looks like one was answered"]
    }
  if (first === undefined)
    return {
      ...nothing,
      fits: [unseen.length === 0 ? "dates are ISO texts" : `the dates in ${quoted(texts)} are ISO texts`],
      unseen
    }
  const isOne = numeric.length === dated.length && numeric.every(([, unit]) => unit === first[1])
  return {
    fits: [],
    unseen,
    lines: [
      {
        at: "dates",
        value: isOne ? first[1] : Object.fromEntries(numeric),
        reason: `the values of ${quoted(numeric.map(([name]) => name))} are as large as such numbers since 1970`
      }
    ]
  }
}
