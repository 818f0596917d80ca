/** Shared state of the console in effect-rx: one registry, and small values in it. */
import { Rx, useRx, useRxSet, useRxValue } from "@effect-rx/rx-react"
import { makeRegistry, type Registry } from "@quartet/react"

/** The app's one registry. What is not a component, such as the wire's tap, reaches the same values through it. */
export const registry: Registry = makeRegistry()

/** Reads a cell, sets it, or both. */
export { useRx as useCell, useRxSet as useSetCell, useRxValue as useCellValue }

/** A value that components share, kept for as long as the app runs. */
export const cell = <A>(initial: A): Rx.Writable<A> => Rx.keepAlive(Rx.make(initial))
