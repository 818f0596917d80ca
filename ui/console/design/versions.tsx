/** The question which of two versions counts, where somebody else has changed what one is changing. */
import type { ReactNode } from "react"
import type { Question } from "./dialog.js"
import { Scroll } from "./scroll.js"

type Row = readonly [name: string, theirs: ReactNode, yours: ReactNode]

/** Shows what differs, and asks; `action` is the way of yours. */
export const between = (
  rows: ReadonlyArray<Row>,
  answers: Pick<Question, "decline" | "action">
): Question => ({
  ...answers,
  title: "Somebody was faster",
  description: "This was changed while you worked on it. Look at both, and choose.",
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
              <td>{theirs}</td>
              <td>{yours}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
})
