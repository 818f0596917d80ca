/** A calendar of who is away: the days of a month; on narrow screens, those on which somebody is. */

import { holidayTypes } from "@quartet/sdk/extend/models/intranet"
import { Link } from "@swan-io/chicane"
import type { ReactElement } from "react"
import { useWhole } from "../../app/names.js"
import { admin } from "../../app/query-clients.js"
import { type AbsenceRow, absences } from "../../app/rows.js"
import { useListState, wordOf } from "../../data/list-state.js"
import { Loaded } from "../../data/loaded.js"
import { Button, IconButton } from "../../design/button.js"
import { Select } from "../../design/field.js"
import { month } from "../../design/format.js"
import { Card, CardFoot, PageHead, toneClass, words } from "../../design/show.js"

const types = holidayTypes.map((value) => ({ value: value as string, label: words(value) }))
const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

/** A day is its number since 1970, in UTC as the platform's dates are. */
const dayOf = (date: Date): number => Math.floor(date.getTime() / 86_400_000)
const textOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)
const monthOf = (day: number): string => textOf(day).slice(0, 7)
const firstOf = (month: string | undefined): number => dayOf(new Date(`${month}-01T00:00Z`))
const weekdayOf = (day: number): number => (day + 3) % 7

const titleOf = (day: number): string => month(new Date(textOf(day)))

const isAway = ({ endDate, startDate }: AbsenceRow, day: number): boolean =>
  startDate instanceof Date && dayOf(startDate) <= day && day <= dayOf(endDate ?? startDate)

const toneOf = (status: string | null | undefined) => toneClass[status === "approved" ? "good" : "warn"]

const weekClass = "grid grid-cols-7 text-xs"
/** On narrow screens a line, and none where nobody is away. */
const dayClass =
  "min-h-22 border-line border-t p-1.5 md:not-nth-[7n]:border-r md:nth-[7n]:bg-bg md:nth-[7n+6]:bg-bg aria-[current]:inset-ring-2 aria-[current]:inset-ring-accent-text max-md:flex max-md:items-baseline max-md:min-h-0 max-md:gap-3 max-md:px-3 max-md:py-2.5 max-md:not-[[aria-current]]:not-has-[p]:hidden"

/** A place before or after the month. */
const blank = (weekday: string): ReactElement => <li key={weekday} className={dayClass} aria-hidden="true" />

const Holidays = (): ReactElement => {
  const state = useListState()
  const type = state.read("type") ?? "holiday"
  const now = new Date()
  const today = dayOf(new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())))
  const requestedFirst = firstOf(state.read("month"))
  const first = Number.isNaN(requestedFirst) ? firstOf(monthOf(today)) : requestedFirst
  const days = Array.from({ length: 31 }, (_, index) => first + index).filter(
    (day) => monthOf(day) === monthOf(first)
  )
  const answer = useWhole(
    admin.infiniteQuery(absences.list, { type: wordOf(holidayTypes, type) }, { limit: 500 })
  )
  const { items, part } = answer
  const awayOn = (day: number) => items.filter((absence) => isAway(absence, day))
  const people = new Set(days.flatMap(awayOn).map(({ fullName }) => fullName)).size
  const [nearest] = items
    .flatMap(({ startDate }) => (startDate instanceof Date ? [dayOf(startDate)] : []))
    .sort((left, right) => Math.abs(left - first) - Math.abs(right - first))
  const show = (day: number): void => state.set({ month: monthOf(day) })
  return (
    <>
      <PageHead title="Holidays" about="Who is away, day by day.">
        <Select
          label="Kind of absence"
          hideLabel
          value={type}
          choices={types}
          onChange={(type) => state.set({ type })}
        />
      </PageHead>
      <Card
        flush
        title={titleOf(first)}
        action={
          <span className="flex items-center gap-1">
            <Button onClick={() => show(today)}>This month</Button>
            <IconButton icon="back" label="The month before" onClick={() => show(first - 1)} />
            <IconButton icon="next" label="The next month" onClick={() => show(first + 31)} />
          </span>
        }
      >
        <Loaded of={answer}>
          {() => (
            <>
              <div className={`${weekClass} text-muted *:px-2.5 *:py-2 max-md:hidden`} aria-hidden="true">
                {weekdays.map((name) => (
                  <span key={name}>{name}</span>
                ))}
              </div>
              <ol className={`${weekClass} max-md:block`}>
                {weekdays.slice(0, weekdayOf(first)).map(blank)}
                {days.map((day) => (
                  <li key={day} className={dayClass} aria-current={day === today ? "date" : undefined}>
                    <time className="px-1 whitespace-nowrap text-muted max-md:w-16" dateTime={textOf(day)}>
                      <span className="md:hidden">{weekdays[weekdayOf(day)]?.slice(0, 3)} </span>
                      {Number(textOf(day).slice(8))}
                      {day === today && <strong> Today</strong>}
                    </time>
                    <div>
                      {awayOn(day).map(({ _id, fullName, status }, index) => (
                        <p
                          key={_id ?? index}
                          className={`mt-0.75 rounded-md bg-tone/12 max-md:w-fit px-1.5 py-px wrap-anywhere text-tone ${toneOf(status)}`}
                        >
                          {fullName ?? "Someone"} {status !== "approved" && `(${status ?? "open"})`}
                        </p>
                      ))}
                    </div>
                  </li>
                ))}
                {weekdays.slice(weekdayOf(first + days.length - 1) + 1).map(blank)}
              </ol>
            </>
          )}
        </Loaded>
        {answer.data && (
          <CardFoot>
            <span role="status">
              {people || "Nobody"} {people > 1 ? "are" : "is"} away this month
              {part && `, by ${part} absences`}.
            </span>
            {people === 0 && nearest !== undefined && (
              <Link to={state.href({ month: monthOf(nearest) })}>Go to {titleOf(nearest)}</Link>
            )}
          </CardFoot>
        )}
      </Card>
    </>
  )
}

export default Holidays
