/** A question in its four states: loading, failed, empty, there. Every view shows them the same way. */
import type { ReactElement, ReactNode } from "react"
import { isCallError } from "../app/explain.js"
import { Failed } from "./state.js"

/** What a view needs to know of a question. */
export interface Asked<A> {
  readonly status: string
  readonly data: A | undefined
  readonly error: unknown
  readonly refetch: () => void
}

export interface LoadedProps<A> {
  readonly of: Asked<A>
  /** Of the size of what comes. */
  readonly skeleton: ReactNode
  /** Shown in place of an answer that holds nothing. */
  readonly empty?: ReactNode
  readonly isEmpty?: (data: A) => boolean
  readonly children: (data: A) => ReactNode
}

/** Shows the answer as soon as there is one, and keeps it while it is asked for again. */
export const Loaded = <A,>({ children, empty, isEmpty, of, skeleton }: LoadedProps<A>): ReactElement => {
  const { data, error, refetch } = of
  if (data !== undefined) {
    return <>{empty !== undefined && isEmpty?.(data) === true ? empty : children(data)}</>
  }
  if (error !== undefined) return <Failed error={isCallError(error) ? error : undefined} onRetry={refetch} />
  return <>{skeleton}</>
}
