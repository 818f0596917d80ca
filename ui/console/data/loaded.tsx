/** A query in its four states: loading, failed, empty, loaded. Every view shows them in the same way. */

import type { Idle, QueryActions, QueryState } from "@quartet/react"
import type { ReactElement, ReactNode } from "react"
import { useCellValue } from "../app/cells.js"
import { explain } from "../app/explain.js"
import { lostSince } from "../app/network.js"
import { Button } from "../design/button.js"
import { When } from "../design/show.js"
import { Empty, Note, SkeletonRows } from "../design/state.js"

/** Something could not be loaded: what, why, and what to do. */
export const Failed = (props: {
  readonly error: unknown
  /** What it is, such as "Requests"; the reason alone without it. */
  readonly what?: string | undefined
  readonly onRetry: () => void
}): ReactElement => {
  const { error, onRetry, what } = props
  const { title, advice } = explain(error)
  return (
    <div role="alert">
      <Empty icon="alert" isFailure title={what === undefined ? title : `${what} could not be loaded`}>
        <p>{what === undefined ? advice : `${title.replace(/\.$/, "")}. ${advice}`}</p>
        <Button icon="refresh" onClick={onRetry}>
          Try again
        </Button>
      </Empty>
    </div>
  )
}

/** What a view needs to know about a query. */
export type QueryView<A> = Pick<QueryState<A, unknown> | Idle, "data" | "error" | "updatedAt"> & QueryActions

/**
 * Shows the answer as soon as there is one, and keeps it while it is fetched again. Where that fails, or the platform does
 * not answer at all, it says of when the answer is.
 */
export const Loaded = <A,>(props: {
  readonly of: QueryView<A>
  /** What it is, such as "Requests", where it could not be loaded. */
  readonly what?: string
  /** Has the size of the answer; some rows unless it is given. */
  readonly skeleton?: ReactNode
  /** Shown instead of an empty answer. */
  readonly empty?: ReactNode
  readonly isEmpty?: (data: A) => boolean
  readonly children: (data: A) => ReactNode
}): ReactNode => {
  const { data, error, refetch, updatedAt } = props.of
  const isLost = useCellValue(lostSince) !== undefined
  if (data === undefined && error !== undefined)
    return <Failed error={error} what={props.what} onRetry={refetch} />
  if (data === undefined) return props.skeleton ?? <SkeletonRows rows={8} />
  return (
    <>
      {(isLost || error !== undefined) && (
        <Note tone="warn">
          As of <When date={updatedAt} />
          {error !== undefined && `: ${explain(error).title}`}
        </Note>
      )}
      {props.isEmpty?.(data) === true ? props.empty : props.children(data)}
    </>
  )
}
