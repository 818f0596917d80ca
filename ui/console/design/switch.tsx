/** What is on or off, and takes effect at once. */
import type { ReactElement } from "react"

export const Switch = (props: {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}): ReactElement => (
  <label className="flex min-h-8 w-fit cursor-pointer items-center gap-2.5 text-sm font-medium">
    <input
      type="checkbox"
      role="switch"
      className="switch"
      aria-checked={props.isOn}
      checked={props.isOn}
      onChange={({ target }) => props.onChange(target.checked)}
    />
    {props.label}
  </label>
)
