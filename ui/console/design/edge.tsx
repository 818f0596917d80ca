/** A line between two parts of the page that moves: by the pointer, and by the arrow keys. */
import type { KeyboardEvent, PointerEvent, ReactElement } from "react"

const step = 24

/** A width within its bounds: `least` in pixels, `most` as a part of the window. */
export const boundedWidth = (width: number, least: number, most: number): number =>
  Math.round(Math.max(least, Math.min(width, window.innerWidth * most)))

export const Edge = (props: {
  readonly label: string
  readonly className: string
  /** The width of the part that it changes, in pixels. */
  readonly width: number
  readonly least: number
  /** At most this part of the window, so that the rest keeps some. */
  readonly most: number
  /** On which side of that part it stands. */
  readonly side: "left" | "right"
  readonly onChange: (width: number) => void
  readonly onDoubleClick?: () => void
}): ReactElement => {
  const { least, most, onChange, side, width } = props
  const sign = side === "right" ? 1 : -1
  const change = (next: number): void => onChange(boundedWidth(next, least, most))
  const drag = (event: PointerEvent<HTMLElement>): void => {
    const bar = event.currentTarget
    const begin = event.clientX
    bar.setPointerCapture(event.pointerId)
    const move = ({ clientX }: globalThis.PointerEvent): void => change(width + sign * (clientX - begin))
    bar.addEventListener("pointermove", move)
    bar.addEventListener("lostpointercapture", () => bar.removeEventListener("pointermove", move), {
      once: true
    })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -step, ArrowRight: step }[event.key]
    if (by === undefined) return
    event.preventDefault()
    change(width + sign * by)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line of text has no width to choose.
    <div
      className={props.className}
      role="separator"
      aria-orientation="vertical"
      aria-label={props.label}
      aria-valuenow={width}
      aria-valuemin={least}
      tabIndex={0}
      onPointerDown={drag}
      onKeyDown={onKeyDown}
      {...(props.onDoubleClick && { onDoubleClick: props.onDoubleClick })}
    />
  )
}
