/** How wide an element is, in pixels: its own width counts for what it could show, not the screen's. */
import { type RefCallback, useCallback, useState } from "react"

export const useWidth = (): readonly [ref: RefCallback<HTMLElement>, width: number] => {
  const [width, setWidth] = useState(0)
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined
    const measure = (): void => {
      // A pane that is not shown has no width, and keeps what it was.
      if (element.clientWidth > 0) setWidth(element.clientWidth)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width]
}
