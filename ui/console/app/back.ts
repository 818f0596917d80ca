/** The way back to a list from the thing of it that a narrow screen shows alone: the bar at the top has it, the frame sets it. */
import type { MouseEvent } from "react"
import { cell } from "./cells.js"

interface Back {
  /** The address of the list alone. */
  readonly to: string
  /** What the list is called. */
  readonly label: string
  readonly onClick: (event: MouseEvent) => void
}

export const back = cell<Back | undefined>(undefined)
