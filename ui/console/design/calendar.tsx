/** Calendars of one day and of a range of days, loaded with the first one that opens. Days are texts, `2026-05-03`. */
import { type CalendarDate, parseDate } from "@internationalized/date"
import type { ReactElement } from "react"
import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Heading,
  RangeCalendar
} from "react-aria-components"
import { readDay } from "./format.js"
import { Icon } from "./icon.js"

export interface CalendarProps {
  readonly label: string
  readonly from: string
  /** The last day of a range; undefined where one day is chosen. */
  readonly to?: string | undefined
  readonly onChoose: (from: string, to: string) => void
}

const dateOf = (text: string): CalendarDate | null => {
  const iso = readDay(text)
  return iso === undefined ? null : parseDate(iso)
}

const Head = (): ReactElement => (
  <header className="mb-1 flex items-center gap-1">
    <Heading className="grow px-1 text-sm font-semibold" />
    <Button slot="previous" className="press size-7 border-transparent text-muted hover:bg-hover">
      <Icon name="back" />
    </Button>
    <Button slot="next" className="press size-7 border-transparent text-muted hover:bg-hover">
      <Icon name="next" />
    </Button>
  </header>
)

const Days = (): ReactElement => (
  <CalendarGrid weekdayStyle="short" className="calendar">
    <CalendarGridHeader>
      {(name) => (
        <CalendarHeaderCell className="h-7 w-9 border-0 p-0 text-center text-xs font-normal text-faint">
          {name}
        </CalendarHeaderCell>
      )}
    </CalendarGridHeader>
    <CalendarGridBody>{(date) => <CalendarCell date={date} className="calendar-day" />}</CalendarGridBody>
  </CalendarGrid>
)

const Chosen = ({ from, label, onChoose, to }: CalendarProps): ReactElement => {
  const start = dateOf(from)
  const end = dateOf(to ?? "")
  return to === undefined ? (
    <Calendar
      aria-label={label}
      autoFocus
      value={start}
      onChange={(date) => onChoose(date.toString(), date.toString())}
    >
      <Head />
      <Days />
    </Calendar>
  ) : (
    <RangeCalendar
      aria-label={label}
      autoFocus
      defaultFocusedValue={start ?? end}
      value={start === null ? null : { start, end: end === null || end.compare(start) < 0 ? start : end }}
      onChange={(range) => onChoose(range.start.toString(), range.end.toString())}
    >
      <Head />
      <Days />
    </RangeCalendar>
  )
}

export default Chosen
