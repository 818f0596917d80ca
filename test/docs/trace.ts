/** The whole trace: a row for each statement of the specification, in its order, each led to code and tests. */
import { type Call, calls } from "./calls.js"
import { rows as adminCalls } from "./trace/admin-calls.js"
import { answers, rows as constants } from "./trace/constants.js"
import { rows as endUserCalls } from "./trace/end-user-calls.js"
import { rows as entities } from "./trace/entities.js"
import { privateRows, publicRows } from "./trace/key-calls.js"
import { rows as overview } from "./trace/overview.js"
import type { CallsRow, Place, Row } from "./trace/row.js"
import { rows as rules } from "./trace/rules.js"
import { rows as states } from "./trace/states.js"

/** A row with its calls found and its places complete. */
export interface Traced extends Row {
  /** The calls that it states. */
  readonly calls: ReadonlyArray<Call>
}

/** The proof that all calls share. */
export const ledger: Place = "test/wire/ledger.test.ts#over $transport, with $form, > $id is $method $path"

/** The words of a text, without the punctuation at their ends. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .split(/\s+/)
    .map((word) => word.replace(/[.,;:…]+$/, ""))
    .filter((word) => word !== "")

/** Where the words stand in a text from a place on, each as near to the one before it as can be. */
const placesFrom = (start: number, words: ReadonlyArray<string>, text: ReadonlyArray<string>) => {
  const places: Array<number> = []
  for (const word of words) {
    const place = text.indexOf(word, places.length === 0 ? start : (places.at(-1) ?? 0) + 1)
    if (place === -1) return []
    places.push(place)
  }
  return places
}

/** Where the words stand in a text, in their order and closest together; nowhere where they do not. */
const placesOf = (words: ReadonlyArray<string>, text: ReadonlyArray<string>): ReadonlyArray<number> => {
  const spanOf = (places: ReadonlyArray<number>) => (places.at(-1) ?? 0) - (places[0] ?? 0)
  const [closest = []] = text
    .map((_, start) => placesFrom(start, words, text))
    .filter((places) => places.length > 0)
    .sort((one, other) => spanOf(one) - spanOf(other))
  return closest
}

/** The calls that a statement states: those of its client whose own words stand in it, in their order. */
const statedIn = ({ client, says }: CallsRow): ReadonlyArray<Call> =>
  calls.filter(
    (call) => call.client === client && placesOf(wordsOf(call.row.stated), wordsOf(says)).length > 0
  )

/** The words of a statement that none of its calls claims. */
export const unclaimed = ({ calls: stated, says }: Traced): ReadonlyArray<string> => {
  const words = wordsOf(says)
  const claimed = new Set(stated.flatMap(({ row }) => placesOf(wordsOf(row.stated), words)))
  return words.filter((_, place) => !claimed.has(place))
}

const unique = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(list)]

const traced = (row: Row | CallsRow): Traced => {
  if ("code" in row) return { ...row, calls: [] }
  const { client: _, ...rest } = row
  const stated = statedIn(row)
  const code = stated.flatMap(({ bound, found, row: { id } }): ReadonlyArray<Place> => {
    const name = id.slice(id.lastIndexOf(".") + 1)
    return [`${found.file}#${found.exported}`, `${bound}#${name}`]
  })
  return { ...rest, calls: stated, code: [...unique(code)].sort(), tests: [ledger, ...row.tests] }
}

/** All rows, in the order of the specification. */
export const trace: ReadonlyArray<Traced> = [
  ...overview,
  ...entities,
  ...states,
  ...rules,
  ...adminCalls,
  ...publicRows,
  ...privateRows,
  ...endUserCalls,
  ...answers,
  ...constants
].map(traced)
