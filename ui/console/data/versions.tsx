/** The question which of two versions counts, where somebody else has changed what one is changing. */
import type { ReactNode } from "react"
import type { Question } from "../design/dialog.js"
import { Scroll } from "../design/show.js"

type Texts = Readonly<Record<string, string>>
type Row = readonly [name: string, theirs: ReactNode, yours: ReactNode]

/** The name by which the texts of a form hold the version of a row: no field has it. */
const version = "*version"

/** The version of a row for the texts of its form: its number, else when it was changed last. */
export const versioned = (row: object | undefined): Texts => {
  const { updatedAt, version: number } = Object(row)
  return { [version]: String(number ?? (updatedAt instanceof Date ? updatedAt.toISOString() : "")) }
}

/** Whether a row is still what a form began with: by its version, else by the fields that the form changes. */
export const isSame = (begun: Texts, theirs: Texts, yours: Texts): boolean =>
  begun[version] || theirs[version]
    ? begun[version] === theirs[version]
    : Object.keys(yours).every((name) => yours[name] === begun[name] || theirs[name] === begun[name])

/** What differs between theirs and what saving yours makes of it: what was left alone stays theirs. */
export const differences = (
  begun: Texts,
  theirs: Texts,
  yours: Texts,
  of: {
    readonly labelOf: (name: string) => string
    readonly shownOf?: (name: string, text: string) => string
  }
): ReadonlyArray<Row> => {
  const shown = (name: string, text = ""): string => of.shownOf?.(name, text) ?? text
  return Object.keys(yours)
    .filter((name) => name !== version && (theirs[name] !== begun[name] || yours[name] !== begun[name]))
    .map((name) => [
      of.labelOf(name),
      shown(name, theirs[name]),
      shown(name, yours[name] === begun[name] ? theirs[name] : yours[name])
    ])
}

/** Shows what differs, and asks; `action` is the way of yours. */
export const between = (
  rows: ReadonlyArray<Row>,
  answers: Pick<Question, "decline" | "action">
): Question => ({
  ...answers,
  title: "Someone else changed this",
  description: "It changed while you were working on it. Compare both versions and choose one.",
  children: (
    <Scroll label="Both versions">
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Theirs</th>
            <th scope="col">Yours</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, theirs, yours]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{theirs || "—"}</td>
              <td>{yours || "—"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
})
