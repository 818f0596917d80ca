/** Whether a chat is connected, as programs and screens see it. */
import type { Trouble } from "../ports/chat-socket.js"
import type { ChatError } from "./errors.js"

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
