/** Ticks: which rows of a list are ticked, and the box of each. */
import { type ReactElement, useState } from "react"
import type { Row } from "./selection.js"

export interface Ticks<A extends Row> {
  readonly ids: ReadonlySet<string>
  /** Whether boxes are shown: rows are ticked, or about to be. */
  readonly isOn: boolean
  /** Whether a press on a row ticks it, as somebody wanted who has no mouse that shows the boxes. */
  readonly isByPress: boolean
  readonly begin: () => void
  /** The ticked rows that are in the list. */
  readonly rows: ReadonlyArray<A>
  readonly flip: (id: string) => void
  readonly set: (ids: Iterable<string>) => void
  readonly clear: () => void
}

export const useTicks = <A extends Row>(items: ReadonlyArray<A>): Ticks<A> => {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [isByPress, setByPress] = useState(false)
  const rows = ids.size === 0 ? [] : items.filter(({ _id }) => ids.has(_id))
  return {
    ids: new Set(rows.map(({ _id }) => _id)),
    isOn: isByPress || rows.length > 0,
    isByPress,
    begin: () => setByPress(true),
    rows,
    flip: (id) =>
      setIds((before) => {
        const next = new Set(before)
        if (!next.delete(id)) next.add(id)
        return next
      }),
    set: (next) => setIds(new Set(next)),
    clear: () => {
      setIds(new Set())
      setByPress(false)
    }
  }
}

/** The box of a row; the whole label around it takes the press. */
export const Tick = (props: {
  readonly label: string
  readonly checked: boolean
  readonly onChange: () => void
}): ReactElement => (
  <label className="tick">
    <input
      type="checkbox"
      aria-label={props.label}
      checked={props.checked}
      tabIndex={-1}
      onChange={props.onChange}
    />
  </label>
)
