/** Days: written as people write them, or chosen from a calendar, which is loaded when it is opened. */
import { type ReactElement, useState } from "react"
import { Button } from "./button.js"
import { TextField } from "./field.js"
import { dayRange, dayText, readDay } from "./format.js"
import type { Labelled } from "./labelled.js"
import { onDemand } from "./on-demand.js"
import { Popover } from "./popover.js"
import { Skeleton } from "./state.js"

const useCalendar = onDemand(() => import("./calendar.js"))

const Calendar = (props: {
  readonly label: string
  readonly from: string
  readonly to?: string
  readonly onChoose: (from: string, to: string) => void
}): ReactElement => {
  const { hasFailed, Part } = useCalendar(true)
  if (Part !== undefined) return <Part {...props} />
  return hasFailed ? (
    <p className="quiet">The calendar did not load. Write the day instead.</p>
  ) : (
    <Skeleton height="15rem" />
  )
}

const advice = "Write a day, such as 3 May 2026."

interface DayProps extends Labelled {
  /** A day as `2026-05-03`; empty where there is none. */
  readonly value: string
  readonly onChange: (day: string) => void
  readonly required?: boolean | undefined
}

/** One day. What is no day yet is kept in the field, and is not told. */
const Day = ({ onChange, value, ...labelled }: DayProps): ReactElement => {
  const [written, setWritten] = useState<string>()
  return (
    <TextField
      {...labelled}
      placeholder="3 May 2026"
      autoComplete="off"
      value={written ?? dayText(value)}
      check={(text) => (text.trim() === "" || readDay(text) !== undefined ? undefined : advice)}
      onChange={(text) => {
        setWritten(text)
        const day = text.trim() === "" ? "" : readDay(text)
        if (day !== undefined && day !== value) onChange(day)
      }}
      onLeave={() => {
        if (written !== undefined && (written.trim() === "" || readDay(written) !== undefined))
          setWritten(undefined)
      }}
    />
  )
}

/** One day, with a calendar beside the field. */
export const DateField = (props: DayProps): ReactElement => {
  const [isOpen, setOpen] = useState(false)
  // What was chosen takes the place of what was written.
  const [chosen, setChosen] = useState(0)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-1">
      <Day key={chosen} {...props} />
      <div className={props.hideLabel ? "" : "pt-6.5"}>
        <Popover
          label={`Choose ${props.label}`}
          shown={undefined}
          button={{ icon: "calendar", "aria-label": `Choose ${props.label}` }}
          placement="bottom end"
          className="p-3"
          isOpen={isOpen}
          onOpenChange={setOpen}
        >
          <Calendar
            label={props.label}
            from={props.value}
            onChoose={(day) => {
              props.onChange(day)
              setChosen(chosen + 1)
              setOpen(false)
            }}
          />
        </Popover>
      </div>
    </div>
  )
}

/** Days from one to another, both or one of them; `Any day` without. */
export const DateRange = (props: {
  readonly label: string
  readonly from: string
  readonly to: string
  readonly onChange: (from: string, to: string) => void
}): ReactElement => {
  const { from, label, onChange, to } = props
  return (
    <Popover
      label={label}
      shown={dayRange(from, to) || "Any day"}
      button={{ icon: "calendar", "aria-label": `${label}: ${dayRange(from, to) || "any day"}` }}
      className="grid w-74 gap-3 p-3"
    >
      {(close) => (
        <>
          <div className="grid grid-cols-2 gap-2">
            <Day key={`from ${from}`} label="From" value={from} onChange={(day) => onChange(day, to)} />
            <Day key={`to ${to}`} label="To" value={to} onChange={(day) => onChange(from, day)} />
          </div>
          <Calendar label={label} from={from} to={to} onChoose={onChange} />
          <div className="row justify-end">
            <Button kind="ghost" onClick={() => onChange("", "")}>
              Any day
            </Button>
            <Button onClick={close}>Done</Button>
          </div>
        </>
      )}
    </Popover>
  )
}
