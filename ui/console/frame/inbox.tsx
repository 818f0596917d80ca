/** A list of two lines a row: what it is about and when, below it who and how far. */
import type { ReactElement, ReactNode } from "react"
import { type Tone, toneClass, When } from "../design/show.js"
import type { Row } from "./selection.js"

export interface InboxRow {
  /** The colour of its dot; none without one. */
  readonly tone?: Tone
  /** What stands in place of the dot, such as a picture of a person. */
  readonly lead?: ReactNode
  readonly title: ReactNode
  readonly at?: Date | null | undefined
  /** What stands at the end of the first line in place of the time, such as an amount. */
  readonly end?: ReactNode
  /** The second line. */
  readonly line: ReactNode
  /** Nobody here has seen it yet: its title stands out. */
  readonly isNew?: boolean
  /** At the end of the second line: how much is new, or a state. */
  readonly badge?: ReactNode
  /** What is said of it to those who do not see it, where that is not what its lines say in their order. */
  readonly spoken?: string
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
  const { at, badge, end, isNew = false, lead, line, title, tone } = of(row)
  return (
    <span className="inbox-row" data-lead={lead !== undefined || undefined}>
      {lead ?? (tone && <span className={`inbox-dot ${toneClass[tone]}`} />)}
      <span className={`relative truncate text-sm ${isNew ? "font-bold" : "font-medium"}`}>
        {title}
        {isNew && <span className="sr-only">, new</span>}
      </span>
      <span className="text-end text-sm whitespace-nowrap tabular-nums">
        {end ?? (at instanceof Date && <When date={at} className="faint" />)}
      </span>
      <span className={`truncate quiet col-start-2 ${badge === undefined ? "col-span-2" : ""}`}>{line}</span>
      {badge !== undefined && <span className="justify-self-end">{badge}</span>}
    </span>
  )
}
