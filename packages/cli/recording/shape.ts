/**
 * Shapes of JSON: which kinds of values were seen at a place, and how often. Never a value, save the words of fields that
 * the caller names. Shapes are joined by adding what was counted, in any order and any grouping.
 */
import { Dates, isSecret, shown } from "@quartet/sdk/extend"
import { isData } from "./keys.js"

/** Texts of one place. */
export interface Texts {
  readonly count: number
  /** How many of them are ids of 24 hexadecimal digits. */
  readonly ids?: number
  /** How many of them are ISO date-times. */
  readonly dates?: number
  /** The words and how often each came, for a field that the caller named; `many` where there are too many. */
  readonly words?: Readonly<Record<string, number>> | "many"
}

/** What was seen at a place of an answer: how often each kind. Without any member, nothing was. @category models */
export interface Shape {
  readonly nothing?: number
  readonly null?: number
  readonly boolean?: number
  readonly number?: number
  /** Values of a kind that is not known: masked ones, and those that are nested too deeply. */
  readonly unknown?: number
  readonly text?: Texts
  readonly list?: { readonly count: number; readonly items: Shape }
  readonly object?: Objects
}

/** Objects of one place. */
export interface Objects {
  readonly count: number
  readonly fields: Readonly<Record<string, Shape>>
  /** Values under names that are data, such as ids. */
  readonly names?: Shape
  /** Whether all names are taken for data. */
  readonly isDictionary?: true
  /** Whether the caller said that the names are fields. */
  readonly isFields?: true
}

/** What is learnt beside kinds. */
export interface Learning {
  /** The fields whose words are kept. Others are text; a field that is named like a secret is never kept. */
  readonly enums: ReadonlySet<string>
  /** The fields that hold maps: all names in them are data. */
  readonly maps: ReadonlySet<string>
  /** Names that are fields, though they or the object may look like data. */
  readonly fields: ReadonlySet<string>
}

/** Maximum names of an object's fields: with more, its names are data. */
const mostFields = 256
/** Maximum words of a field, and of characters of each: with more it is no enumeration. */
const mostWords = 64
const longestWord = 32
/** The deepest nesting that is looked at. */
const deepest = 64

const id = /^[\da-f]{24}$/i

/** How many values were seen at a place. */
export const total = ({
  boolean,
  list,
  nothing,
  null: nulls,
  number,
  object,
  text,
  unknown
}: Shape): number =>
  [boolean, nothing, nulls, number, unknown, text?.count, list?.count, object?.count].reduce<number>(
    (sum, count = 0) => sum + count,
    0
  )

const add = (self: number | undefined, that: number | undefined): number | undefined =>
  self === undefined ? that : self + (that ?? 0)

/** The members that are there. */
const present = <A extends object>(
  members: A
): { readonly [Name in keyof A]?: Exclude<A[Name], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined)) as never

