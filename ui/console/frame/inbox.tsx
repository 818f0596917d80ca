/** A list of two lines a row: what it is about and when, below it who and how far. */
import type { ReactElement, ReactNode } from "react"
import { type Tone, toneClass, When } from "../design/show.js"
import type { Row } from "./selection.js"

export interface InboxRow {
  /** The colour of its dot; none without one. */
  readonly tone?: Tone
  /** What stands in place of the dot, such as a picture of a person. */
  readonly lead?: ReactNode
  readonly title: string
  readonly at?: Date | null | undefined
  /** The second line. */
  readonly line: ReactNode
  /** Nobody here has seen it yet: its title stands out. */
  readonly isNew?: boolean
  /** At the end of the second line: how much is new, or a state. */
  readonly badge?: ReactNode
}

/** The height of a row, in pixels. */
export const inboxHeight = 52

export const InboxCells = <A extends Row>({
  row,
  of
}: {
  readonly row: A
  readonly of: (row: A) => InboxRow
}): ReactElement => {
  const { at, badge, isNew = false, lead, line, title, tone } = of(row)
  return (
    <span className="inbox-row">
      {lead !== undefined && <span className="inbox-lead">{lead}</span>}
      {lead === undefined && tone && <span className={`inbox-dot ${toneClass[tone]}`} />}
      <span className={`truncate text-sm ${isNew ? "font-bold" : "font-medium"}`}>
        {title}
        {isNew && <span className="sr-only">, new</span>}
      </span>
      <When date={at} className="faint text-end" />
      <span className={`truncate quiet col-start-2 ${badge === undefined ? "col-span-2" : ""}`}>{line}</span>
      {badge !== undefined && <span className="justify-self-end">{badge}</span>}
    </span>
  )
}
