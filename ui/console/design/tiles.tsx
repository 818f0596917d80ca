/** Pictures side by side of which one is chosen: one stop of the Tab key, and the arrow keys move. */
import type { ReactElement, ReactNode } from "react"
import { ListBox, ListBoxItem } from "react-aria-components"

interface Tile {
  readonly id: string
  /** What it is called. */
  readonly label: string
  readonly content: ReactNode
}

export const Tiles = (props: {
  readonly label: string
  readonly of: ReadonlyArray<Tile>
  readonly onChoose: (id: string) => void
}): ReactElement => (
  <ListBox
    aria-label={props.label}
    layout="grid"
    className="tiles"
    onAction={(key) => props.onChoose(String(key))}
  >
    {props.of.map(({ content, id, label }) => (
      <ListBoxItem key={id} id={id} textValue={label} aria-label={label} className="tile">
        {content}
      </ListBoxItem>
    ))}
  </ListBox>
)
