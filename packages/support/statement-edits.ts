/**
 * The edits of `spec/statements.diff`: each breaks one statement of the specification in the sources, and tests that
 * `docs/specification.md` names for it have to notice. A statement that says several things has several edits, so that each
 * test named for it fails with one of them. `@@ 3.11 a box type is left out @@ named` begins one.
 *
 * What states calls needs no edit of its own there: `moved` puts every call at another address.
 */
import { read } from "./files.js"
import { type Mutant, parsed } from "./mutant.js"

/** An edit of the sources, and the number of the statement that it breaks. */
export interface Edit extends Omit<Mutant, "killedBy"> {
  readonly statement: string
}

/** The tests are those of the trace, so the list does not name them. */
const named = "named"

export const edits: ReadonlyArray<Edit> = parsed(read("spec/statements.diff")).map(
  ({ killedBy, name, ...edit }) => {
    if (killedBy !== named)
      throw new Error(`${name}: is noticed by the tests of its statement, not by ${killedBy}`)
    return { ...edit, name, statement: name.slice(0, name.indexOf(" ")) }
  }
)

/** A source of operations with each of its calls at another address. */
export const moved = (source: string): string => source.replaceAll(/^( +path: )/gm, '$1"moved/" + ')

/** The statement that the platform has these entities, which it has by their calls. */
export const entities = "3.21"
