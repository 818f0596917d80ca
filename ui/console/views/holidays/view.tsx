/** A calendar of who is away: the days of a month; on narrow screens, those on which somebody is. */
import { Link } from "@swan-io/chicane"
import type { ReactElement } from "react"
import { holidayTypes } from "../../../../core/intranet/model.js"
import { useQuery } from "../../../rx/index.js"
import { admin } from "../../app/query-clients.js"
import { type AbsenceRow, absences } from "../../app/rows.js"
import { Button, IconButton } from "../../design/button.js"
import { Select } from "../../design/field.js"
import layout from "../../design/layout.module.css"
import { useListState } from "../../design/list-state.js"
import { Card, PageHead, words } from "../../design/show.js"
import { Loaded, Skeleton } from "../../design/state.js"
import styles from "./holidays.module.css"

const types = holidayTypes.map((value) => ({ value: value as string, label: words(value) }))
const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

/** A day is its number since 1970, in UTC as the platform's dates are. */
const dayOf = (date: Date): number => Math.floor(date.getTime() / 86_400_000)
const dateOf = (day: number): Date => new Date(day * 86_400_000)
const monthOf = (day: number): string => dateOf(day).toISOString().slice(0, 7)
const firstOf = (month: string | undefined): number => dayOf(new Date(`${month}-01T00:00Z`))

const titleOf = (day: number): string =>
  dateOf(day).toLocaleDateString("en-GB", { month: "long", year: "numeric", timeZone: "UTC" })

/** The weeks of a month, from Monday on: the days of the month, and nothing for those before and after it. */
const weeksOf = (first: number): ReadonlyArray<ReadonlyArray<number | undefined>> =>
  [0, 1, 2, 3, 4, 5]
    .map((week) =>
      weekdays
        .map((_, weekday) => first - ((first + 3) % 7) + week * 7 + weekday)
        .map((day) => (monthOf(day) === monthOf(first) ? day : undefined))
    )
    .filter((days) => days.some((day) => day !== undefined))

const isAway = ({ endDate, startDate }: AbsenceRow, day: number): boolean =>
  startDate instanceof Date && dayOf(startDate) <= day && day <= dayOf(endDate ?? startDate)

const Day = (props: {
  readonly day: number
  readonly isToday: boolean
  readonly away: ReadonlyArray<AbsenceRow>
}): ReactElement => (
  <td aria-current={props.isToday ? "date" : undefined} data-away={props.away.length}>
    <time dateTime={dateOf(props.day).toISOString().slice(0, 10)}>
      <span>{weekdays[(props.day + 3) % 7]} </span>
      {dateOf(props.day).getUTCDate()}
      {props.isToday && <strong> Today</strong>}
    </time>
    <ul>
      {props.away.map(({ _id, fullName, status }, index) => (
        <li key={_id ?? index} data-tone={status === "approved" ? "good" : "warn"}>
          {fullName ?? "Someone"}
          {status !== "approved" && ` (${status ?? "open"})`}
        </li>
      ))}
    </ul>
  </td>
)

const Holidays = (): ReactElement => {
  const state = useListState()
  const type = state.read("type") ?? "holiday"
  const now = new Date()
  const today = dayOf(new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())))
  const asked = firstOf(state.read("month"))
  const first = Number.isNaN(asked) ? firstOf(monthOf(today)) : asked
  const weeks = weeksOf(first)
  const show = (day: number): void => state.set({ month: monthOf(day) })
  return (
    <>
      <PageHead title="Holidays" about="Who is away, day by day." />
      <div className={layout.toolbar}>
        <Select
          label="Kind of absence"
          hideLabel
          value={type}
          choices={types}
          onChange={(type) => state.set({ type })}
        />
        <span className={layout.grow} />
        <Button onClick={() => show(today)}>This month</Button>
        <IconButton icon="back" label="The month before" onClick={() => show(first - 1)} />
        <IconButton icon="next" label="The next month" onClick={() => show(first + 31)} />
      </div>
      <Card flush title={titleOf(first)}>
        <Loaded
          of={useQuery(admin.query(absences.list, { type, limit: 500 }))}
          skeleton={<Skeleton height="32rem" />}
        >
          {({ items }) => {
            const awayOn = (day: number) => items.filter((one) => isAway(one, day))
            const people = new Set(
              weeks.flatMap((week) =>
                week.flatMap((day) => (day === undefined ? [] : awayOn(day).map(({ fullName }) => fullName)))
              )
            ).size
            const [nearest] = items
              .flatMap(({ startDate }) => (startDate instanceof Date ? [dayOf(startDate)] : []))
              .sort((one, other) => Math.abs(one - first) - Math.abs(other - first))
            return (
              <>
                <table className={styles.month}>
                  <thead>
                    <tr>
                      {weekdays.map((name) => (
                        <th key={name} scope="col">
                          {name}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {weeks.map((week, index) => (
                      <tr key={index}>
                        {week.map((day, weekday) =>
                          day === undefined ? (
                            <td key={weekday} data-away={0} />
                          ) : (
                            <Day key={weekday} day={day} isToday={day === today} away={awayOn(day)} />
                          )
                        )}
                      </tr>
                    ))}
                  </tbody>
                </table>
                <footer>
                  <span role="status">
                    {people || "Nobody"} {people > 1 ? "are" : "is"} away this month.
                  </span>
                  {people === 0 && nearest !== undefined && (
                    <Link to={state.href({ month: monthOf(nearest) })}>Go to {titleOf(nearest)}</Link>
                  )}
                </footer>
              </>
            )
          }}
        </Loaded>
      </Card>
    </>
  )
}

export default Holidays
