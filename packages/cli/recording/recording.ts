/** A recording: the shapes of each call's answers. It is kept as a file, goes on later, and is joined with others. */

import {
  type Audience,
  InputError,
  type Known,
  Options as OptionReader,
  Pages as Page
} from "@quartet/sdk/extend"
import type { Described } from "@quartet/sdk/extend/description"
import * as Either from "effect/Either"
import { callOf, declaredOf, find, type Seen } from "./calls.js"
import * as Json from "./json.js"
import { undeclaredIn, withoutNames } from "./maps.js"
import { join, learn, type Shape, wordsIn } from "./shape.js"

/** What one call answered. @category models */
export interface Answers {
  /** How many answers were seen. */
  readonly count: number
  /** The shape of the answers; of a list, of its items. */
  readonly shape: Shape
}

/** The answers of a platform by client and call, such as `admin.items.list`. @category models */
export interface Recording {
  readonly version: 1
  readonly calls: Readonly<Record<string, Answers>>
}

/** A recording of nothing. @category constants */
export const empty: Recording = /*#__PURE__*/ Object.freeze({ version: 1, calls: Object.freeze({}) })

/** What one recording and another have seen. @category combinators */
export const merge = (self: Recording, that: Recording): Recording => {
  const calls = new Map(Object.entries(self.calls))
  for (const [id, answers] of Object.entries(that.calls)) {
    const before = calls.get(id)
    calls.set(
      id,
      before === undefined
        ? answers
        : { count: before.count + answers.count, shape: join(before.shape, answers.shape) }
    )
  }
  return { version: 1, calls: Object.fromEntries([...calls].sort(([a], [b]) => (a < b ? -1 : 1))) }
}

/** How answers are recorded. @category models */
export interface Options {
  /**
   * Names of fields whose words are kept, such as `status`: with them a type lists the words that were seen, and stays
   * open for others. Of all other fields no value is kept, and never of one that is named like a secret.
   */
  readonly enums?: ReadonlyArray<string>
  /** Names of fields that hold maps, such as `likes`: no name in them is kept. */
  readonly maps?: ReadonlyArray<string>
  /** Names that are fields and are kept, though they look like data, or the object that holds them like a map. */
  readonly fields?: ReadonlyArray<string>
  /** The client whose calls these are, where neither their headers nor their routes say it. */
  readonly client?: Audience
}

/** Learns of a platform's answers as they come. @category models */
export interface Recorder {
  /** What was recorded so far. */
  readonly recording: () => Recording
  /** Takes one answer in: parsed JSON, undefined for an empty body. Returns the calls that it may be of. */
  readonly learn: (seen: Seen, answer: unknown) => ReadonlyArray<string>
}

/** Shapes of a list are those of its items; an answer that holds no list has the shape that it has. */
const partsOf = ({ declared: { success } }: Described, answer: unknown): ReadonlyArray<unknown> => {
  if (!("page" in success)) return [answer]
  const page = Page.find(answer, success.key)
  return typeof page === "string" ? [] : page.items
}

const known: Known<Options> = { enums: "any", maps: "any", fields: "any", client: "any" }

/** Makes a recorder, which goes on from a recording. Throws InputError for an option that there is not. @category constructors */
export const make = (options: Options = {}, before: Recording = empty): Recorder => {
  OptionReader.check("Recording.make", options, known)
  const { client, enums, fields, maps } = options
  const learning = { enums: new Set(enums), fields: new Set(fields), maps: new Set(maps) }
  const calls = new Map(Object.entries(before.calls))
  return {
    recording: () => merge(empty, { version: 1, calls: Object.fromEntries(calls) }),
    learn: (seen, answer) => {
      const match = find(seen, client)
      for (const call of match) {
        const { count, shape } = calls.get(call.key) ?? { count: 0, shape: {} }
        const seenNow = partsOf(call, answer).map((part) => learn(part, learning))
        calls.set(call.key, { count: count + 1, shape: seenNow.reduce(join, shape) })
      }
      return match.map(({ key }) => key)
    }
  }
}

const folded = ([id, { count, shape }]: readonly [string, Answers]): readonly [string, Answers] => [
  id,
  { count, shape: withoutNames(shape, declaredOf(callOf(id))) }
]

/** The same recording without the names of maps, as a file and a module hold it. @category getters */
export const withoutMapNames = ({ calls, version }: Recording): Recording => ({
  version,
  calls: Object.fromEntries(Object.entries(calls).map(folded))
})

/**
 * The names of fields that a file and a module keep though the SDK does not declare them. Whether a word is a field or
 * somebody's name, its spelling does not say: look them over. @category getters
 */
export const undeclared = (recording: Recording): ReadonlyArray<string> =>
  [
    ...new Set(
      Object.entries(withoutMapNames(recording).calls).flatMap(([id, { shape }]) =>
        undeclaredIn(shape, declaredOf(callOf(id)))
      )
    )
  ].sort()

/** The values of enumerations that a file and a module keep. @category getters */
export const words = ({ calls }: Recording): ReadonlyArray<string> =>
  [...new Set(Object.values(calls).flatMap(({ shape }) => wordsIn(shape)))].sort()

/** The text of a recording's file: shapes and counts alone. @category getters */
export const stringify = (recording: Recording): string =>
  `${JSON.stringify(withoutMapNames(recording), undefined, 2)}\n`

const refuse = (rule: string) =>
  Either.left(new InputError({ operation: "Recording.parse", field: "text", rule }))

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isCount = (value: unknown): boolean =>
  value === undefined || (typeof value === "number" && Number.isSafeInteger(value) && value >= 0)

const isShape = (value: unknown): value is Shape => {
  if (!isObject(value)) return false
  const { boolean, list, nothing, null: nulls, number, object, text, unknown, ...others } = value
  return (
    Object.keys(others).length === 0 &&
    [boolean, nothing, nulls, number, unknown].every(isCount) &&
    (text === undefined || (isObject(text) && isCount(text.count))) &&
    (list === undefined || (isObject(list) && isCount(list.count) && isShape(list.items))) &&
    (object === undefined ||
      (isObject(object) &&
        isCount(object.count) &&
        isObject(object.fields) &&
        Object.values(object.fields).every(isShape) &&
        (object.names === undefined || isShape(object.names))))
  )
}

/** Reads the text of a recording's file. InputError if it is none, or of a later version. @category constructors */
export const parse = (text: string): Either.Either<Recording, InputError> => {
  const parsed = Json.parse(text)?.value
  if (!isObject(parsed) || !isObject(parsed.calls)) return refuse("must be the file of a recording")
  if (parsed.version !== 1) return refuse("must be of version 1: this one was written by a later version")
  const calls = Object.entries(parsed.calls).flatMap(
    ([id, answers]): ReadonlyArray<[string, Answers]> =>
      isObject(answers) && typeof answers.count === "number" && isShape(answers.shape)
        ? [[id, { count: answers.count, shape: answers.shape }]]
        : []
  )
  return calls.length === Object.keys(parsed.calls).length
    ? Either.right({ version: 1, calls: Object.fromEntries(calls) })
    : refuse("must hold a count and a shape for each call")
}
