/** The whole trace: each statement of the specification, in order, with its code and the tests tagged with it. */
import { filesIn, read } from "@quartet/support/files.js"
import { type Call, calls } from "./calls.js"
import { notes, places } from "./places.js"
import { clientOf, numbered, type Statement, statements } from "./statements.js"
import { type Tag, tagsIn } from "./syntax.js"

/** A place in a file: exports, or a test with the titles of its suites. */
export interface Place {
  readonly file: string
  readonly name: string
}

/** A statement and its places. */
export interface Traced extends Statement {
  /** Its number, `3.11`; of a statement of calls, the first of them: `admin.requests.create`. */
  readonly id: string
  readonly code: ReadonlyArray<Place>
  readonly tests: ReadonlyArray<Place>
  /** The calls that it states. */
  readonly calls: ReadonlyArray<Call>
  readonly note: string | undefined
}

/** All tags of the tests. */
export const tags: ReadonlyArray<Tag & { readonly file: string }> = ["test", "packages"]
  .flatMap(filesIn)
  .filter((file) => /\.tsx?$/.test(file))
  .flatMap((file) => tagsIn(read(file)).map((tag) => ({ ...tag, file })))

/** The words of a text, without the punctuation at their ends. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .split(/\s+/)
    .map((word) => word.replace(/[.,;:…]+$/, ""))
    .filter((word) => word !== "")

/** The positions of words in a text from a start, each as close to the previous one as possible. */
const placesFrom = (start: number, words: ReadonlyArray<string>, text: ReadonlyArray<string>) => {
  const places: Array<number> = []
  for (const word of words) {
    const place = text.indexOf(word, places.length === 0 ? start : (places.at(-1) ?? 0) + 1)
    if (place === -1) return []
    places.push(place)
  }
  return places
}

/** The positions of words in a text, in order and closest together; empty if they do not occur. */
const placesOf = (words: ReadonlyArray<string>, text: ReadonlyArray<string>): ReadonlyArray<number> => {
  const spanOf = (places: ReadonlyArray<number>) => (places.at(-1) ?? 0) - (places[0] ?? 0)
  const [closest = []] = text
    .map((_, start) => placesFrom(start, words, text))
    .filter((places) => places.length > 0)
    .sort((left, right) => spanOf(left) - spanOf(right))
  return closest
}

/** The calls of a statement: those of its client whose words occur in it, in order. */
const statedIn = (statement: Statement): ReadonlyArray<Call> =>
  calls.filter(
    ({ client, row }) =>
      client === clientOf(statement) && placesOf(wordsOf(row.stated), wordsOf(statement.text)).length > 0
  )

/** The words of a statement that none of its calls claims. */
export const unclaimed = ({ calls: stated, text }: Traced): ReadonlyArray<string> => {
  const words = wordsOf(text)
  const claimed = new Set(stated.flatMap(({ row }) => placesOf(wordsOf(row.stated), words)))
  return words.filter((_, place) => !claimed.has(place))
}

/** The tests that are tagged with one of these names. */
const testsOf = (names: ReadonlyArray<string>): ReadonlyArray<Place> =>
  tags.flatMap(({ file, statements: proved, test }) =>
    test?.runs === true && proved.some((name) => names.includes(name))
      ? [{ file, name: test.path.join(" > ") }]
      : []
  )

/** One test, tagged with this word, proves for all calls that they go on the wire as stated. */
const allCalls = "calls"

const placeOf = (place: string): ReadonlyArray<Place> => {
  const [file = "", names = ""] = place.split("#")
  return names.split(", ").map((name) => ({ file, name }))
}

const entries = new Map(
  Object.entries(places).map(([key, code]) => {
    const { id, statement } = numbered(key)
    return [statement, { id, code: code.flatMap(placeOf) }] as const
  })
)

const traced = (statement: Statement): Traced => {
  const entry = entries.get(statement)
  const stated = entry === undefined ? statedIn(statement) : []
  const id = entry?.id ?? stated[0]?.id
  if (id === undefined)
    throw new Error(
      `Nothing is known of the statement "${statement.text}": add the calls that it states to spec/calls.json, ` +
        "or its place to tools/specification/places.ts under the next number of its section."
    )
  return {
    ...statement,
    id,
    code: entry?.code ?? stated.map(({ operation }) => ({ file: operation.file, name: operation.exported })),
    tests:
      entry === undefined
        ? [...testsOf([allCalls]), ...testsOf(stated.map((call) => call.id))]
        : testsOf([id]),
    calls: stated,
    note: notes[id]
  }
}

/** All statements, in the order of the specification. */
export const trace: ReadonlyArray<Traced> = statements.map(traced)

const known = new Set([allCalls, ...trace.map(({ id }) => id), ...calls.map(({ id }) => id)])

/** Tags of no statement, and tags above anything but a running test or suite. */
export const strays: ReadonlyArray<string> = tags.flatMap(({ file, statements: proved, test }) =>
  test?.runs === true && proved.every((id) => known.has(id)) ? [] : [`${file}: Spec ${proved.join(", ")}`]
)
