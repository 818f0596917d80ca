/** Where what is seen now is not what was recorded before. */
import { type Recording, withoutMapNames } from "./recording.js"
import { asDictionary, type Shape, total } from "./shape.js"

/** A place of a call's answers that is not as it was recorded. Never holds a value. @category models */
export interface Change {
  /** The call, such as `admin.items.list`. */
  readonly call: string
  /** Dotted path of the field, with `[]` for the items of a list; empty for the whole answer, or each item of a list. */
  readonly path: string
  /** What was recorded there. */
  readonly expected: string
  readonly came: string
}

const words: Readonly<Record<string, string>> = {
  nothing: "no answer",
  null: "null",
  boolean: "true or false",
  number: "a number",
  unknown: "a masked value",
  text: "text",
  list: "a list",
  object: "an object"
}

const kinds = Object.keys(words)

const inWords = (shape: Shape): string =>
  kinds
    .filter((kind) => kind in shape)
    .map((kind) => (kind === "text" ? textInWords(shape) : (words[kind] ?? kind)))
    .join(" or ") || "nothing"

const textInWords = ({ text }: Shape): string =>
  text !== undefined && text.ids === text.count
    ? "an id"
    : text !== undefined && text.dates === text.count
      ? "a date-time"
      : "text"

type Place = Omit<Change, "call">

/** Whether each text of one place was an id, and of the other too; the same for date-times. */
const isOtherText = ({ text: before }: Shape, { text: now }: Shape): boolean =>
  before !== undefined &&
  now !== undefined &&
  ((before.ids === before.count && now.ids !== now.count) ||
    (before.dates === before.count && now.dates !== now.count) ||
    ((now.dates ?? 0) > 0 && before.dates === undefined))

const hasOtherWords = ({ text: before }: Shape, { text: now }: Shape): boolean =>
  typeof before?.words === "object" &&
  typeof now?.words === "object" &&
  Object.keys(now.words).some((word) => !Object.hasOwn(Object(before.words), word))

const at = (path: string, name: string): string => (path === "" ? name : `${path}.${name}`)

const compare = (before: Shape, now: Shape, path: string): ReadonlyArray<Place> => {
  // A list that was empty, or a masked value, said nothing of what there may be.
  if (total(before) === 0 || before.unknown !== undefined) return []
  const expected = inWords(before)
  const places: Array<Place> = []
  const others = kinds.filter((kind) => kind in now && kind !== "unknown" && !(kind in before))
  for (const kind of others) places.push({ path, expected, came: words[kind] ?? kind })
  if (isOtherText(before, now)) places.push({ path, expected, came: textInWords(now) })
  else if (hasOtherWords(before, now))
    places.push({ path, expected: "one of the recorded words", came: "another word" })
  if (before.list !== undefined && now.list !== undefined)
    places.push(...compare(before.list.items, now.list.items, `${path}[]`))
  return before.object === undefined || now.object === undefined
    ? places
    : [...places, ...compareObjects(before.object, now.object, path)]
}

const compareObjects = (
  before: NonNullable<Shape["object"]>,
  now: NonNullable<Shape["object"]>,
  path: string
): ReadonlyArray<Place> => {
  if (before.isDictionary || now.isDictionary)
    return compare(asDictionary(before).names, asDictionary(now).names, at(path, "*"))
  const named = compare(before.names ?? {}, now.names ?? {}, at(path, "*"))
  const known = Object.entries(before.fields).flatMap(([name, field]): ReadonlyArray<Place> => {
    const present = Object.hasOwn(now.fields, name) ? now.fields[name] : undefined
    const wasAlways = total(field) === before.count
    const isAlways = present !== undefined && total(present) === now.count
    const missing =
      wasAlways && !isAlways ? [{ path: at(path, name), expected: inWords(field), came: "nothing" }] : []
    return [...missing, ...(present === undefined ? [] : compare(field, present, at(path, name)))]
  })
  const added = Object.entries(now.fields)
    .filter(([name]) => !Object.hasOwn(before.fields, name))
    .map(([name, field]) => ({ path: at(path, name), expected: "no such field", came: inWords(field) }))
  return [...named, ...known, ...added]
}

/**
 * What is seen now that the recording before does not hold: other kinds of values, fields that are new, or missing where
 * they always were, and calls that were not recorded. What was recorded and is not seen now is no change.
 * @category getters
 */
export const drift = (before: Recording, now: Recording): ReadonlyArray<Change> => {
  const { calls } = withoutMapNames(before)
  return Object.entries(withoutMapNames(now).calls).flatMap(([call, { shape }]) => {
    const known = Object.hasOwn(calls, call) ? calls[call] : undefined
    const places =
      known === undefined
        ? [{ path: "", expected: "no answer so far", came: inWords(shape) }]
        : compare(known.shape, shape, "")
    return places.map((place) => ({ call, ...place }))
  })
}

/** A change in one line. @category getters */
export const describe = ({ call, came, expected, path }: Change): string =>
  `${call}: expected ${expected}${path === "" ? "" : ` at ${path}`}, got ${came}`
