/** Days and times: written as people write them, or days chosen from a calendar, which is loaded when it is opened. */
import { type ReactElement, useState } from "react"
import { Button } from "./button.js"
import { TextField } from "./field.js"
import { dayRange, dayText, readClock, readDay } from "./format.js"
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
    <p className="quiet">The calendar could not be loaded. Enter the date instead.</p>
  ) : (
    <Skeleton height="15rem" />
  )
}

interface WrittenProps extends Labelled {
  /** As it is kept; empty where there is none. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly required?: boolean | undefined
}

/** How something is written, and read. */
interface Reading {
  readonly read: (text: string) => string | undefined
  readonly textOf: (value: string) => string
  readonly example: string
  readonly advice: string
}

const day: Reading = {
  read: readDay,
  textOf: dayText,
  example: "3 May 2026",
  advice: "Enter a date, such as 3 May 2026."
}

const time: Reading = {
  read: readClock,
  textOf: (value) => value,
  example: "14:05",
  advice: "Enter a time, such as 14:05."
}

/** What is none yet is kept in the field, and is not told. */
const Written = ({
  as: { advice, example, read, textOf },
  onChange,
  value,
  ...labelled
}: WrittenProps & { readonly as: Reading }): ReactElement => {
  const [written, setWritten] = useState<string>()
  return (
    <TextField
      {...labelled}
      placeholder={example}
      autoComplete="off"
      value={written ?? textOf(value)}
      check={(text) => (text.trim() === "" || read(text) !== undefined ? undefined : advice)}
      onChange={(text) => {
        setWritten(text)
        const taken = text.trim() === "" ? "" : read(text)
        if (taken !== undefined && taken !== value) onChange(taken)
      }}
      onLeave={() => {
        if (written !== undefined && (written.trim() === "" || read(written) !== undefined))
          setWritten(undefined)
      }}
    />
  )
}

/** One day, `2026-05-03`, with a calendar beside the field. */
export const DateField = (props: WrittenProps): ReactElement => {
  const [isOpen, setOpen] = useState(false)
  // What was chosen takes the place of what was written.
  const [chosen, setChosen] = useState(0)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-1">
      <Written key={chosen} as={day} {...props} />
      <div className={props.hideLabel ? "" : "pt-6.5"}>
        <Popover
          label={`Choose ${props.label}`}
          shown={null}
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

/** A moment of local time, `2026-05-03T14:05`: its day, and the time of it. A day alone begins at midnight. */
export const MomentField = ({ onChange, value, ...props }: WrittenProps): ReactElement => {
  const [dayOf = "", timeOf = ""] = value.split("T")
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_5.5rem] items-start gap-1">
      <DateField
        {...props}
        value={dayOf}
        onChange={(chosen) => onChange(chosen === "" ? "" : `${chosen}T${timeOf || "00:00"}`)}
      />
      <div className="pt-6.5 tabular-nums">
        <Written
          as={time}
          label={`${props.label}, time`}
          hideLabel
          value={timeOf}
          onChange={(time) => {
            if (dayOf !== "") onChange(`${dayOf}T${time || "00:00"}`)
          }}
        />
      </div>
    </div>
  )
}

/** Days from one to another, both or one of them; `Any day` without. What is written counts once it is closed, so that no half of it does. */
export const DateRange = (props: {
  readonly label: string
  readonly from: string
  readonly to: string
  readonly onChange: (from: string, to: string) => void
}): ReactElement => {
  const { label, onChange } = props
  const [isOpen, setOpen] = useState(false)
  const [draft, setDraft] = useState<readonly [from: string, to: string]>()
  const [from, to] = draft ?? [props.from, props.to]
  const [chosen, setChosen] = useState(0)
  const choose = (from: string, to: string): void => {
    setDraft(undefined)
    setChosen(chosen + 1)
    // Days that were written in the other order mean the same.
    if (from !== "" && to !== "" && to < from) onChange(to, from)
    else onChange(from, to)
  }
  return (
    <Popover
      label={label}
      shown={dayRange(props.from, props.to) || "Any date"}
      button={{ icon: "calendar", "aria-label": `${label}: ${dayRange(props.from, props.to) || "any date"}` }}
      className="grid w-74 gap-3 p-3"
      isOpen={isOpen}
      onOpenChange={(isOpen) => {
        setOpen(isOpen)
        if (!isOpen && draft !== undefined) choose(...draft)
      }}
    >
      {(close) => (
        <form
          className="contents"
          onSubmit={(event) => {
            event.preventDefault()
            close()
          }}
        >
          <div key={chosen} className="grid grid-cols-2 gap-2">
            <Written as={day} label="From" value={from} onChange={(from) => setDraft([from, to])} />
            <Written as={day} label="To" value={to} onChange={(to) => setDraft([from, to])} />
          </div>
          <Calendar label={label} from={from} to={to} onChoose={choose} />
          <div className="row justify-end">
            <Button kind="ghost" onClick={() => choose("", "")}>
              Any date
            </Button>
            <Button type="submit">Done</Button>
          </div>
        </form>
      )}
    </Popover>
  )
}
