/** The public data of a chat besides its messages: state, counts, problems and callbacks. */
import type { CallError } from "../kernel/errors/errors.js"
import type { Trouble } from "../ports/chat-socket.js"
import type { ChatError } from "./errors.js"
import type { Message } from "./model.js"

/**
 * `connecting`: the first connection is being made. `connected`: messages can be sent and received. `reconnecting`: the
 * connection ended and another one is being made, or missed messages are being read. `closed`: closed by the program.
 * `failed`: ended by an error.
 */
export type State =
  | {
      /** How the connection is; `attempt` and `trouble` belong to `reconnecting`, and `error` to `failed`. */
      readonly status: "connecting"
    }
  | {
      /** How the connection is; `attempt` and `trouble` belong to `reconnecting`, and `error` to `failed`. */
      readonly status: "connected"
    }
  | {
      /** How the connection is; `attempt` and `trouble` belong to `reconnecting`, and `error` to `failed`. */
      readonly status: "reconnecting"
      /** 1 for the first attempt since the connection was lost. */
      readonly attempt: number
      /** Why the last connection ended or could not be made; masked. */
      readonly trouble: Trouble
    }
  | {
      /** How the connection is; `attempt` and `trouble` belong to `reconnecting`, and `error` to `failed`. */
      readonly status: "closed"
    }
  | {
      /** How the connection is; `attempt` and `trouble` belong to `reconnecting`, and `error` to `failed`. */
      readonly status: "failed"
      /** What ended the chat. */
      readonly error: ChatError
    }

/** Whether a chat is over. */
export const isOver = (state: State): state is Extract<State, { status: "closed" | "failed" }> =>
  state.status === "closed" || state.status === "failed"

/** Counted since the chat was opened. */
export interface Figures {
  /** Live messages that were received. */
  received: number
  /** Messages delivered to `onMessage`, `messages` and `events`. */
  delivered: number
  /** Messages that were delivered again with other content: to `onUpdate`, `updates` and `events`. */
  updates: number
  /** Messages delivered to `onHistory` and `history`. */
  history: number
  /** Of those delivered, messages that were read from the platform's history after a gap. */
  recovered: number
  /** Repeated messages without change, and those that were replaced by newer content before delivery. */
  duplicates: number
  /** Live messages that were dropped because a reader is behind; they are read from the platform's history. */
  deferred: number
  /**
   * Messages and updates that a reader lost. With `backpressure`: live messages without a conversation, and updates of
   * more than `buffer` messages, if they arrived while a reader was behind and the platform's pages did not hold them
   * by the end of the gap. Messages from before the first run that did not fit count from that run on.
   */
  dropped: number
  /** Events, and entries of a history, that could not be read. */
  malformed: number
  /** Gaps that could not be recovered, or only in part. */
  gaps: number
  /** All reported problems. */
  problems: number
  /** Connections that were opened. */
  connections: number
  /** Messages sent, including repetitions. */
  emitted: number
  /** Messages that the server has accepted. */
  sent: number
  /** The most messages that waited for one reader at one time. */
  peak: number
  /** The most messages that were held back at one time. */
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

/** A problem that does not end the chat. */
export type Problem =
  /** An event, or one entry of a history, could not be read, and was left out. */
  | {
      readonly _tag: "Malformed"
      /** What could not be read: an event of the chat, or an entry of a history. */
      readonly event: "chat" | "history"
      /** Dotted path; cut to 200 characters. */
      readonly field: string
      /** What the value must be. */
      readonly rule: string
    }
  /** Missed messages of a conversation could not be read, or only in part. */
  | {
      readonly _tag: "Gap"
      /** Id of the conversation that lacks messages. */
      readonly conversationId: string
      /** Why they could not be read. */
      readonly error: CallError | ChatError
    }
  /** A callback threw, or an Effect that it answered failed. */
  | {
      readonly _tag: "CallbackFailed"
      /** What it threw or failed with. */
      readonly cause: unknown
    }

/**
 * The callbacks, besides the streams. An Effect that one answers is run beside the chat, which does not wait for it, and
 * interrupted when the chat ends. A callback that throws, or whose Effect fails, is reported and does not disturb the
 * others.
 */
export interface Listeners {
  /** Every message, once, in the order of its conversation, also those that this client sends. */
  readonly onMessage?: (message: Message) => void
  /** A message that was delivered before and has changed since, whole: an edit, a seen flag. */
  readonly onUpdate?: (message: Message) => void
  /** The platform's history on the first connection, oldest first. */
  readonly onHistory?: (messages: ReadonlyArray<Message>) => void
  /** A problem that does not end the chat. */
  readonly onProblem?: (problem: Problem) => void
}
