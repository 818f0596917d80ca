/** Whether an element is wide enough for what it could show: its own width counts, not the screen's. */
import { type RefCallback, useCallback, useState } from "react"

export const useIsWide = (least: number): readonly [ref: RefCallback<HTMLElement>, isWide: boolean] => {
  const [isWide, setIsWide] = useState(false)
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return undefined
      const measure = (): void => {
        // A pane that is not shown has no width, and keeps what it was.
        if (element.clientWidth > 0) setIsWide(element.clientWidth >= least)
      }
      measure()
      const observer = new ResizeObserver(measure)
      observer.observe(element)
      return () => observer.disconnect()
    },
    [least]
  )
  return [ref, isWide]
}
