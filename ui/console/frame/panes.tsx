/** Two panes side by side, with a bar between them that moves; on a narrow screen one after the other. */
import { type ReactElement, type ReactNode, useRef, useState } from "react"
import { parse } from "../app/config.js"
import { Edge } from "../design/edge.js"
import { useVariable } from "../design/variable.js"

const stored = "quartet.panes"

/** The widths that somebody chose, in pixels, by the name of the place. */
const widths = (): Readonly<Record<string, unknown>> => parse(localStorage.getItem(stored))

export const Panes = (props: {
  readonly name: string
  /** The width of the left one, in pixels, until somebody chooses another. */
  readonly width: number
  /** Which one a narrow screen shows. */
  readonly shown: "list" | "detail"
  readonly list: ReactNode
  readonly detail: ReactNode
}): ReactElement => {
  const { name } = props
  const [width, setWidth] = useState(() => Number(widths()[name]) || props.width)
  const panes = useRef<HTMLDivElement>(null)
  useVariable(panes, "--list", `${width}px`)
  const keep = (next: number): void => {
    setWidth(next)
    localStorage.setItem(stored, JSON.stringify({ ...widths(), [name]: next }))
  }
  return (
    <div className="panes" data-shown={props.shown} ref={panes}>
      {props.list}
      <Edge
        label="Width of the list"
        className="panes-bar"
        width={width}
        least={260}
        most={0.6}
        side="right"
        onChange={keep}
        onDoubleClick={() => keep(props.width)}
      />
      {props.detail}
    </div>
  )
}
