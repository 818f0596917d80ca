/** A part of the kit that is loaded when it is first needed. */
import { type ComponentType, useEffect, useState } from "react"

interface OnDemand<P> {
  /** The part, once it is there. */
  readonly Part: ComponentType<P> | undefined
  /** Whether it did not come; it is asked for again with the next one that needs it. */
  readonly hasFailed: boolean
}

/** Makes a hook that loads a part with the first component that needs it. */
export const onDemand = <P>(load: () => Promise<{ readonly default: ComponentType<P> }>) => {
  let arrived: ComponentType<P> | undefined
  return (isNeeded: boolean): OnDemand<P> => {
    const [state, setState] = useState<OnDemand<P>>({ Part: arrived, hasFailed: false })
    useEffect(() => {
      if (!isNeeded || state.Part !== undefined) return
      let isGone = false
      load().then(
        ({ default: Part }) => {
          arrived = Part
          if (!isGone) setState({ Part, hasFailed: false })
        },
        () => {
          if (!isGone) setState({ Part: undefined, hasFailed: true })
        }
      )
      return () => {
        isGone = true
      }
    }, [isNeeded, state.Part])
    return state
  }
}
