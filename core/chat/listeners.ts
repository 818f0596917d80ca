/** What a program may hand to a chat to be told: callbacks, beside the streams. */
import type { Problem } from "./figures.js"
import type { Message } from "./model.js"

/** Who is told, besides the streams. A callback that throws is reported and does not disturb the others. */
export interface Listeners {
  /** Every message, once, in the order of its conversation. */
  readonly onMessage?: (message: Message) => void
  /** A message that was told before and has changed since, whole: an edit, a seen flag. */
  readonly onUpdate?: (message: Message) => void
  /** What the platform sends as history on the first connection, oldest first. */
  readonly onHistory?: (messages: ReadonlyArray<Message>) => void
  /** What went wrong without ending the chat. */
  readonly onProblem?: (problem: Problem) => void
}
