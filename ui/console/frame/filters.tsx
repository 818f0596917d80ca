/** What narrows a list further than its tabs: the fields behind one button, and beside it what is chosen, each with a way to undo it. */
import type { ReactElement, ReactNode } from "react"
import { Button } from "../design/button.js"
import { focusSearch } from "../design/focus.js"
import { Icon } from "../design/icon.js"
import { Popover } from "../design/popover.js"

/** One filter that is set. */
export interface SetFilter {
  readonly label: string
  readonly clear: () => void
}

export const Filters = (props: {
  readonly set: ReadonlyArray<SetFilter>
  /** The fields. */
  readonly children: ReactNode
}): ReactElement => (
  <>
    <Popover
      label="Filters"
      shown={<span className="max-md:hidden">Filters</span>}
      button={{ kind: "chip", size: "s", icon: "filter", "aria-label": "Filters" }}
      className="grid w-72 gap-3 p-4"
    >
      {props.children}
    </Popover>
    {props.set.map(({ clear, label }) => (
      <Button key={label} kind="chip" size="s" className="max-w-60" onClick={clear}>
        <span className="truncate">{label}</span>
        <Icon name="close" className="size-3!" />
        <span className="sr-only">, remove this filter</span>
      </Button>
    ))}
  </>
)

/** Offered where nothing is left: it goes with the press, so the focus moves to where one looks for something. */
export const ClearFilters = ({ onClear }: { readonly onClear: () => void }): ReactElement => (
  <Button
    onClick={() => {
      focusSearch()
      onClear()
    }}
  >
    Clear filters
  </Button>
)
