/** What is known of a refund whose answer never came, as soon as the payment was read again. */
import type { ReactElement } from "react"
import { exact } from "../../customer/payment.js"
import { Button } from "../../design/button.js"
import { clock } from "../../design/format.js"
import { Note } from "../../design/state.js"
import type { Attempt } from "./refund.js"

/** What the state that was read since says of a refund that it does not show. */
const doubtOf = (moved: number): string =>
  moved === 0
    ? "nothing more has been refunded so far. If that is still so in a few minutes, you can repeat the refund."
    : "a different amount has been refunded since. Check the timeline before you try again."

const titleOf = ({ state }: Attempt, isDone: boolean): string => {
  if (isDone) return "The refund went through."
  return state === "conflict"
    ? "The platform did not refund it a second time."
    : "We do not know whether the refund went through."
}

export const Afterwards = (props: {
  readonly of: Attempt
  /** What is refunded now. */
  readonly refunded: number
  /** When the payment was read last. */
  readonly readAt: Date | undefined
  readonly onLook: () => void
  readonly onDismiss: () => void
}): ReactElement => {
  const { of, onDismiss, onLook, readAt, refunded } = props
  const { amount, before, endedAt } = of
  const moved = exact(refunded - before)
  const hasLooked = readAt !== undefined && endedAt !== undefined && readAt > endedAt
  const isDone = hasLooked && moved === amount
  const textOf = (): string => {
    if (!hasLooked) return "Checking again… See the timeline before you try again."
    const time = clock(readAt)
    return isDone
      ? `Its answer was lost, but a check at ${time} shows that it was done. There is nothing left to do.`
      : `Checked again at ${time}: ${doubtOf(moved)}`
  }
  return (
    <Note tone={isDone ? "good" : "warn"}>
      <p role="status">
        <strong>{titleOf(of, isDone)}</strong> {textOf()}
      </p>
      <div className="row mt-2">
        {!isDone && (
          <Button size="s" onClick={onLook}>
            Check again
          </Button>
        )}
        {hasLooked && (
          <Button size="s" kind="ghost" onClick={onDismiss}>
            Dismiss
          </Button>
        )}
      </div>
    </Note>
  )
}
