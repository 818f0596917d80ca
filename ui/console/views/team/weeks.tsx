/** A month of absences as a list by week, for narrow screens. */
import type { ReactElement } from "react"
import { dayRange } from "../../design/format.js"
import { Badge, words } from "../../design/show.js"
import { AbsenceCard, KindBadge, rangeOf } from "./absence-card.js"
import { type Absence, isApproved, isoOf, weekdayOf } from "./absences.js"

/** The Monday of the week of a day. */
const mondayOf = (day: number): number => day - weekdayOf(day)

const weekOf = (monday: number): string => dayRange(isoOf(monday), isoOf(monday + 6), false)

export const Weeks = (props: {
  readonly of: ReadonlyArray<Absence>
  readonly all: ReadonlyArray<Absence>
  /** The first day of the month: what began before stands in its first week. */
  readonly first: number
  readonly selected: string | undefined
  readonly onSelect: (key: string | undefined) => void
}): ReactElement => {
  const { all, first, of, onSelect, selected } = props
  const weeks = new Map<number, Array<Absence>>()
  for (const absence of of) {
    const monday = mondayOf(Math.max(absence.from, first))
    weeks.set(monday, [...(weeks.get(monday) ?? []), absence])
  }
  return (
    <div className="md:hidden">
      {[...weeks].map(([monday, absences]) => (
        <section key={monday} aria-label={weekOf(monday)}>
          <h2 className="week-head">{weekOf(monday)}</h2>
          <ul>
            {absences.map((absence) => {
              const isSelected = absence.key === selected
              return (
                <li key={absence.key} className="border-b">
                  <button
                    type="button"
                    className="week-line"
                    aria-expanded={isSelected}
                    onClick={() => onSelect(isSelected ? undefined : absence.key)}
                  >
                    <span className="min-w-0 flex-1">
                      <span className="block truncate text-sm font-medium">{absence.name}</span>
                      <span className="block quiet">{rangeOf(absence, false)}</span>
                    </span>
                    {!isApproved(absence) && <Badge tone="warn">{words(absence.status)}</Badge>}
                    <KindBadge kind={absence.kind} />
                  </button>
                  {isSelected && (
                    <div className="bg-bg px-4 py-3">
                      <AbsenceCard of={absence} all={all} onSelect={onSelect} />
                    </div>
                  )}
                </li>
              )
            })}
          </ul>
        </section>
      ))}
    </div>
  )
}
