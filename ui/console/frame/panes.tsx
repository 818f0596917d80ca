/** Two panes side by side, with a bar between them that moves; on a narrow screen one after the other. */
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useRef,
  useState
} from "react"
import { parse } from "../app/config.js"
import { useVariable } from "../design/variable.js"

const stored = "quartet.panes"

/** The widths that somebody chose, in pixels, by the name of the place. */
const widths = (): Readonly<Record<string, unknown>> => parse(localStorage.getItem(stored))

const least = 260
const step = 24

/** At most so much of the screen, so that the other pane keeps some. */
const bounded = (width: number): number =>
  Math.round(Math.max(least, Math.min(width, window.innerWidth * 0.6)))

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
  const drag = (event: PointerEvent<HTMLElement>): void => {
    const bar = event.currentTarget
    const begin = event.clientX - width
    bar.setPointerCapture(event.pointerId)
    const move = ({ clientX }: globalThis.PointerEvent): void => setWidth(bounded(clientX - begin))
    const end = ({ clientX }: globalThis.PointerEvent): void => {
      bar.removeEventListener("pointermove", move)
      keep(bounded(clientX - begin))
    }
    bar.addEventListener("pointermove", move)
    bar.addEventListener("lostpointercapture", end, { once: true })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -step, ArrowRight: step }[event.key]
    if (by === undefined) return
    event.preventDefault()
    keep(bounded(width + by))
  }
  return (
    <div className="panes" data-shown={props.shown} ref={panes}>
      {props.list}
      {/* biome-ignore lint/a11y/useSemanticElements: a line of text has no width to choose. */}
      <div
        className="panes-bar"
        role="separator"
        aria-orientation="vertical"
        aria-label="Width of the list"
        aria-valuenow={width}
        aria-valuemin={least}
        tabIndex={0}
        onPointerDown={drag}
        onDoubleClick={() => keep(props.width)}
        onKeyDown={onKeyDown}
      />
      {props.detail}
    </div>
  )
}
