"use client"
/** How a component shows a value of its provider's registry. */
import * as Rx from "@effect-rx/rx/Rx"
import { RegistryContext } from "@effect-rx/rx-react"
import * as React from "react"
import { isServer, type Registry } from "./registry.js"

/** The registry of the nearest provider. @category hooks */
export const useRegistry = (): Registry => React.useContext(RegistryContext)

/** React warns on a server of layout effects, which do nothing there. */
const useLayoutEffect = /*#__PURE__*/ isServer() ? React.useEffect : React.useLayoutEffect

/**
 * What a value of these bindings shows. A render reads it, and only an effect observes it, and so fetches, connects or sends: React
 * also renders what an `Activity` hides, and takes its effects away meanwhile. effect-rx's `useRxValue` observes while it renders.
 */
export const useValue = <A>(value: Rx.Rx<A>): A => {
  const registry = useRegistry()
  const { subscribe, read } = React.useMemo(
    () => ({
      subscribe: (listener: () => void) => registry.subscribe(value, listener, { immediate: true }),
      read: () => Rx.getServerValue(value, registry)
    }),
    [registry, value]
  )
  const shown = React.useSyncExternalStore(subscribe, read, read)
  const [, renderAgain] = React.useReducer((times: number) => times + 1, 0)
  // Of what was hidden, nothing that has changed since is painted: it may be another person's.
  useLayoutEffect(() => {
    if (!Object.is(read(), shown)) renderAgain()
  }, [read, shown])
  return shown
}
