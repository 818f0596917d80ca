/** The changes that CONTRIBUTING.md shows. */
import { read } from "@quartet/support/files.js"

/** What a change replaces in a file, and by what. One that replaces nothing makes the file. */
export interface Change {
  readonly file: string
  readonly before: string
  readonly after: string
}

/** The lines of a change that stand in the file before it, or after it. */
const side = (lines: ReadonlyArray<string>, marks: string): string =>
  lines.flatMap((line) => (marks.includes(line.charAt(0)) ? [line.slice(1)] : [])).join("\n")

const blocks = read("CONTRIBUTING.md").matchAll(/^( *)```diff (\S+)\n([\s\S]*?)^ *```$/gm)

export const changes: ReadonlyArray<Change> = [...blocks].map(([, indent = "", file = "", block = ""]) => {
  const lines = block
    .trimEnd()
    .split("\n")
    .map((line) => line.slice(indent.length))
  return { file, before: side(lines, " -"), after: side(lines, " +") }
})

/** The text after a change; an error where what it replaces does not stand there exactly once. */
export const changed = (text: string, { after, before, file }: Change): string => {
  if (before === "") return `${after}\n`
  const times = text.split(before).length - 1
  if (times !== 1) throw new Error(`stands ${times} times in ${file}, and must stand there once: ${before}`)
  return text.replace(before, () => after)
}
