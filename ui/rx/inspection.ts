/** What devtools hear of a registry. Where nobody listens, nothing is told and nothing is kept. */
import type { State } from "@quartet/sdk/extend"
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

/** Where a run stands. In an outbox it waits, may end in doubt, and is sent again or discarded by a person. */
export type InspectedRun =
  | { readonly status: "success"; readonly data: unknown }
  | { readonly status: "error" | "unknown"; readonly error: unknown }
  | { readonly status: "defect"; readonly defect: unknown }
  | { readonly status: "queued" | "cancelled" | "discarded" }

export interface Inspection {
  /** The clients of its query clients. */
  readonly clients: Set<{ readonly services: Iterable<unknown> }>
  readonly chats: Set<InspectedChat>
  /** Called after each change of a chat. */
  onChat?: (chat: InspectedChat) => void
  /** Called when a mutation or an upload begins to run; what it answers is called where the run stands otherwise. */
  onRun?: (name: string, input: unknown) => (run: InspectedRun) => void
}

export const inspections = /*#__PURE__*/ service((): Inspection => ({ clients: new Set(), chats: new Set() }))
