/** A month of absences as bars: a row for each person who is away in it, a column for each day. */
import { type KeyboardEvent, type ReactElement, useRef } from "react"
import { number, weekday } from "../../design/format.js"
import { useVariable } from "../../design/variable.js"
import { daysText, rangeOf } from "./absence-card.js"
import { type Absence, dateOf, isApproved, isoOf, kindClass, kindLabel, weekdayOf } from "./absences.js"

/** What a bar says to those who do not see it, with what stands in it as it stands there. */
const spoken = (of: Absence): string =>
  [
    of.name,
    kindLabel(of.kind).toLowerCase(),
    of.status.replaceAll("_", " "),
    rangeOf(of, false).replace(/\s*–\s*/, " to "),
    daysText(of.days)
  ].join(", ")

/** The least width of a day and of a letter in a bar, in pixels. */
const dayWidth = 24
const letterWidth = 6.5

const Bar = (props: {
  readonly of: Absence
  readonly first: number
  readonly last: number
  readonly isSelected: boolean
  readonly isStop: boolean
  readonly onSelect: (key: string) => void
}): ReactElement => {
  const { first, isSelected, isStop, last, of, onSelect } = props
  const bar = useRef<HTMLButtonElement>(null)
  const from = Math.max(of.from, first)
  const span = Math.min(of.until, last) - from + 1
  useVariable(bar, "--from", from - first + 1)
  useVariable(bar, "--span", span)
  const label = kindLabel(of.kind)
  const hasRoom = (text: string): boolean => span * dayWidth > text.length * letterWidth + 14
  const long = isApproved(of) ? label : `${label}, ${of.status.replaceAll("_", " ")}`
  return (
    <button
      ref={bar}
      type="button"
      className={`absence-bar ${kindClass(of.kind)}`}
      data-bar={of.key}
      data-asked={!isApproved(of) || undefined}
      data-before={of.from < first || undefined}
      data-after={of.until > last || undefined}
      aria-pressed={isSelected}
      aria-label={spoken(of)}
      title={`${of.name}: ${long}, ${rangeOf(of, false)}`}
      tabIndex={isStop ? 0 : -1}
      onClick={() => onSelect(of.key)}
    >
      <span className="absence-text">{hasRoom(long) ? long : hasRoom(label) ? label : ""}</span>
    </button>
  )
}

/** The people of absences, each with theirs; who is away first stands first. */
const rowsOf = (
  of: ReadonlyArray<Absence>
): ReadonlyArray<readonly [name: string, absences: ReadonlyArray<Absence>]> => {
  const rows = new Map<string, Array<Absence>>()
  for (const absence of of) {
    const person = absence.userId ?? absence.name
    rows.set(person, [...(rows.get(person) ?? []), absence])
  }
  return [...rows.values()].map((absences) => [absences[0]?.name ?? "Someone", absences])
}

export const Calendar = (props: {
  readonly of: ReadonlyArray<Absence>
  readonly days: ReadonlyArray<number>
  readonly today: number
  readonly selected: string | undefined
  readonly onSelect: (key: string) => void
}): ReactElement => {
  const { days, of, onSelect, selected, today } = props
  const calendar = useRef<HTMLDivElement>(null)
  const first = days[0] ?? today
  const last = days.at(-1) ?? today
  const rows = rowsOf(of)
  const inOrder = rows.flatMap(([, absences]) => absences)
  const stop = inOrder.some(({ key }) => key === selected) ? selected : inOrder[0]?.key
  useVariable(calendar, "--days", days.length)
  useVariable(calendar, "--weekday", weekdayOf(first))
  useVariable(calendar, "--today", today - first)
  const onKeyDown = (event: KeyboardEvent): void => {
    const { target } = event
    const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key]
    if (step === undefined || !(target instanceof HTMLElement) || target.dataset.bar === undefined) return
    event.preventDefault()
    const place = inOrder.findIndex(({ key }) => key === target.dataset.bar)
    const next = inOrder[place + step]
    if (next === undefined) return
    onSelect(next.key)
    for (const bar of calendar.current?.querySelectorAll<HTMLElement>("[data-bar]") ?? [])
      if (bar.dataset.bar === next.key) bar.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the bars have the focus; their keys are handled once here.
    <div ref={calendar} className="absence-calendar" onKeyDown={onKeyDown}>
      <div className="absence-row absence-days" aria-hidden="true">
        <span className="absence-name" />
        <span className="absence-track">
          {days.map((day) => (
            <span
              key={day}
              className="absence-day"
              data-weekend={weekdayOf(day) > 4 || undefined}
              data-today={day === today || undefined}
            >
              {weekday(dateOf(day)).slice(0, 1)}
              <b className="font-medium">{number(Number(isoOf(day).slice(8)))}</b>
            </span>
          ))}
        </span>
      </div>
      {first <= today && today <= last && <span className="absence-today" aria-hidden="true" />}
      <ul>
        {rows.map(([name, absences]) => (
          <li key={absences[0]?.key} className="absence-row">
            <span className="absence-name" title={name}>
              <span className="truncate">{name}</span>
            </span>
            <span className="absence-track">
              {absences.map((absence) => (
                <Bar
                  key={absence.key}
                  of={absence}
                  first={first}
                  last={last}
                  isSelected={absence.key === selected}
                  isStop={absence.key === stop}
                  onSelect={onSelect}
                />
              ))}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
