/** Chooses a customer, to see what is theirs alone. */
import type { ReactElement } from "react"
import { everyone, useWhole } from "../app/names.js"
import { Select } from "../design/field.js"

/** At most so many are offered; others are found by the search of the list. */
const most = 500

export const CustomerChoice = (props: {
  /** The id of the chosen one; all without it. */
  readonly value: string | undefined
  readonly onChange: (id: string) => void
}): ReactElement => {
  const { onChange, value = "" } = props
  const { items } = useWhole(everyone)
  const offered = items.filter(({ _id }, place) => place < most || _id === value)
  const choices = offered
    .map(({ _id, email, fullName }) => ({ value: _id, label: fullName || email || _id }))
    .sort((left, right) => left.label.localeCompare(right.label))
  return (
    <Select
      label="Customer"
      value={value}
      choices={[{ value: "", label: "All customers" }, ...choices]}
      onChange={onChange}
      {...(items.length > most && { hint: "The newest 500. Search to find others by name." })}
    />
  )
}
