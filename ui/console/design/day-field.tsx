/** A day as people write one: "3 May 2026", "3/5/26". Its value is a day of the calendar, `2026-05-03`. */
import { type ReactElement, useEffect, useState } from "react"
import { dayText, readDay } from "./format.js"
import { Field, type Labelled } from "./labelled.js"

export const DayField = (
  props: Labelled & { readonly value: string; readonly onChange: (day: string) => void }
): ReactElement => {
  const { onChange, value, ...labelled } = props
  const [text, setText] = useState(dayText(value))
  useEffect(() => setText(dayText(value)), [value])
  const day = readDay(text)
  const isDay = text.trim() === "" || day !== undefined
  const take = (): void => {
    if (isDay && (day ?? "") !== value) onChange(day ?? "")
  }
  return (
    <Field {...labelled} problem={isDay ? undefined : "Write a day, such as 3 May 2026."}>
      {(tied) => (
        <input
          {...tied}
          value={text}
          placeholder="3 May 2026"
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.nativeEvent.isComposing) take()
          }}
        />
      )}
    </Field>
  )
}
