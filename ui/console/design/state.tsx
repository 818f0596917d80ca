/** What a view shows when it has nothing yet, nothing at all, or something went wrong. */
import type { ReactElement, ReactNode } from "react"
import type { CallError } from "../../../core/kernel/errors/errors.js"
import { explain } from "../app/explain.js"
import { Button } from "./button.js"
import { Icon, type IconName } from "./icon.js"

/** A place that will be filled. It has the size of what comes, so that nothing jumps. */
export const Skeleton = (props: { readonly width?: string; readonly height?: string }): ReactElement => (
  <span
    className="skeleton"
    style={{ width: props.width ?? "100%", height: props.height ?? "0.875rem" }}
    aria-hidden="true"
  />
)

/** As many rows as will probably come. */
export const SkeletonRows = (props: { readonly rows: number; readonly height?: string }): ReactElement => (
  <div role="status" aria-label="Loading">
    <ul className="rows" aria-hidden="true">
      {Array.from({ length: props.rows }, (_, index) => (
        <li key={index} style={{ height: props.height ?? "2.75rem" }}>
          <Skeleton width={`${[62, 48, 70, 55][index % 4]}%`} />
        </li>
      ))}
    </ul>
  </div>
)

/** Nothing is here, and why, and what to do. */
export const Empty = (props: {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}): ReactElement => (
  <div className="state">
    <span className="icon">
      <Icon name={props.icon} size={18} />
    </span>
    <strong>{props.title}</strong>
    {props.children !== undefined && <p>{props.children}</p>}
    {props.action}
  </div>
)

/** Something failed: what that means for the person, and a way on. */
export const Failed = (props: {
  readonly error: CallError | undefined
  readonly onRetry?: () => void
}): ReactElement => {
  const { title, advice } = explain(props.error)
  return (
    <div className="state" data-tone="bad" role="alert">
      <span className="icon">
        <Icon name="alert" size={18} />
      </span>
      <strong>{title}</strong>
      <p>{advice}</p>
      {props.onRetry !== undefined && (
        <Button icon="refresh" onClick={props.onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}

/** A remark that stands in the page. */
export const Note = (props: {
  readonly tone?: "info" | "warn" | "bad" | "good"
  readonly children: ReactNode
}): ReactElement => (
  <div className="note" data-tone={props.tone ?? "info"}>
    <Icon
      name={
        props.tone === "good" ? "check" : props.tone === "info" || props.tone === undefined ? "info" : "alert"
      }
    />
    <div>{props.children}</div>
  </div>
)
