/**
 * Lists of edits of the sources: faults of the kind that a change may bring in unnoticed, each with the tests that have to notice it.
 *
 * `--- file` begins the edits of a file, `@@ name @@ killed by` begins one. What its lines with `-` say stands in the
 * file exactly once, also within a line, and is replaced by its lines with `+`; without such lines it goes as a whole.
 */

export interface Mutant {
  /** What the changed sources do, as a sentence without its end. */
  readonly name: string
  readonly file: string
  readonly find: string
  readonly replace: string
  /** The file of tests, or `torture` and the name of a scenario. */
  readonly killedBy: string
}

const one = /^@@ (.+) @@ (.+)\n((?:-.*\n)+)((?:\+.*\n)*)/
const linesOf = (text: string): string => text.replaceAll(/^[-+]/gm, "")

/** The edits of a list. */
export const parsed = (text: string): ReadonlyArray<Mutant> =>
  text.split(/^--- /m).flatMap((part) => {
    const [file = "", ...rest] = part.split("\n")
    return rest
      .join("\n")
      .split(/^(?=@@ )/m)
      .filter((block) => block.trim() !== "")
      .map((block) => {
        const [whole, name = "", killedBy = "", find = "", replace = ""] = one.exec(block) ?? []
        if (whole?.trim() !== block.trim()) throw new Error(`${file}: cannot be read\n${block}`)
        const isLeftOut = replace === ""
        const found = linesOf(find)
        return {
          name,
          file,
          killedBy,
          find: isLeftOut ? found : found.slice(0, -1),
          replace: linesOf(replace).slice(0, -1)
        }
      })
  })
