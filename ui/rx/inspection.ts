/** What devtools hear of a registry. Where nobody listens, nothing is told and nothing is kept. */
import type * as Exit from "effect/Exit"
import type { State } from "../../core/chat/state.js"
import { service } from "./registry.js"

/** A chat that was used in a registry. */
export interface InspectedChat {
  readonly store: {
    readonly getState: () => {
      readonly connection: State | { readonly status: "failed"; readonly error: unknown }
      readonly messages: ReadonlyArray<unknown>
      readonly outgoing: ReadonlyArray<{ readonly status: string }>
    }
  }
  readonly reopen: () => void
}

export interface Inspection {
  readonly chats: Set<InspectedChat>
  /** Called after each change of a chat. */
  onChat?: (chat: InspectedChat) => void
  /** Called when a mutation or an upload begins to run; what it answers is called with the exit. */
  onRun?: (name: string, input: unknown) => (exit: Exit.Exit<unknown, unknown>) => void
}

export const inspections = /*#__PURE__*/ service((): Inspection => ({ chats: new Set() }))
