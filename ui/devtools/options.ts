/** What an app gives its devtools. */
import type * as Rx from "@effect-rx/rx/Rx"
import type { Registry } from "../rx/registry.js"
import type { Wire, WireCall } from "./wire.js"

/** An entry of an outbox, as far as devtools show it. @category models */
export interface InspectedEntry {
  readonly id: string
  readonly operation: string
  readonly input: unknown
  readonly at: Date
  readonly state: "queued" | "sending" | "unknown" | "failed"
  readonly error: { readonly _tag: string; readonly message: string } | undefined
  readonly attempts: number
  /** The entry that it waits behind. */
  readonly behind: string | undefined
  readonly idempotencyKey: string
}

type Action = (id: string) => Promise<{
  /** `refused`: there is no such entry any more, or it is in no state for this. */
  readonly status: "success" | "refused" | "error"
  readonly error?: { readonly message: string }
}>

/** An outbox of `@quartet/react/outbox`, as far as devtools use it. @category models */
export interface InspectedOutbox
  extends Rx.Rx<{
    readonly status: "loading" | "ready" | "error"
    readonly error: { readonly message: string } | undefined
    readonly entries: ReadonlyArray<InspectedEntry>
    /** Whether entries wait for another tab that stands still. */
    readonly isBlocked: boolean
    /** How many entries other people have left on this device. */
    readonly others: number
  }> {
  readonly actions: (registry: Registry) => { readonly retry: Action; readonly discard: Action }
}

/** Something that can be done with a call of the wire. @category models */
export interface WireAction {
  readonly label: string
  /** What it answers is told when it is done. What it throws is shown. */
  readonly run: (call: WireCall) => Promise<string | undefined>
  /** Whether it can be done with this call; always where it is left out. */
  readonly isOffered?: (call: WireCall) => boolean
}

/** The sections of the devtools. @category models */
export type Section = "queries" | "mutations" | "outbox" | "sockets" | "wire"

/** What devtools show, and how. @category models */
export interface DevtoolsOptions {
  /** The registry whose queries, mutations and chats are shown; the nearest provider's where it is left out. */
  readonly registry?: Registry
  /** The wire whose calls are shown, of `makeWire`. */
  readonly wire?: Wire
  /** The outbox whose entries are shown. While they are, it sends what was kept before a reload, as under `useOutbox`. */
  readonly outbox?: InspectedOutbox
  /** What can be done with a call of the wire besides copying it as curl. */
  readonly wireActions?: ReadonlyArray<WireAction>
  /** The section that is shown first; the queries where it is left out. */
  readonly initialSection?: Section
  /** Light or dark; as the system says where it is left out. */
  readonly theme?: "light" | "dark" | "system"
}

/** What the view is given. */
export interface ViewProps extends Omit<DevtoolsOptions, "registry"> {
  readonly registry: Registry
  /** Where it floats over the page; undefined where it stands in it. */
  readonly floating?:
    | { readonly initialIsOpen: boolean | undefined; readonly position: "bottom-left" | "bottom-right" }
    | undefined
  readonly onClose?: (() => void) | undefined
}
