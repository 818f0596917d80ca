/** A query in its four states: loading, failed, empty, loaded. Every view shows them in the same way. */
import type { ReactElement, ReactNode } from "react"
import { useCellValue } from "../app/cells.js"
import { explain } from "../app/explain.js"
import { lostSince } from "../app/network.js"
import { Button } from "./button.js"
import { Icon, type IconName } from "./icon.js"
import layout from "./layout.module.css"
import { When } from "./show.js"
import styles from "./state.module.css"
import typography from "./typography.module.css"

/**
 * A place that will be filled. It has the size of what comes, so that nothing jumps: an SVG takes any size as an
 * attribute, which the page's policy allows where a style attribute is refused.
 */
export const Skeleton = (props: { readonly width?: string; readonly height: string }): ReactElement => (
  <svg width="100%" {...props} className={styles.skeleton} aria-hidden="true" data-loading="" />
)

/** As many rows as are expected, of as many lines. */
export const SkeletonRows = (props: { readonly rows: number; readonly lines?: 1 | 2 | 3 }): ReactElement => (
  <div role="status" aria-label="Loading">
    <ul className={layout.rows} aria-hidden="true">
      {Array.from({ length: props.rows }, (_, index) => (
        <li key={index}>
          <Skeleton width={`${[62, 48, 70, 55][index % 4]}%`} height={`${(props.lines ?? 1) + 0.25}rem`} />
        </li>
      ))}
    </ul>
  </div>
)

/** There is nothing here: why, and what to do. */
export const Empty = (props: {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
}): ReactElement => (
  <div className={styles.state}>
    <span>
      <Icon name={props.icon} size={18} />
    </span>
    <strong>{props.title}</strong>
    <div className={typography.quiet}>{props.children}</div>
  </div>
)

/** Something failed: what that means, and what to do. */
export const Failed = (props: { readonly error: unknown; readonly onRetry?: () => void }): ReactElement => {
  const { title, advice } = explain(props.error)
  return (
    <div data-tone="bad" role="alert">
      <Empty icon="alert" title={title}>
        <p>{advice}</p>
        {props.onRetry !== undefined && (
          <Button icon="refresh" onClick={props.onRetry}>
            Try again
          </Button>
        )}
      </Empty>
    </div>
  )
}

const signs = { info: "info", warn: "alert", bad: "alert", good: "check" } as const

interface NoteProps {
  readonly tone?: keyof typeof signs
  readonly children: ReactNode
}

/** A note in the page. */
export const Note = ({ children, tone = "info" }: NoteProps): ReactElement => (
  <div className={styles.note} data-tone={tone}>
    <Icon name={signs[tone]} />
    <div>{children}</div>
  </div>
)

/** What holds for the whole page, over it. */
export const Banner = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <p className="bg-warn/12 px-6 py-2 text-sm text-warn max-md:px-4" role="status">
    {children}
  </p>
)

/** What a view needs to know about a query. */
export interface Asked<A> {
  readonly status: string
  readonly data: A | undefined
  readonly error: unknown
  /** When `data` was answered. */
  readonly updatedAt?: Date | undefined
  readonly refetch: () => void
}

/**
 * Shows the answer as soon as there is one, and keeps it while it is fetched again. Where that fails, or the platform does
 * not answer at all, it says of when the answer is.
 */
export const Loaded = <A,>(props: {
  readonly of: Asked<A>
  /** Has the size of the answer; some rows unless it is given. */
  readonly skeleton?: ReactNode
  /** Shown instead of an empty answer. */
  readonly empty?: ReactNode
  readonly isEmpty?: (data: A) => boolean
  readonly children: (data: A) => ReactNode
}): ReactNode => {
  const { data, error, refetch, updatedAt } = props.of
  const isLost = useCellValue(lostSince) !== undefined
  if (data === undefined && error !== undefined) return <Failed error={error} onRetry={refetch} />
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
