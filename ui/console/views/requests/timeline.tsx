/** What happened to a request: when it was filed, what both sides said of it, how far it is, and who has seen that. */
import type { ReactElement, ReactNode } from "react"
import type { RequestRow } from "../../app/rows.js"
import { Status } from "../../app/status.js"
import { Icon, type IconName } from "../../design/icon.js"
import { Avatar, When } from "../../design/show.js"
import { isNew, isUnseenByThem } from "./data.js"

const Event = (props: { readonly icon: IconName; readonly children: ReactNode }): ReactElement => (
  <li className="timeline-event">
    <span className="grid size-7 place-items-center text-faint">
      <Icon name={props.icon} />
    </span>
    <p className="self-center">{props.children}</p>
  </li>
)

const Comment = (props: {
  readonly name: string
  readonly isOurs: boolean
  readonly at: Date | null | undefined
  readonly text: string
}): ReactElement => (
  <li className="timeline-event">
    <Avatar name={props.name} />
    <div className="min-w-0">
      <p>
        <strong className="text-ink">{props.name}</strong> <When date={props.at} long className="faint" />
      </p>
      <p className={props.isOurs ? "said said-ours" : "said"}>{props.text}</p>
    </div>
  </li>
)

/** What the customer said of the answer: the fields of their review in words. */
const reviewText = (review: unknown): string =>
  typeof review === "object" && review !== null
    ? Object.entries(review)
        .map(([name, value]) => `${name}: ${String(value)}`)
        .join(" · ")
    : String(review)

const timeOf = (date: Date | null | undefined): number => date?.getTime() ?? 0

export const Timeline = (props: {
  readonly of: RequestRow
  /** What the customer is called. */
  readonly who: string
}): ReactElement => {
  const { of, who } = props
  const { createdAt, review, status, updatedAt, version } = of
  const comments = [...(of.comments ?? [])].sort(
    (one, other) => timeOf(one.createdAt) - timeOf(other.createdAt)
  )
  // A comment changes a request, too: only a change after the last one is that of the status.
  const isOfStatus = timeOf(updatedAt) > timeOf(comments.at(-1)?.createdAt)
  const isAnswered = comments.at(-1)?.author?.kind === "admin"
  return (
    <ol className="timeline" aria-label="Timeline">
      <Event icon="requests">
        <strong className="text-ink">{who || "Someone"}</strong> sent this{" "}
        <When date={createdAt} long className="faint" />
      </Event>
      {comments.map(({ _id, author, createdAt, text }, index) => (
        <Comment
          key={_id ?? index}
          name={author?.name || "Someone"}
          isOurs={author?.kind === "admin"}
          at={createdAt}
          text={text ?? ""}
        />
      ))}
      {status && status !== "pending" && (
        <Event icon="check">
          <Status of={status} /> {isOfStatus && <When date={updatedAt} long className="faint" />}
        </Event>
      )}
      {review !== undefined && review !== null && (
        <Event icon="reply">
          <strong className="text-ink">{who || "They"}</strong> reviewed the reply: {reviewText(review)}
        </Event>
      )}
      {version !== undefined && version !== null && (
        <Event icon="seen">
          {isNew(of) && !isAnswered ? "Not seen by your team yet" : "Seen by your team"} ·{" "}
          {isUnseenByThem(of) ? "not seen by the customer yet" : "seen by the customer"}
        </Event>
      )}
    </ol>
  )
}