/** Joins records by their names, sorted, so that the order in which names came does not show. */
const joined = <A>(
  self: Readonly<Record<string, A>>,
  that: Readonly<Record<string, A>>,
  join: (left: A, right: A) => A
): Readonly<Record<string, A>> => {
  const all = new Map(Object.entries(self))
  for (const [name, value] of Object.entries(that)) {
    const before = all.get(name)
    all.set(name, before === undefined ? value : join(before, value))
  }
  return Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Whether a value may be one of an enumeration: one or two words of letters, and not an id, a token, an address or a number. */
const isWord = (text: string): boolean => {
  const parts = text.split(" ")
  return (
    text.length <= longestWord &&
    parts.length < 3 &&
    parts.every((part) => !isData(part === part.toUpperCase() ? part.toLowerCase() : part))
  )
}

/** The values of enumerations in a shape. */
export const wordsIn = ({ list, object, text }: Shape): ReadonlyArray<string> => [
  ...(typeof text?.words === "object" ? Object.keys(text.words) : []),
  ...(list === undefined ? [] : wordsIn(list.items)),
  ...(object?.names === undefined ? [] : wordsIn(object.names)),
  ...Object.values(object?.fields ?? {}).flatMap(wordsIn)
]

const bounded = (words: Texts["words"]): Texts["words"] =>
  typeof words === "object" && Object.keys(words).length > mostWords ? "many" : words

const joinTexts = (self: Texts, that: Texts): Texts => {
  const { words: mine } = self
  const { words: theirs } = that
  const words =
    mine === "many" || theirs === "many"
      ? "many"
      : mine === undefined || theirs === undefined
        ? (mine ?? theirs)
        : bounded(joined(mine, theirs, (a, b) => a + b))
  const { count, ...others } = present({
    count: self.count + that.count,
    ids: add(self.ids, that.ids),
    dates: add(self.dates, that.dates),
    words
  })
  return { count: count ?? 0, ...others }
}

/** The same objects with all of their names taken for data. */
export const asDictionary = ({
  count,
  fields,
  names = {}
}: Objects): Objects & { readonly names: Shape } => ({
  count,
  fields: {},
  names: Object.values(fields).reduce(join, names),
  isDictionary: true
})

const folded = (objects: Objects): Objects =>
  objects.isDictionary || Object.keys(objects.fields).length > mostFields ? asDictionary(objects) : objects

/** What two places have together. Associative and commutative; joined with itself, a shape says the same. */
export const join = (self: Shape, that: Shape): Shape =>
  present({
    nothing: add(self.nothing, that.nothing),
    null: add(self.null, that.null),
    boolean: add(self.boolean, that.boolean),
    number: add(self.number, that.number),
    unknown: add(self.unknown, that.unknown),
    text: self.text && that.text ? joinTexts(self.text, that.text) : (self.text ?? that.text),
    list:
      self.list && that.list
        ? { count: self.list.count + that.list.count, items: join(self.list.items, that.list.items) }
        : (self.list ?? that.list),
    object: self.object && that.object ? joinObjects(self.object, that.object) : (self.object ?? that.object)
  })

const joinObjects = (self: Objects, that: Objects): Objects =>
  folded({
    count: self.count + that.count,
    fields: joined(self.fields, that.fields, join),
    ...(self.names === undefined && that.names === undefined
      ? {}
      : { names: join(self.names ?? {}, that.names ?? {}) }),
    ...(self.isDictionary || that.isDictionary ? { isDictionary: true } : {}),
    ...(self.isFields || that.isFields ? { isFields: true } : {})
  })

const textOf = (text: string, name: string, { enums }: Learning): Shape => {
  if (text === shown) return { unknown: 1 }
  return {
    text: {
      count: 1,
      ...(id.test(text) ? { ids: 1 } : {}),
      ...(Dates.parse(text) === undefined ? {} : { dates: 1 }),
      ...(enums.has(name) && !isSecret(name)
        ? { words: isWord(text) ? Object.fromEntries([[text, 1]]) : "many" }
        : {})
    }
  }
}

/** The shape of one value of parsed JSON; `name` is that of its field. */
export const learn = (value: unknown, learning: Learning, name = "", depth = 0): Shape => {
  switch (typeof value) {
    case "undefined":
      return { nothing: 1 }
    case "string":
      return textOf(value, name, learning)
    case "number":
      return { number: 1 }
    case "boolean":
      return { boolean: 1 }
    default:
      break
  }
  if (value === null) return { null: 1 }
  if (typeof value !== "object" || depth >= deepest) return { unknown: 1 }
  if (Array.isArray(value))
    return {
      list: {
        count: 1,
        items: value.map((item: unknown) => learn(item, learning, name, depth + 1)).reduce(join, {})
      }
    }
  const entries = Object.entries(value).map(
    ([key, item]) => [key, learn(item, learning, key, depth + 1)] as const
  )
  const { fields: fieldNames, maps } = learning
  const isKey = (key: string): boolean => maps.has(name) || (isData(key) && !fieldNames.has(key))
  const data = entries.filter(([key]) => isKey(key)).map(([, shape]) => shape)
  const fields = entries.filter(([key]) => !isKey(key)).sort(([left], [right]) => (left < right ? -1 : 1))
  return {
    object: folded({
      count: 1,
      fields: Object.fromEntries(fields),
      ...(data.length === 0 ? {} : { names: data.reduce(join, {}) }),
      ...(maps.has(name) ? { isDictionary: true } : {}),
      ...(fields.some(([key]) => fieldNames.has(key)) ? { isFields: true } : {})
    })
  }
}
