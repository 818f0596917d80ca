/** What a program sees of a chat besides its messages: its state, what it counts, its problems, and its callbacks. */
import type { CallError } from "../kernel/errors/errors.js"
import type { Trouble } from "../ports/chat-socket.js"
import type { ChatError } from "./errors.js"
import type { Message } from "./model.js"

/**
 * `connecting`: the first connection is being made. `connected`: messages travel both ways. `reconnecting`: the
 * connection ended and another one is being made, or what was missed is being read. `closed`: closed by the program.
 * `failed`: ended by an error.
 */
export type State =
  | { readonly status: "connecting" }
  | { readonly status: "connected" }
  | {
      readonly status: "reconnecting"
      /** 1 for the first attempt since the connection was lost. */
      readonly attempt: number
      /** Why the last connection ended or could not be made; masked. */
      readonly trouble: Trouble
    }
  | { readonly status: "closed" }
  | { readonly status: "failed"; readonly error: ChatError }

/** Whether a chat is over. */
export const isOver = (state: State): state is Extract<State, { status: "closed" | "failed" }> =>
  state.status === "closed" || state.status === "failed"

/** Counted since the chat was opened. */
export interface Figures {
  /** Messages that came in live. */
  received: number
  /** Messages told to `onMessage`, `messages` and `events`. */
  delivered: number
  /** Messages that were told before, and were told again with other content: to `onUpdate`, `updates` and `events`. */
  updates: number
  /** Messages told to `onHistory` and `history`. */
  history: number
  /** Of those delivered, messages that were read from the platform's history after a gap. */
  recovered: number
  /** Messages that were told before and say nothing new, and those whose newer content came in before they were told. */
  duplicates: number
  /** Live messages that were let go because a reader is behind; they are read from the platform's history. */
  deferred: number
  /**
   * Messages and updates that a reader lost. With `backpressure`: live messages that name no conversation to read them
   * from, and updates of more than `buffer` messages, where they came in while a reader was behind and the platform's
   * pages did not bring them by the end of the gap. What came in before the first run and did not fit counts from that
   * run on.
   */
  dropped: number
  /** Events, and entries of a history, that could not be read. */
  malformed: number
  /** Gaps that could not be recovered, or only in part. */
  gaps: number
  /** Everything that was reported as a problem. */
  problems: number
  /** Connections that stood. */
  connections: number
  /** Messages put on the wire, repetitions included. */
  emitted: number
  /** Messages that the server has taken. */
  sent: number
  /** Most messages that waited for one reader at one time. */
  peak: number
  /** Most messages that were held back at one time. */
  peakHeld: number
}

export const zero = (): Figures => ({
  received: 0,
  delivered: 0,
  updates: 0,
  history: 0,
  recovered: 0,
  duplicates: 0,
  deferred: 0,
  dropped: 0,
  malformed: 0,
  gaps: 0,
  problems: 0,
  connections: 0,
  emitted: 0,
  sent: 0,
  peak: 0,
  peakHeld: 0
})

/** What went wrong without ending the chat. */
export type Problem =
  /** An event, or one entry of a history, could not be read, and was left out. */
  | {
      readonly _tag: "Malformed"
      readonly event: "chat" | "history"
      /** Dotted path; cut to 200 characters. */
      readonly field: string
      readonly rule: string
    }
  /** What was missed in a conversation could not be read, or only in part. */
  | { readonly _tag: "Gap"; readonly conversationId: string; readonly error: CallError | ChatError }
  /** A callback threw. */
  | { readonly _tag: "CallbackFailed"; readonly cause: unknown }

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
